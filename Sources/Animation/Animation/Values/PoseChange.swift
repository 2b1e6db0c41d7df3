// SPDX-License-Identifier: Apache-2.0

public import ParallaxMotion

/// A change of one property of a pose.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PoseChange: Equatable, Sendable {
  /// Moves by px to the right and down.
  case moveBy(PixelOffset)
  /// Moves to px to the right of, and below, the place of rest.
  case moveTo(PixelOffset)
  /// Rotates by degrees clockwise.
  case rotateBy(Double)
  /// Rotates to degrees clockwise.
  case rotateTo(Double)
  /// Rotates by degrees clockwise about an anchor: px to the right and down from the layer's center, in
  /// the layer. The offset follows, so that this point of the layer stays where it is.
  case pivotBy(Double, anchor: PixelOffset)
  /// Rotates to degrees clockwise about an anchor: px to the right and down from the layer's center, in
  /// the layer. The offset follows, so that this point of the layer stays where it is.
  case pivotTo(Double, anchor: PixelOffset)
  /// Multiplies the current scale.
  case scaleBy(Double)
  /// Scales to a factor; 1 is unscaled.
  case scaleTo(Double)
  /// Multiplies the current scale of each axis by a factor of its own.
  case stretchBy(x: Double, y: Double)
  /// Scales each axis to a factor of its own; 1 is unscaled.
  case stretchTo(x: Double, y: Double)
  /// Fades to an opacity, 0 (invisible) to 1.
  case fadeTo(Double)
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
  func map(progress: Double) -> _PoseMap {
    var map = _PoseMap.identity
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

extension _PoseMap {
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

extension PoseChange {
  /// The distance in each channel that it moves; where that depends on the start, the longest that is usual: 2000 px,
  /// half a turn, the whole scale and opacity.
  var longestWay: Pose {
    var way = Pose.zero
    switch self {
    case .moveBy(let px): way.offset = px
    case .moveTo(let px):
      way.offset = PixelOffset(x: max(px.x.magnitude, 2000), y: max(px.y.magnitude, 2000))
    case .rotateBy(let degrees): way.rotationDegrees = degrees
    case .rotateTo(let degrees): way.rotationDegrees = max(degrees.magnitude, 180)
    case .pivotBy(let degrees, let anchor): way = Self.turn(by: degrees, about: anchor)
    case .pivotTo(let degrees, let anchor):
      way = Self.turn(by: max(degrees.magnitude, 180), about: anchor)
    case .scaleBy(let factor): (way.scale, way.scaleY) = (factor - 1, factor - 1)
    case .scaleTo(let scale): (way.scale, way.scaleY) = (max(scale.magnitude, 1), 0)
    case .stretchBy(let x, let y): (way.scale, way.scaleY) = (x - 1, y - 1)
    case .stretchTo(let x, let y):
      (way.scale, way.scaleY) = (max(x.magnitude, 1), max(y.magnitude, 1))
    case .fadeTo: way.opacity = 1
    }
    return way.clamped(to: .poseBound)
  }

  /// As far as the anchor's arc is long.
  private static func turn(by degrees: Double, about anchor: PixelOffset) -> Pose {
    let radians = degrees * (.pi / 180)
    return Pose(
      offset: PixelOffset(x: anchor.x * radians, y: anchor.y * radians), rotationDegrees: degrees,
      scale: 0, opacity: 0)
  }
}
