/// What a finished animation has made of the pose it began from: for each channel
/// `end = factor * start + term`. `by` adds, `to` forgets the start; every composition of the two is
/// such a map again, so that the end of any number of repetitions is known without playing them.
struct PoseMap: Equatable, Sendable {
  var factor: Pose
  var term: Pose

  private static let ones = Pose(
    offset: .init(x: 1, y: 1), rotationDegrees: 1, scale: 1, opacity: 1)

  static let identity = PoseMap(factor: ones, term: .zero)

  func apply(_ pose: Pose) -> Pose {
    (factor.combined(with: pose, *) + term).held(within: .partBound)
  }

  /// First this one, then `next`.
  func then(_ next: PoseMap) -> PoseMap {
    PoseMap(
      factor: factor.combined(with: next.factor, *),
      term: next.factor.combined(with: term, *) + next.term
    ).held
  }

  /// Both from the same start: their differences add.
  func beside(_ other: PoseMap) -> PoseMap {
    PoseMap(factor: factor + other.factor - Self.ones, term: term + other.term).held
  }

  private var held: PoseMap {
    PoseMap(factor: factor.held(within: .partBound), term: term.held(within: .partBound))
  }

  /// What takes this one back: `inverse(apply(pose)) == pose`. The channels of `targets`, and one that
  /// has been multiplied away, stay as they are.
  func inverse(except targets: PoseChannels) -> PoseMap {
    var inverse = PoseMap.identity
    for channel in PoseChannel.allCases where !targets.contains(PoseChannels(channel)) {
      guard factor[channel].magnitude > 1e-9 else { continue }
      inverse.factor[channel] = 1 / factor[channel]
      inverse.term[channel] = -term[channel] / factor[channel]
    }
    return inverse.held
  }

  /// `count` times one after the other, by squaring: exact for what only adds, and 30 steps for 10^9.
  func repeated(_ count: Int) -> PoseMap {
    var result = PoseMap.identity
    var power = self
    var left = count
    while left > 0 {
      if left & 1 == 1 { result = result.then(power) }
      left >>= 1
      if left > 0 { power = power.then(power) }
    }
    return result
  }
}
