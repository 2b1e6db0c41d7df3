// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// A part of an animation that changes the pose itself.
enum TimelineLeaf: Sendable {
  case delay
  case step(PoseChange, Curve)
  case keyframes(KeyframeTrack)
  case track(PoseTrackReference)

  /// - Parameter share: Share of the duration, in 0..<1.
  func pose(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    switch self {
    case .delay: return start
    case .step(let change, let curve):
      let progress = curve.value(at: share, durationSeconds: durationSeconds)
      if let pivot = Pivot(change, from: start) { return pivot.pose(at: progress, from: start) }
      return change.map(progress: progress).apply(start)
    case .keyframes(let track): return track.pose(at: share, durationSeconds, from: start)
    case .track(let reference):
      return start + reference.difference(at: share * durationSeconds)
    }
  }

  /// - Parameter share: Share of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    switch self {
    case .delay: return .zero
    case .step(let change, let curve):
      let pace = curve.velocity(at: share, durationSeconds: durationSeconds)
      if let pivot = Pivot(change, from: start) {
        let progress = curve.value(at: share, durationSeconds: durationSeconds)
        return pivot.velocity(at: progress, from: start) * pace
      }
      // The pose of any other step is linear in its progress.
      let whole = change.map(progress: 1).apply(start) - start
      return whole * pace
    case .keyframes(let track): return track.velocity(at: share, durationSeconds, from: start)
    case .track(let reference):
      return reference.track.velocity(at: share * durationSeconds).clamped(to: .poseBound)
    }
  }

  /// Returns the immediate effect at the start. It excludes a jump of `steps` at the start, which
  /// happens at the very end when played backward.
  func begin(_ durationSeconds: Double) -> PoseMap {
    guard durationSeconds > 0 else { return .identity }
    switch self {
    case .delay, .step(_, .steps): return .identity
    case .step(let change, let curve):
      return change.map(progress: curve.value(at: 0, durationSeconds: durationSeconds))
    case .keyframes(let track): return track.begin
    case .track(let reference): return reference.effect(at: 0)
    }
  }

  /// Returns the effect at the end.
  func effect(_ durationSeconds: Double) -> PoseMap {
    switch self {
    case .delay: return .identity
    case .step(let change, let curve): return change.map(progress: curve.endValue)
    case .keyframes(let track): return track.effect
    case .track(let reference): return reference.effect(at: durationSeconds)
    }
  }

  var channels: PoseChannels {
    switch self {
    case .delay: []
    case .step(let change, _): change.channels
    case .keyframes(let track): track.channels
    case .track(let reference): reference.track.channels
    }
  }

  /// The channels that end at a fixed value, wherever they start.
  var targets: PoseChannels {
    switch self {
    case .delay, .track: []
    case .step(let change, _): change.targets
    case .keyframes(let track): track.channels
    }
  }
}

extension PoseTrackReference {
  fileprivate func difference(at seconds: Double) -> Pose {
    track.difference(at: seconds).clamped(to: .poseBound)
  }

  fileprivate func effect(at seconds: Double) -> PoseMap {
    PoseMap(factor: PoseMap.identity.factor, term: difference(at: seconds))
  }
}

extension PoseChange {
  var channels: PoseChannels {
    switch self {
    case .moveBy, .moveTo: .offset
    case .rotateBy, .rotateTo: .rotation
    case .pivotBy, .pivotTo: [.offset, .rotation]
    case .scaleBy, .scaleTo: .scale
    case .stretchBy, .stretchTo: .scales
    case .fadeTo: .opacity
    }
  }

  /// The channels that end at a fixed value, wherever they start.
  var targets: PoseChannels {
    switch self {
    case .moveBy, .rotateBy, .pivotBy, .scaleBy, .stretchBy: []
    case .pivotTo: .rotation
    case .moveTo, .rotateTo, .scaleTo, .stretchTo, .fadeTo: channels
    }
  }

