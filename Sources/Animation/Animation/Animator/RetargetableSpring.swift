// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// A number on a spring whose target can change at any time. It continues from its current value
/// and velocity; neither ever jumps.
///
/// Between two targets it is the exact solution of x'' + 2 z w x' + w^2 (x - target) = 0, at any
/// time and in any order.
public struct RetargetableSpring: Equatable, Sendable {
  /// The spring of the current motion.
  public private(set) var spring: Spring
  /// The value at rest.
  public private(set) var target: Double
  /// The time from which it stays within 0.001 of its path from the target and counts as being
  /// there.
  public private(set) var rest: MotionInstant

  private var since: MotionInstant
  /// From the target, at `since`.
  private var distance: Double
  /// Per second, at `since`.
  private var startVelocity: Double

  /// Creates a spring at rest.
  public init(_ spring: Spring, value: Double, at now: MotionInstant) {
    self.spring = spring
    target = value
    since = now
    distance = 0
    startVelocity = 0
    rest = now
  }

  /// Sets another target. The value continues from where it is.
  ///
  /// - Parameters:
  ///   - target: The new target. Ignored unless finite.
  ///   - spring: The spring from now on. Default: unchanged.
  ///   - velocity: Change of the value per second. Default: the current one.
  ///   - now: The time of the change.
  public mutating func retarget(
    to target: Double, spring: Spring? = nil, velocity: Double? = nil, at now: MotionInstant
  ) {
    guard target.isFinite else { return }
    let motion = motion(at: now)
    self.spring = spring ?? self.spring
    self.target = target
    since = now
    distance = motion.value - target
    startVelocity = velocity ?? motion.velocity
    let restSeconds = self.spring.restSeconds(distance: distance, velocity: startVelocity)
    rest = now.adding(seconds: restSeconds) ?? .distantFuture
  }

  /// Returns whether it counts as being at its target at a time.
  public func isAtRest(at now: MotionInstant) -> Bool { now >= rest }

  /// Returns the value at a time.
  public func value(at now: MotionInstant) -> Double { motion(at: now).value }

  /// Returns the change of the value per second.
  public func velocity(at now: MotionInstant) -> Double { motion(at: now).velocity }

  /// Returns the motion at a time. Times before the last retargeting count as that time.
  private func motion(at now: MotionInstant) -> (value: Double, velocity: Double) {
    if isAtRest(at: now) { return (target, 0) }
    let motion = spring.transition(now.seconds(since: since))
      .apply(distance: distance, velocity: startVelocity)
    return (target + motion.distance, motion.velocity)
  }
}

extension Spring {
  /// Returns the time from which it stays within `restDistance` of the target, as a share of its
  /// amplitude at the start. From rest, that is the distance.
  func restSeconds(distance: Double, velocity: Double) -> Double {
    let amplitude = amplitude(distance, velocity)
    guard amplitude > 0, amplitude < .infinity else { return 0 }
    let near = amplitude * Self.restDistance
    func motion(_ t: Double) -> (distance: Double, velocity: Double) {
      transition(t).apply(distance: distance, velocity: velocity)
    }
    // The amplitude only falls: once it is small, the distance stays small.
    var late = responseSeconds
    while late < 1e9, self.amplitude(motion(late).distance, motion(late).velocity) >= near {
      late *= 2
    }
    late = Self.last(from: 0, to: late) {
      self.amplitude(motion($0).distance, motion($0).velocity) >= near
    }
    // Search back for the last time when it was far, even for a moment at a turning point.
    let step = max(responseSeconds / 128, late / 4096)
    var early = late
    while early > 0, motion(early).distance.magnitude < near {
      let next = max(0, early - step)
      let sign = motion(early).velocity.sign
      if motion(next).velocity.sign != sign {
        let turn = Self.last(from: next, to: early) { motion($0).velocity.sign != sign }
        if motion(turn).distance.magnitude >= near {
          return Self.last(from: turn, to: early) { motion($0).distance.magnitude >= near }
        }
      }
      early = next
    }
    return Self.last(from: early, to: min(late, early + step)) {
      motion($0).distance.magnitude >= near
    }
  }

  /// Returns the first time at which a condition no longer holds, by bisection. It holds at `early`
  /// and not at `late`.
  private static func last(
    from early: Double, to late: Double, _ holds: (Double) -> Bool
  ) -> Double {
    var (early, late) = (early, late)
    for _ in 0..<60 {
      let middle = early + (late - early) / 2
      if holds(middle) { early = middle } else { late = middle }
    }
    return late
  }

  /// Returns the amplitude that the swing would have without damping.
  private func amplitude(_ distance: Double, _ velocity: Double) -> Double {
    let swing = velocity / angularFrequency
    return (distance * distance + swing * swing).squareRoot()
  }
}
