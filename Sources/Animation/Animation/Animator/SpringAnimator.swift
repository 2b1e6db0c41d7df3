// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// A value on a spring: it moves to the newest target from its current value and velocity.
///
/// The completions of a target are called once: with `end` at rest there, or, if they ask for it, when the motion is
/// logically complete; with `current` if another target, a stop or the end of the animator came first.
///
/// Confined to one thread. A time that goes back counts as the latest.
public final class SpringAnimator<Value: Animatable> {
  /// The spring for the next targets.
  public var spring: Spring

  private var motion: RetargetableSpring<Value>
  private let restDistance: Double
  private var completions = CompletionList()
  /// When the current motion is logically complete.
  private var logicalEnd = MotionInstant.distantPast
  /// The value when it was last at rest.
  private var origin: Value
  private var now: MotionInstant

  /// Creates an animator at rest at a value.
  ///
  /// - Parameters:
  ///   - spring: The spring for the next targets.
  ///   - value: The value at rest.
  ///   - restDistance: What is not seen, in the value's unit; see ``RetargetableSpring``. Default:
  ///     ``Animatable/restDistance``.
  ///   - now: The time of the call.
  public init(
    _ spring: Spring, value: Value, restDistance: Double = Value.restDistance,
    at now: MotionInstant
  ) {
    self.spring = spring
    self.restDistance = restDistance
    self.now = now
    motion = RetargetableSpring(spring, value: value, restDistance: restDistance, at: now)
    origin = motion.target
  }

  /// Whether it is not at rest.
  public private(set) var isMoving = false

  /// The time at which it comes to rest, or before that is logically complete for a completion; nil if it is at rest.
  public var nextEvent: MotionInstant? {
    guard isMoving else { return nil }
    return completions.hasLogical ? min(logicalEnd, motion.rest) : motion.rest
  }

  /// The newest target, also after it has been reached.
  public var target: Value { motion.target }
  /// The value at the latest time that any call has given. It allocates nothing.
  public var value: Value { motion.value(at: now) }
  /// The change of the value per second.
  public var velocity: Value { motion.velocity(at: now) }

  /// Moves to a target from the current value with the current velocity.
  ///
  /// - Parameters:
  ///   - target: The new target; a number that is not finite is ignored.
  ///   - time: The time of the change.
  ///   - completion: Called once, when the target is reached or replaced. Default: none.
  public func animate(
    to target: Value, at time: MotionInstant,
    completion: ((AnimationPosition) -> Void)? = nil
  ) {
    advance(to: time)
    // Those that were added at rest are for this motion.
    let replaced = isMoving ? completions.take() : CompletionList()
    if let completion { completions.add(.removed, completion) }
    motion.retarget(to: target, spring: spring, at: now)
    logicalEnd = now + spring.response
    isMoving = true
    replaced.call(.current)
    advance(to: time)
  }

  /// Adds a completion of the current target; of the next one, if it is at rest.
  ///
  /// - Parameters:
  ///   - criteria: When it is called: at rest, or when the motion is logically complete.
  ///   - completion: Called once: with `end` then, otherwise with where the motion was ended before.
  public func addCompletion(
    _ criteria: AnimationCompletionCriteria, _ completion: @escaping (AnimationPosition) -> Void
  ) {
    completions.add(criteria, completion)
  }

  /// Ends the motion at once: where it is, at its target, or at the value when it was last at rest.
  public func stop(
    at position: AnimationPosition, at time: MotionInstant
  ) {
    advance(to: time)
    guard isMoving else { return }
    switch position {
    case .start: rest(at: origin, reporting: position)
    case .current: rest(at: value, reporting: position)
    case .end: rest(at: target, reporting: position)
    }
  }

  /// Moves it to a time. At rest it calls the completions; those that are for the logical end, by then.
  public func advance(to time: MotionInstant) {
    now = max(now, time)
    guard let event = nextEvent, event <= now else { return }
    completions.takeLogical().call(.end)
    // A completion may have set another target.
    if isMoving, motion.rest <= now { rest(at: target, reporting: .end) }
  }

  deinit { completions.call(.current) }

  private func rest(at value: Value, reporting position: AnimationPosition) {
    isMoving = false
    origin = value
    motion = RetargetableSpring(spring, value: value, restDistance: restDistance, at: now)
    completions.take().call(position)
  }
}

extension SpringAnimator where Value == Pose {
  /// Creates an animator at rest at a pose. Each channel has a distance of its own at which it is at rest.
  public convenience init(_ spring: Spring, pose: Pose = .rest, at now: MotionInstant) {
    self.init(spring, value: pose, at: now)
  }

  /// The pose at the latest time that any call has given. It allocates nothing.
  public var pose: Pose { value }
}
