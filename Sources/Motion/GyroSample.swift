// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

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

  /// The largest magnitude of any axis.
  var largest: Double { max(x.magnitude, y.magnitude, z.magnitude) }
  var squaredLength: Double { x * x + y * y + z * z }

  static func + (left: AngularRate, right: AngularRate) -> AngularRate {
    AngularRate(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func - (left: AngularRate, right: AngularRate) -> AngularRate {
    AngularRate(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }

  static func * (left: AngularRate, factor: Double) -> AngularRate {
    AngularRate(x: left.x * factor, y: left.y * factor, z: left.z * factor)
  }
}

/// One reading of a gyroscope.
package struct GyroSample: Equatable, Sendable {
  /// On the source's own clock, of which only differences matter, bounded by
  /// `MotionInstant.isAdmissible`.
  package var time: MotionInstant
  /// In the sensor's frame: before mount matrix and bias.
  package var rateRadPerSec: AngularRate

  @inlinable
  package init(time: MotionInstant, rateRadPerSec: AngularRate) {
    self.time = time
    self.rateRadPerSec = rateRadPerSec
  }
}

/// An offset on the screen: x to the right, y DOWN. Pixels unless a name says otherwise.
public struct PixelOffset: Equatable, Sendable {
  /// px to the right.
  public var x: Double
  /// px down.
  public var y: Double

  /// Creates an offset.
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// No offset.
  public static let zero = PixelOffset(x: 0, y: 0)
}

/// The motion that drives the two screen axes in orientation `normal`, before the remap: `a` is the
/// rotation about the device's y axis (drives x), `b` that about its x axis (drives y). rad/s in
/// rate mode, rad in tilt mode.
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
