// SPDX-License-Identifier: Apache-2.0

/// The effect of an animation on the pose it starts from: `end = factor * start + term` per
/// channel.
///
/// `by` adds, `to` ignores the start. Every composition of the two is such a map too, so the end of
/// any number of repetitions is known without playing them.
struct PoseMap: Equatable, Sendable {
  var factor: Pose
  var term: Pose

  private static let ones = Pose(
    offset: .init(x: 1, y: 1), rotationDegrees: 1, scale: 1, opacity: 1)

  static let identity = PoseMap(factor: ones, term: .zero)

  func apply(_ pose: Pose) -> Pose {
    (factor.combined(with: pose, *) + term).clamped(to: .partBound)
  }

  /// Returns the effect of this map followed by `next`.
  func then(_ next: PoseMap) -> PoseMap {
    PoseMap(
      factor: factor.combined(with: next.factor, *),
      term: next.factor.combined(with: term, *) + next.term
    ).clamped
  }

  /// Returns the effect of both maps from the same start: their differences add.
  func alongside(_ other: PoseMap) -> PoseMap {
    PoseMap(factor: factor + other.factor - Self.ones, term: term + other.term).clamped
  }

  private var clamped: PoseMap {
    PoseMap(factor: factor.clamped(to: .partBound), term: term.clamped(to: .partBound))
  }

  /// Returns the map that undoes this one: `inverse(apply(pose)) == pose`. It leaves alone the
  /// channels in `targets` and those multiplied by 0.
  func inverse(except targets: PoseChannels) -> PoseMap {
    var inverse = PoseMap.identity
    for channel in PoseChannel.allCases where !targets.contains(PoseChannels(channel)) {
      guard factor[channel].magnitude > 1e-9 else { continue }
      inverse.factor[channel] = 1 / factor[channel]
      inverse.term[channel] = -term[channel] / factor[channel]
    }
    return inverse.clamped
  }

  /// Returns the effect of `count` repetitions, by squaring: 30 steps for 10^9, and exact for maps
  /// that only add.
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
