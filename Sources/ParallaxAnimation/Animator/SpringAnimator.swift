/// A pose on springs: each of its numbers goes to the newest target from where it is, as fast as it is.
///
/// Whoever gave a target is told once what became of it: `end` at rest there, `current` where another
/// target or a stop came before.
///
/// Confined to one thread. Times must not go back; one that does counts as the latest.
package final class SpringAnimator {
  /// How the next targets are gone to.
  package var spring: Spring

  private var channels: [RetargetableSpring]
  private var completion: ((AnimationPosition) -> Void)?
  private var isUnderWay = false
  /// Where it was when it was last at rest.
  private var origin: Pose
  private var nowNanoseconds: Int64

  package init(_ spring: Spring, pose: Pose = .rest, atNanoseconds now: Int64) {
    self.spring = spring
    nowNanoseconds = now
    origin = pose
    channels = PoseChannel.allCases.map {
      RetargetableSpring(spring, value: pose[$0], atNanoseconds: now)
    }
  }

  /// Whether it is on its way.
  package var isMoving: Bool { isUnderWay }

  /// When it comes to rest; nil: it is.
  package var nextEventNanoseconds: Int64? {
    guard isUnderWay else { return nil }
    var rest = Int64.min
    for channel in channels { rest = max(rest, channel.restNanoseconds) }
    return rest
  }

  package var target: Pose { pose { $0.target } }
  package var pose: Pose { pose { $0.value(atNanoseconds: nowNanoseconds) } }
  /// The pose's change a second.
  package var velocity: Pose { pose { $0.velocity(atNanoseconds: nowNanoseconds) } }

  /// - Parameter completion: called once, with what became of this target.
  package func animate(
    to target: Pose, atNanoseconds now: Int64,
    completion: ((AnimationPosition) -> Void)? = nil
  ) {
    advance(toNanoseconds: now)
    let former = self.completion
    self.completion = completion
    for (index, channel) in PoseChannel.allCases.enumerated() {
      channels[index].retarget(
        to: target[channel], spring: spring, atNanoseconds: nowNanoseconds)
    }
    isUnderWay = true
    former?(.current)
    advance(toNanoseconds: now)
  }

  /// Ends it at once: where it is, at its target, or where it was when it was last at rest.
  package func stop(
    at position: AnimationPosition = .current, atNanoseconds now: Int64
  ) {
    advance(toNanoseconds: now)
    guard isUnderWay else { return }
    switch position {
    case .start: rest(at: origin, telling: position)
    case .current: rest(at: pose, telling: position)
    case .end: rest(at: target, telling: position)
    }
  }

  package func advance(toNanoseconds now: Int64) {
    nowNanoseconds = max(nowNanoseconds, now)
    guard let rest = nextEventNanoseconds, rest <= nowNanoseconds else { return }
    self.rest(at: target, telling: .end)
  }

  private func rest(at pose: Pose, telling position: AnimationPosition) {
    isUnderWay = false
    origin = pose
    for (index, channel) in PoseChannel.allCases.enumerated() {
      channels[index] = RetargetableSpring(
        spring, value: pose[channel], atNanoseconds: nowNanoseconds)
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
