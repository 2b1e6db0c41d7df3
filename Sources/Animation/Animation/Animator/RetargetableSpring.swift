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
  /// The time from which it is at rest and counts as being at its target: closer to it than 0.01 and slower than 0.1
  /// per second, unless ``init(_:value:restDistance:at:)`` states another distance.
  public private(set) var rest: MotionInstant

  private let restLimit: RestLimit
  private var since: MotionInstant
  /// From the target, at `since`.
  private var distance: Double
  /// Per second, at `since`.
  private var startVelocity: Double

  /// Creates a spring at rest.
  ///
  /// - Parameters:
  ///   - spring: The spring.
  ///   - value: The value at rest; 0 unless finite.
  ///   - restDistance: What is not seen, in the value's unit: closer to its target, and slower than ten times as much
  ///     per second, the value is at rest. Above 0. Default: 0.01, for px.
  ///   - now: The time of the call.
  public init(
    _ spring: Spring, value: Double, restDistance: Double = 0.01,
    at now: MotionInstant
  ) {
    let distance = restDistance > 0 ? restDistance : RestLimit.px.distance
    self.init(
      spring, value: value, within: RestLimit(distance: distance, velocity: 10 * distance), at: now)
  }

  init(_ spring: Spring, value: Double, within limit: RestLimit, at now: MotionInstant) {
    self.spring = spring
    restLimit = limit
    target = value.isFinite ? value : 0
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
  ///   - velocity: Change of the value per second. Default: the current one, as if it is not finite.
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
    startVelocity = velocity.flatMap { $0.isFinite ? $0 : nil } ?? motion.velocity
    let restSeconds = self.spring.restSeconds(
      distance: distance, velocity: startVelocity, within: restLimit)
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
