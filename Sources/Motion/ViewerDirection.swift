// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The direction to the viewer in the device's frame, for tilt mode: where the one who looked straight at
/// the screen is, after the device has turned.
///
/// Each step turns the direction v by the mean of two samples' rates (Rodrigues' formula, exact for a
/// constant axis), and shrinks its angle theta from the screen's normal by e^{-dt/T}, along the arc:
/// neither drift nor a new way of holding the device shifts the picture permanently. Nor does theta grow beyond
/// a limit, at which a turn drags the viewer along: the picture follows as soon as the device turns back. The
/// tilt is theta in the direction of v's part on the screen. For small angles without a turn about z, this is a
/// leaky integral of each axis; unlike that, it returns to 0 after any turn.
struct ViewerDirection: Sendable {
  private static let front = Vector3(x: 0, y: 0, z: 1)

  private var timeConstantSeconds: Double
  private var limit: Double
  private var fade: MotionDuration
  private var lastTime = MotionInstant.zero
  /// rad/s at the newest sample, and by how much they changed to it, rad/s per second.
  private var rates = Vector3.zero
  private var change = Vector3.zero
  private var direction = Self.front
  /// The tilt, rad.
  private var angle = DrivingMotion.zero
  /// Its length, exactly the limit where the viewer is dragged.
  private var theta = 0.0
  /// The tilt at the start of recentering, which turns and shrinks like the other and is weighted by a
  /// share that falls to 0. The sum stays continuous, and motion during recentering counts in full.
  private var leaving = DrivingMotion.zero
  private var recenterStart: MotionInstant?

  /// - Parameter settings: `recenterSeconds` is T, `fadeSeconds` the duration of `recenter`, `maxTiltRadians` the limit
  ///   of theta.
  init(_ settings: MotionSettings) {
    timeConstantSeconds = settings.recenterSeconds
    limit = settings.maxTiltRadians
    fade = MotionDuration(seconds: settings.fadeSeconds)
  }

  /// Uses other settings from now on. A recentering that runs goes on.
  mutating func use(_ settings: MotionSettings) {
    timeConstantSeconds = settings.recenterSeconds
    limit = settings.maxTiltRadians
    if recenterStart == nil { fade = MotionDuration(seconds: settings.fadeSeconds) }
  }

  /// Adds a sample, newer than the last one, and returns the tilt in rad, 0 at a segment's start.
  mutating func add(_ rate: AngularRate, time: MotionInstant, startsSegment: Bool) -> DrivingMotion
  {
    let rates = Vector3(x: rate.x, y: rate.y, z: rate.z)
    if startsSegment {
      change = .zero
      direction = Self.front
      (angle, theta) = (.zero, 0)
      leaving = .zero
      recenterStart = nil
    } else {
      let seconds = (time - lastTime).seconds
      let turn = (self.rates + rates) * (seconds / 2)
      change = (rates - self.rates) * (1 / seconds)
      let kept = exp(-seconds / timeConstantSeconds)
      direction = direction.rotated(by: turn * -1)
      shrink(keeping: kept)
      if recenterStart != nil { leaving = leaving.rotated(by: turn.z) * kept }
    }
    self.rates = rates
    lastTime = time
    return output(at: time)
  }

  mutating func recenter(at time: MotionInstant) {
    leaving = output(at: time)
    direction = Self.front
    (angle, theta) = (.zero, 0)
    recenterStart = time
  }

  /// The tilt's velocity just after the newest sample, rad/s: the part of the turn that moves the viewer on
  /// the screen, less the leak. Recentering does not move the device and adds nothing.
  var velocity: DrivingMotion {
    let rates = leadingRates
    let turn = DrivingMotion(a: rates.y, b: rates.x)
    guard theta > Self.smallestAngle else { return turn }
    let outward = angle * (1 / theta)
    let across = DrivingMotion(a: -outward.b, b: outward.a)
    var away = turn.a * outward.a + turn.b * outward.b - theta / timeConstantSeconds
    if theta >= limit { away = min(away, 0) }
    let around =
      (turn.a * across.a + turn.b * across.b) * theta / tan(min(theta, Self.largestAngle))
      + rates.z * theta
    return DrivingMotion(
      a: outward.a * away + across.a * around, b: outward.b * away + across.b * around)
  }

  /// The rates as they soon are if they go on changing as they did to the newest sample: a client continues a
  /// frame's line, so without this it is late where the rates change. The faster the change, the less it counts:
  /// a knock is over by then.
  private var leadingRates: Vector3 {
    let share = change.length / Self.knockRadPerSecondSquared
    return rates + change * (Self.leadSeconds / (1 + share * share))
  }

  /// Measured: docs/feel.md, "A velocity that leads".
  private static let leadSeconds = 0.008
  private static let knockRadPerSecondSquared = 40.0

  /// Below, the arc has no direction.
  private static let smallestAngle = 1e-12
  /// A viewer right behind the screen would pass at any speed.
  private static let largestAngle = 3.0

  /// Multiplies the angle from the screen's normal, and takes the tilt from it.
  private mutating func shrink(keeping share: Double) {
    let onScreen = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    guard onScreen > Self.smallestAngle else {
      (angle, theta) = (.zero, 0)
      return
    }
    theta = min(atan2(onScreen, direction.z) * share, limit)
    let (x, y) = (direction.x / onScreen, direction.y / onScreen)
    direction = Vector3(x: x * sin(theta), y: y * sin(theta), z: cos(theta))
    angle = DrivingMotion(a: -x * theta, b: y * theta)
  }

  private mutating func output(at time: MotionInstant) -> DrivingMotion {
    guard let start = recenterStart else { return angle }
    let elapsed = max(.zero, time - start)
    guard elapsed < fade else {
      recenterStart = nil
      leaving = .zero
      return angle
    }
    let share = 1 - CubicBezier.easeInOut.value(at: elapsed / fade)
    return DrivingMotion(a: angle.a + share * leaving.a, b: angle.b + share * leaving.b)
  }
}

extension Vector3 {
  /// Returns the vector turned about the axis of `turn` by its length in rad (Rodrigues' formula).
  fileprivate func rotated(by turn: Vector3) -> Vector3 {
    let angle = turn.length
    guard angle > 1e-300 else { return self }
    let axis = turn * (1 / angle)
    return self * cos(angle) + axis.cross(self) * sin(angle)
      + axis * (axis.dot(self) * (1 - cos(angle)))
  }
}

extension DrivingMotion {
  fileprivate func rotated(by angle: Double) -> DrivingMotion {
    DrivingMotion(a: a * cos(angle) - b * sin(angle), b: a * sin(angle) + b * cos(angle))
  }

  fileprivate static func * (motion: DrivingMotion, factor: Double) -> DrivingMotion {
    DrivingMotion(a: motion.a * factor, b: motion.b * factor)
  }
}
