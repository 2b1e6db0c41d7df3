// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// A value on a spring whose target can change at any time. It continues from its current value
/// and velocity; neither ever jumps.
///
/// Between two targets it is the exact solution of x'' + 2 z w x' + w^2 (x - target) = 0, at any
/// time and in any order.
public struct RetargetableSpring<Value: Animatable>: Equatable, Sendable {
  /// The spring of the current motion.
  public private(set) var spring: Spring
  /// The value at rest.
  public private(set) var target: Value
  /// The time from which it is at rest and counts as being at its target: closer to it than `restDistance` and slower
  /// than ten times as much per second.
  public private(set) var rest: MotionInstant

  private let restDistance: Double
  private var since: MotionInstant
  /// From the target, at `since`.
  private var distance: Value
  /// Per second, at `since`.
  private var startVelocity: Value

  /// Creates a spring at rest.
  ///
  /// - Parameters:
  ///   - spring: The spring.
  ///   - value: The value at rest; a number that is not finite counts as 0.
  ///   - restDistance: What is not seen, in the value's unit: closer to its target, and slower than ten times as much
  ///     per second, the value is at rest. Above 0. Default: ``Animatable/restDistance``, 0.01 for px. Each channel of a
  ///     ``Pose`` has a distance of its own.
  ///   - now: The time of the call.
  public init(
    _ spring: Spring, value: Value, restDistance: Double = Value.restDistance,
    at now: MotionInstant
  ) {
    self.spring = spring
    self.restDistance = restDistance > 0 ? restDistance : Value.restDistance
    target = Value._Model.replacing(.zero, byFinite: value)
    since = now
    distance = .zero
    startVelocity = .zero
    rest = now
  }

  /// Sets another target. The value continues from where it is.
  ///
  /// - Parameters:
  ///   - target: The new target. Numbers that are not finite are ignored.
  ///   - spring: The spring from now on. Default: unchanged.
  ///   - velocity: Change of the value per second. Default: the current one, as if it is not finite.
  ///   - now: The time of the change.
  @_specialize(where Value == Pose)
  @_specialize(where Value == Double)
  public mutating func retarget(
    to target: Value, spring: Spring? = nil, velocity: Value? = nil, at now: MotionInstant
  ) {
    let next = Value._Model.replacing(self.target, byFinite: target)
    guard next == target || next != self.target else { return }
    let motion = motion(at: now)
    self.spring = spring ?? self.spring
    self.target = next
    since = now
    distance = motion.value.minus(next)
    startVelocity =
      velocity.map { Value._Model.replacing(motion.velocity, byFinite: $0) } ?? motion.velocity
    let restSeconds = Value._Model.restSeconds(
      of: self.spring, distance: distance, velocity: startVelocity, restDistance: restDistance)
    rest = now.adding(seconds: restSeconds) ?? .distantFuture
  }

  /// Returns whether it counts as being at its target at a time.
  public func isAtRest(at now: MotionInstant) -> Bool { now >= rest }

  /// Returns the value at a time.
  public func value(at now: MotionInstant) -> Value { motion(at: now).value }

  /// Returns the change of the value per second.
  public func velocity(at now: MotionInstant) -> Value { motion(at: now).velocity }

  /// Returns the motion at a time. Times before the last retargeting count as that time.
  @_specialize(where Value == Pose)
  @_specialize(where Value == Double)
  private func motion(at now: MotionInstant) -> (value: Value, velocity: Value) {
    if isAtRest(at: now) { return (target, .zero) }
    let motion = spring.transition(now.seconds(since: since))
      .apply(distance: distance, velocity: startVelocity)
    let (distance, velocity) = Value._Model.settled(
      distance: motion.distance, velocity: motion.velocity, on: spring)
    return (target + distance, velocity)
  }
}
