// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The device's orientation from the readings of its accelerometer.
///
/// The reading is smoothed, and the side it points to is down: (0, -g, 0) is `normal`, (g, 0, 0)
/// `left-up`, (0, g, 0) `bottom-up`, (-g, 0, 0) `right-up`. Compared with iio-sensor-proxy 3.0
/// (src/orientation.c) and a simulated accelerometer, the same matrix gives the same orientation.
/// As there, a change requires more than 35 degrees out of the horizontal.
package struct AccelOrientation: Equatable, Sendable {
  /// The smoothing's time constant, seconds. Shorter reports a turn sooner. At 0.5 s a shake of 2 g
  /// at 3 Hz moves the reading by a fifth of g, and a quarter turn is reported after half a second.
  package static let smoothingSeconds = 0.5
  /// How far a turn must pass the middle between two sides, degrees. At 15 the orientation does not
  /// flutter around 45 degrees: it changes at 60.
  package static let hysteresisDegrees = 15.0
  /// How far the screen must be out of the horizontal for a change, degrees.
  package static let flatDegrees = 35.0
  /// The plausible magnitudes of a smoothed reading, as shares of gravity: others come from a throw
  /// or a blow.
  package static let plausibleShare = 0.5...1.5
  /// The shortest pause between readings that restarts the smoothing.
  package static let maxPause: MotionDuration = .seconds(1)

  /// The orientation; nil before the first reading, and while the device has been flat since then.
  package private(set) var orientation: Orientation?

  private var smoothed = Acceleration.zero
  private var lastTime: MotionInstant?

  package init(_ orientation: Orientation? = nil) {
    self.orientation = orientation
  }

  /// Adds a reading. One that is not finite, or not newer than the last, is ignored.
  ///
  /// - Parameter acceleration: in the device's frame.
  /// - Returns: the orientation if this reading changed it.
  package mutating func add(
    _ acceleration: Acceleration, at now: MotionInstant
  ) -> Orientation? {
    guard acceleration.isSane, smooth(acceleration, at: now) else { return nil }
    let size = smoothed.size
    guard Self.plausibleShare.contains(size / Acceleration.gravity) else { return nil }
    let upright = hypot(smoothed.x, smoothed.y)
    guard upright > size * sin(Self.flatDegrees * .pi / 180) else { return nil }
    // The direction of the reading on the screen, in quarter turns from `normal`, 0..<4.
    let turn = atan2(smoothed.x, -smoothed.y) / (.pi / 2)
    let quarters = turn < 0 ? turn + 4 : turn
    if let orientation {
      var away = (quarters - Double(orientation.quarterTurns)).magnitude
      away = min(away, 4 - away)
      guard away * 90 > 45 + Self.hysteresisDegrees else { return nil }
    }
    let new = Orientation(quarterTurns: Int(quarters.rounded()))
    guard new != orientation else { return nil }
    orientation = new
    return new
  }

  private mutating func smooth(_ acceleration: Acceleration, at now: MotionInstant) -> Bool {
    guard let last = lastTime else {
      lastTime = now
      smoothed = acceleration
      return true
    }
    let (nanoseconds, overflows) = now.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    let step = MotionDuration(nanoseconds: nanoseconds)
    guard step > .zero || overflows else { return false }
    lastTime = now
    guard !overflows, step < Self.maxPause else {
      smoothed = acceleration
      return true
    }
    let share = -expm1(-step.seconds / Self.smoothingSeconds)
    smoothed.x += share * (acceleration.x - smoothed.x)
    smoothed.y += share * (acceleration.y - smoothed.y)
    smoothed.z += share * (acceleration.z - smoothed.z)
    return true
  }
}

extension Acceleration {
  fileprivate var size: Double { (x * x + y * y + z * z).squareRoot() }

  /// Whether the reading is below 400 g, which no accelerometer reaches: more would stay in the
  /// smoothing for long.
  fileprivate var isSane: Bool {
    let limit = 4_000.0
    return x.magnitude < limit && y.magnitude < limit && z.magnitude < limit
  }
}
