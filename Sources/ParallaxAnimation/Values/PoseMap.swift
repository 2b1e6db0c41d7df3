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
    factor.combined(with: pose, *) + term
  }

  /// First this one, then `next`.
  func then(_ next: PoseMap) -> PoseMap {
    PoseMap(
      factor: factor.combined(with: next.factor, *),
      term: next.factor.combined(with: term, *) + next.term)
  }

  /// Both from the same start: their differences add.
  func beside(_ other: PoseMap) -> PoseMap {
    PoseMap(factor: factor + other.factor - Self.ones, term: term + other.term)
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
