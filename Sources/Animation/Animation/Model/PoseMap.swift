// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The effect of an animation on the pose it starts from: `end = factor * start + term` per
/// channel, and `turn`, rotated by the rotation at the start, is added to the offset.
///
/// `by` adds, `to` ignores the start. Every composition of the two is such a map too, so the end of
/// any number of repetitions is known without playing them.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public struct _PoseMap: _EffectMap {
  var factor: Pose
  var term: Pose
  /// In px, in the axes of the layer: what a rotation about an anchor adds.
  var turn = PixelOffset.zero

  private static let ones = Pose(
    offset: .init(x: 1, y: 1), rotationDegrees: 1, scale: 1, opacity: 1)

  public static let identity = _PoseMap(factor: ones, term: .zero)

  public static func adding(_ pose: Pose) -> _PoseMap { _PoseMap(factor: ones, term: pose) }

  /// Rotations about different points do not commute.
  public var turns: Bool { turn != .zero }

  public func apply(_ pose: Pose) -> Pose {
    var result = factor.combined(with: pose, *) + term
    if turn != .zero {
      result.offset = result.offset + turn.rotated(byDegrees: pose.rotationDegrees)
    }
    return result.clamped(to: .partBound)
  }

  public func apply(toVelocity velocity: Pose) -> Pose { factor.combined(with: velocity, *) }

  /// Returns the effect of this map followed by `next`.
  public func then(_ next: _PoseMap) -> _PoseMap {
    var result = _PoseMap(
      factor: factor.combined(with: next.factor, *),
      term: next.factor.combined(with: term, *) + next.term,
      turn: PixelOffset(x: next.factor.offset.x * turn.x, y: next.factor.offset.y * turn.y))
    if next.turn != .zero {
      let turned = next.turn.rotated(byDegrees: term.rotationDegrees)
      // A rotation to a target forgets the one at the start. No other factor occurs, except where
      // rotations to targets run in parallel.
      if factor.rotationDegrees == 1 {
        result.turn = result.turn + turned
      } else {
        result.term.offset = result.term.offset + turned
      }
    }
    return result.clamped
  }

  /// Returns the effect of both maps from the same start: their differences add.
  public func alongside(_ other: _PoseMap) -> _PoseMap {
    _PoseMap(
      factor: factor + other.factor - Self.ones, term: term + other.term,
      turn: turn + other.turn
    ).clamped
  }

  private var clamped: _PoseMap {
    _PoseMap(
      factor: factor.clamped(to: .partBound), term: term.clamped(to: .partBound),
      turn: PixelOffset(x: turn.x.clamped(to: .partBound), y: turn.y.clamped(to: .partBound)))
  }

  /// Returns the map that undoes this one: `inverse(apply(pose)) == pose`. It leaves alone the
  /// channels in `targets` and those multiplied by 0; also the offset if it turned by a rotation to a
  /// target, whose start is not known.
  public func inverse(except targets: PoseChannels) -> _PoseMap {
    var inverse = _PoseMap.identity
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
}

extension PixelOffset {
  /// Returns the offset rotated clockwise, with y downward.
  func rotated(byDegrees degrees: Double) -> PixelOffset {
    let radians = degrees.clamped(to: .poseBound) * (.pi / 180)
    let (sine, cosine) = (sin(radians), cos(radians))
    return PixelOffset(x: x * cosine - y * sine, y: x * sine + y * cosine)
  }
}