  /// The change with its numbers clamped to `poseBound`.
  var clamped: Self {
    func px(_ px: PixelOffset) -> PixelOffset {
      PixelOffset(x: px.x.clamped(to: .poseBound), y: px.y.clamped(to: .poseBound))
    }
    return switch self {
    case .moveBy(let offset): .moveBy(px(offset))
    case .moveTo(let offset): .moveTo(px(offset))
    case .rotateBy(let degrees): .rotateBy(degrees.clamped(to: .poseBound))
    case .rotateTo(let degrees): .rotateTo(degrees.clamped(to: .poseBound))
    case .pivotBy(let degrees, let anchor):
      .pivotBy(degrees.clamped(to: .poseBound), anchor: px(anchor))
    case .pivotTo(let degrees, let anchor):
      .pivotTo(degrees.clamped(to: .poseBound), anchor: px(anchor))
    case .scaleBy(let factor): .scaleBy(factor.clamped(to: .poseBound))
    case .scaleTo(let scale): .scaleTo(scale.clamped(to: .poseBound))
    case .stretchBy(let x, let y):
      .stretchBy(x: x.clamped(to: .poseBound), y: y.clamped(to: .poseBound))
    case .stretchTo(let x, let y):
      .stretchTo(x: x.clamped(to: .poseBound), y: y.clamped(to: .poseBound))
    case .fadeTo(let opacity): .fadeTo(opacity.clamped(to: .poseBound))
    }
  }

  /// Returns the pose at a progress as a map of the pose at the start. A rotation about an anchor to a
  /// target is such a map at progress 0 and 1; in between, the result is for a layer that starts upright.
  func map(progress: Double) -> PoseMap {
    var map = PoseMap.identity
    switch self {
    case .moveBy(let px): map.term.offset = PixelOffset(x: px.x * progress, y: px.y * progress)
    case .moveTo(let px):
      map.factor.offset = PixelOffset(x: 1 - progress, y: 1 - progress)
      map.term.offset = PixelOffset(x: px.x * progress, y: px.y * progress)
    case .rotateBy(let degrees): map.term.rotationDegrees = degrees * progress
    case .rotateTo(let degrees):
      map.factor.rotationDegrees = 1 - progress
      map.term.rotationDegrees = degrees * progress
    case .pivotBy(let degrees, let anchor):
      map.term.rotationDegrees = degrees * progress
      let turned = anchor.rotated(byDegrees: degrees * progress)
      map.turn = PixelOffset(x: anchor.x - turned.x, y: anchor.y - turned.y)
    case .pivotTo(let degrees, let anchor):
      guard progress != 0 else { break }
      map.factor.rotationDegrees = 1 - progress
      map.term.rotationDegrees = degrees * progress
      let turned = anchor.rotated(byDegrees: degrees * progress)
      map.term.offset = PixelOffset(x: -turned.x, y: -turned.y)
      map.turn = anchor
    case .scaleBy(let factor): map.scaleBy(factor, factor, progress)
    case .scaleTo(let scale): map.scaleTo(scale, scale, progress)
    case .stretchBy(let x, let y): map.scaleBy(x, y, progress)
    case .stretchTo(let x, let y): map.scaleTo(x, y, progress)
    case .fadeTo(let opacity):
      map.factor.opacity = 1 - progress
      map.term.opacity = opacity * progress
    }
    return map
  }
}

extension PoseMap {
  fileprivate mutating func scaleBy(_ x: Double, _ y: Double, _ progress: Double) {
    factor.scale = 1 + (x - 1) * progress
    factor.scaleY = 1 + (y - 1) * progress
  }

  fileprivate mutating func scaleTo(_ x: Double, _ y: Double, _ progress: Double) {
    factor.scale = 1 - progress
    factor.scaleY = 1 - progress
    term.scale = x * progress
    term.scaleY = y * progress
  }
}
