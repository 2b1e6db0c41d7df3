// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxMotion

/// The effect of an animation on the pose it starts from: `end = factor * start + term` per
/// channel, and `turn`, rotated by the rotation at the start, is added to the offset.
///
/// `by` adds, `to` ignores the start. Every composition of the two is such a map too, so the end of
/// any number of repetitions is known without playing them.
struct PoseMap: Equatable, Sendable {
  var factor: Pose
  var term: Pose
  /// In px, in the axes of the layer: what a rotation about an anchor adds.
  var turn = PixelOffset.zero

  private static let ones = Pose(
    offset: .init(x: 1, y: 1), rotationDegrees: 1, scale: 1, opacity: 1)

  static let identity = PoseMap(factor: ones, term: .zero)

  func apply(_ pose: Pose) -> Pose {
    var result = factor.combined(with: pose, *) + term
    if turn != .zero { result.offset.add(turn.rotated(byDegrees: pose.rotationDegrees)) }
    return result.clamped(to: .partBound)
  }

  /// Returns the effect of this map followed by `next`.
  func then(_ next: PoseMap) -> PoseMap {
    var result = PoseMap(
      factor: factor.combined(with: next.factor, *),
      term: next.factor.combined(with: term, *) + next.term,
      turn: PixelOffset(x: next.factor.offset.x * turn.x, y: next.factor.offset.y * turn.y))
    if next.turn != .zero {
      let turned = next.turn.rotated(byDegrees: term.rotationDegrees)
      // A rotation to a target forgets the one at the start. No other factor occurs, except where
      // rotations to targets run in parallel.
      if factor.rotationDegrees == 1 {
        result.turn.add(turned)
      } else {
        result.term.offset.add(turned)
      }
    }
    return result.clamped
  }

  /// Returns the effect of both maps from the same start: their differences add.
  func alongside(_ other: PoseMap) -> PoseMap {
    PoseMap(
      factor: factor + other.factor - Self.ones, term: term + other.term,
      turn: PixelOffset(x: turn.x + other.turn.x, y: turn.y + other.turn.y)
    ).clamped
  }

  private var clamped: PoseMap {
    PoseMap(
      factor: factor.clamped(to: .partBound), term: term.clamped(to: .partBound),
      turn: PixelOffset(x: turn.x.clamped(to: .partBound), y: turn.y.clamped(to: .partBound)))
  }

  /// Returns the map that undoes this one: `inverse(apply(pose)) == pose`. It leaves alone the
  /// channels in `targets` and those multiplied by 0; also the offset if it turned by a rotation to a
  /// target, whose start is not known.
  func inverse(except targets: PoseChannels) -> PoseMap {
    var inverse = PoseMap.identity
    let isLost = turn != .zero && targets.contains(.rotation)
    for channel in PoseChannel.allCases {
      let isOffset = channel == .x || channel == .y
      let own: PoseChannels = channel == .scaleY ? .scale : PoseChannels(channel)
      guard !targets.contains(own), !(isOffset && isLost), factor[channel].magnitude > 1e-9
      else { continue }
      inverse.factor[channel] = 1 / factor[channel]
      inverse.term[channel] = -term[channel] / factor[channel]
    }
    if turn != .zero, !isLost, factor.offset.x.magnitude > 1e-9 {
      let back = turn.rotated(byDegrees: -term.rotationDegrees)
      inverse.turn = PixelOffset(x: -back.x / factor.offset.x, y: -back.y / factor.offset.x)
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

extension PixelOffset {
  /// Returns the offset rotated clockwise, with y downward.
  func rotated(byDegrees degrees: Double) -> PixelOffset {
    let radians = degrees.clamped(to: .poseBound) * (.pi / 180)
    let (sine, cosine) = (sin(radians), cos(radians))
    return PixelOffset(x: x * cosine - y * sine, y: x * sine + y * cosine)
  }

  mutating func add(_ other: PixelOffset) {
    x += other.x
    y += other.y
  }
}
