/// Angular rate about three axes, rad/s, right-handed (Linux IIO `in_anglvel_*`, Android's
/// `TYPE_GYROSCOPE`: x to the right, y up, z out of the screen toward the viewer).
package struct AngularRate: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  @inlinable
  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package static let zero = AngularRate(x: 0, y: 0, z: 0)

  @inlinable
  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// One reading of a gyroscope.
package struct GyroSample: Equatable, Sendable {
  /// Nanoseconds of the source's own clock; only differences matter. Epoch nanoseconds fit without
  /// loss. `GyroSample.timeLimitNanoseconds` bounds what the time rule accepts.
  package var timeNanoseconds: Int64
  /// In the sensor's frame: before mount matrix and bias.
  package var rateRadPerSec: AngularRate

  @inlinable
  package init(timeNanoseconds: Int64, rateRadPerSec: AngularRate) {
    self.timeNanoseconds = timeNanoseconds
    self.rateRadPerSec = rateRadPerSec
  }

  /// Times beyond ±2^61 ns (73 years from the clock's zero) are nobody's clock; refusing them
  /// keeps every difference and sum of two times within `Int64`.
  package static let timeLimitNanoseconds: Int64 = 1 << 61
}

/// A pair on the screen: x to the right, y DOWN. Pixels unless a name says otherwise.
package struct PixelOffset: Equatable, Sendable {
  package var x: Double
  package var y: Double

  @inlinable
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let zero = PixelOffset(x: 0, y: 0)
}

/// What drives the two screen axes in orientation `normal`, before the remap: `a` = rotation about
/// the device's y axis (drives x), `b` = rotation about its x axis (drives y). rad/s in rate mode,
/// rad in tilt mode.
package struct DrivingMotion: Equatable, Sendable {
  package var a: Double
  package var b: Double

  @inlinable
  package init(a: Double, b: Double) {
    self.a = a
    self.b = b
  }

  package static let zero = DrivingMotion(a: 0, b: 0)
}
