// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// A pose on springs: each channel moves to the newest target from its current value and velocity.
///
/// The completion of a target is called once: with `end` at rest there, with `current` if another
/// target, a stop or the end of the animator came first.
///
/// Confined to one thread. A time that goes back counts as the latest.
public final class SpringAnimator {
  /// The spring for the next targets.
  public var spring: Spring

  private var channels: [RetargetableSpring]
  private var completion: ((AnimationPosition) -> Void)?
  /// The pose when it was last at rest.
  private var origin: Pose
  private var now: MotionInstant

  /// Creates an animator at rest at a pose.
  public init(_ spring: Spring, pose: Pose = .rest, at now: MotionInstant) {
    self.spring = spring
    self.now = now
    origin = pose
    channels = PoseChannel.allCases.map {
      RetargetableSpring(spring, value: pose[$0], within: $0.restLimit, at: now)
    }
  }

  /// Whether it is not at rest.
  public private(set) var isMoving = false

  /// The time at which it comes to rest; nil if it is at rest.
  public var nextEvent: MotionInstant? {
    guard isMoving else { return nil }
    var rest = MotionInstant.distantPast
    for channel in channels { rest = max(rest, channel.rest) }
    return rest
  }

  /// The newest target, also after it has been reached.
  public var target: Pose { pose { $0.target } }
  /// The pose at the latest time that any call has given. It allocates nothing.
  public var pose: Pose { pose { $0.value(at: now) } }
  /// The change of the pose per second.
  public var velocity: Pose { pose { $0.velocity(at: now) } }

  /// Moves to a target from the current pose with the current velocity.
  ///
  /// - Parameters:
  ///   - target: The new target; a number that is not finite is ignored.
  ///   - time: The time of the change.
  ///   - completion: Called once, when the target is reached or replaced. Default: none.
  public func animate(
    to target: Pose, at time: MotionInstant,
    completion: ((AnimationPosition) -> Void)? = nil
  ) {
    advance(to: time)
    let previous = self.completion
    self.completion = completion
    for (index, channel) in PoseChannel.allCases.enumerated() {
      channels[index].retarget(
        to: target[channel], spring: spring, at: now)
    }
    isMoving = true
    previous?(.current)
    advance(to: time)
  }

  /// Ends the motion at once: where it is, at its target, or at the pose when it was last at rest.
  public func stop(
    at position: AnimationPosition, at time: MotionInstant
  ) {
    advance(to: time)
    guard isMoving else { return }
    switch position {
    case .start: rest(at: origin, reporting: position)
    case .current: rest(at: pose, reporting: position)
    case .end: rest(at: target, reporting: position)
    }
  }

  /// Moves it to a time. At rest it calls the completion.
  public func advance(to time: MotionInstant) {
    now = max(now, time)
    guard let rest = nextEvent, rest <= now else { return }
    self.rest(at: target, reporting: .end)
  }

  deinit { completion?(.current) }

  private func rest(at pose: Pose, reporting position: AnimationPosition) {
    isMoving = false
    origin = pose
    for (index, channel) in PoseChannel.allCases.enumerated() {
      channels[index] = RetargetableSpring(
        spring, value: pose[channel], within: channel.restLimit, at: now)
    }
    let ended = completion
    completion = nil
    ended?(position)
  }

  private func pose(_ number: (RetargetableSpring) -> Double) -> Pose {
    var pose = Pose.zero
    for (index, channel) in PoseChannel.allCases.enumerated() {
      pose[channel] = number(channels[index])
    }
    return pose
  }
}
