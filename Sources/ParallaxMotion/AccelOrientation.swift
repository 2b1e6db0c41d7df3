#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How the device is held, from what its accelerometer reads.
///
/// The reading is smoothed, and the side it points to is down: (0, -g, 0) is `normal`, (g, 0, 0)
/// `left-up`, (0, g, 0) `bottom-up`, (-g, 0, 0) `right-up`. Seen with iio-sensor-proxy 3.0 and a
/// made-up accelerometer (its rule is src/orientation.c): the same matrix gives the same word here. It
/// also takes more than 35 degrees out of the horizontal to turn, as it does there.
package struct AccelOrientation: Equatable, Sendable {
  /// The smoothing's time constant. Default: 0.5 s. Shorter turns sooner; at this a shake of 2 g at 3 Hz
  /// moves the reading by a fifth of g, and a quarter turn of the device is told after half a second.
  package static let smoothingSeconds = 0.5
  /// How far beyond the middle between two sides a turn has to be, degrees. Default: 15, so that 45
  /// degrees do not flutter: to the next side one turns by 60.
  package static let hysteresisDegrees = 15.0
  /// How far the screen has to be out of the horizontal for a change, degrees. Default: 35; flatter, it
  /// stays what it was.
  package static let flatDegrees = 35.0
  /// What a smoothed reading may differ from gravity, as shares of it: more is a throw or a blow.
  package static let plausibleShare = 0.5...1.5
  /// After a pause as long as this the smoothing begins anew.
  package static let longestPauseNanoseconds: Int64 = 1_000_000_000

  /// nil: it has been lying flat since the start, or nothing was read yet.
  package private(set) var orientation: Orientation?

  private var smoothed = Acceleration.zero
  private var lastTime: Int64?

  package init(_ orientation: Orientation? = nil) {
    self.orientation = orientation
  }

  /// Takes a reading; one that is not finite, or not newer than the last, is none.
  ///
  /// - Parameter acceleration: in the device's frame.
  /// - Returns: the orientation, where this reading changed it.
  package mutating func take(
    _ acceleration: Acceleration, atNanoseconds now: Int64
  ) -> Orientation? {
    guard acceleration.isSane, smooth(acceleration, atNanoseconds: now) else { return nil }
    let size = smoothed.size
    guard Self.plausibleShare.contains(size / Acceleration.gravity) else { return nil }
    let upright = hypot(smoothed.x, smoothed.y)
    guard upright > size * sin(Self.flatDegrees * .pi / 180) else { return nil }
    // Where the reading lies on the screen, in quarter turns from `normal` on, 0..<4.
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

  private mutating func smooth(_ acceleration: Acceleration, atNanoseconds now: Int64) -> Bool {
    guard let last = lastTime else {
      lastTime = now
      smoothed = acceleration
      return true
    }
    let (step, overflows) = now.subtractingReportingOverflow(last)
    guard step > 0 || overflows else { return false }
    lastTime = now
    guard !overflows, step < Self.longestPauseNanoseconds else {
      smoothed = acceleration
      return true
    }
    let share = -expm1(-Double(step) * 1e-9 / Self.smoothingSeconds)
    smoothed.x += share * (acceleration.x - smoothed.x)
    smoothed.y += share * (acceleration.y - smoothed.y)
    smoothed.z += share * (acceleration.z - smoothed.z)
    return true
  }
}

extension Acceleration {
  fileprivate var size: Double { (x * x + y * y + z * z).squareRoot() }

  /// No accelerometer reads beyond 400 g; what does would stay in the smoothing for long.
  fileprivate var isSane: Bool {
    let limit = 4_000.0
    return x.magnitude < limit && y.magnitude < limit && z.magnitude < limit
  }
}
