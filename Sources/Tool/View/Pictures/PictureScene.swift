// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxClient
import ParallaxMotion

/// What both pictures draw: a card that moves in its range, with a window onto things of other depths, and
/// the way that it took.
struct PictureScene {
  var offset: ParallaxOffset
  var rangeX: PixelRange
  var rangeY: PixelRange
  /// The offsets of the last seconds, oldest first, px.
  var trail: [SIMD2<Double>]
  /// Whether motion is held back: the picture is dimmed.
  var isHeld: Bool

  /// A layer moves by its depth times the offset; the card's frame has depth 1.
  enum Depth {
    static let ground = 0.12
    static let sun = 0.2
    static let farHills = 0.45
    static let nearHills = 0.72
    static let ball = 1.6
  }
}

/// Where the things of a scene are in a picture of some size, in its pixels or dots.
struct PictureLayout {
  /// The offset, in px, that moves the card to the side of the picture. The scale does not depend on the
  /// range up to this, so that a wider range moves the card farther. A wider one still fits, at a smaller scale.
  static let fullWay = 10.0
  /// The share of half of the picture that the card leaves for its way.
  private static let wayShare = 0.6

  let center: SIMD2<Double>
  /// Half of the card's size.
  let card: SIMD2<Double>
  /// Pixels of the picture per px of the offset.
  let perPx: Double
  /// The corners of the range box, which the card touches where its range ends.
  let boxLow: SIMD2<Double>
  let boxHigh: SIMD2<Double>
  /// The offset in pixels of the picture.
  let shift: SIMD2<Double>
  let radians: Double
  let zoom: Double
  /// The scale of each axis.
  let zooms: SIMD2<Double>
  let opacity: Double

  init(_ scene: PictureScene, width: Int, height: Int) {
    let (low, high) = (
      SIMD2(scene.rangeX.low, scene.rangeY.low), SIMD2(scene.rangeX.high, scene.rangeY.high)
    )
    let half = SIMD2(Double(width), Double(height)) / 2 - 2
    let span = (high - low) / 2
    let way = half * Self.wayShare
    perPx = max(0, min(way.min() / Self.fullWay, way.x / span.x, way.y / span.y))
    let most = half - way
    card = SIMD2(max(2, min(most.x, most.y * 1.9)), max(2, min(most.y, most.x * 1.1)))
    center = SIMD2(Double(width), Double(height)) / 2 - (low + high) / 2 * perPx
    boxLow = center - card + low * perPx
    boxHigh = center + card + high * perPx
    shift = SIMD2(scene.offset.x, scene.offset.y) * perPx
    radians = (scene.offset.rotation ?? 0) * .pi / 180
    let scale = scene.offset.scale ?? 1
    zooms = SIMD2(scale, scene.offset.scaleY ?? scale).clamped(
      lowerBound: SIMD2(repeating: 0.05), upperBound: SIMD2(repeating: 8))
    zoom = zooms.min()
    opacity = min(1, max(0, scene.offset.opacity ?? 1))
  }

  /// The middle of the card.
  var place: SIMD2<Double> { center + shift }

  /// Turns a place in the picture into one on the card, with its middle at (0, 0).
  func local(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let from = point - place
    guard radians != 0 else { return from / zooms }
    let (sine, cosine) = (sin(radians), cos(radians))
    return SIMD2(from.x * cosine + from.y * sine, from.y * cosine - from.x * sine) / zooms
  }

  /// The inverse of `local`.
  func point(_ local: SIMD2<Double>) -> SIMD2<Double> {
    let (sine, cosine) = (sin(radians), cos(radians))
    let from = local * zooms
    return place + SIMD2(from.x * cosine - from.y * sine, from.y * cosine + from.x * sine)
  }

  /// By how much something of a depth moves against the card's frame.
  func against(_ depth: Double) -> SIMD2<Double> { (depth - 1) * shift }

  /// The height of the hills at a place, in the card's half height, downward.
  func farHills(_ x: Double) -> Double {
    let u = (x - against(PictureScene.Depth.farHills).x) / card.x
    return 0.18 + 0.16 * sin(3.1 * u + 0.6) + 0.07 * sin(7.3 * u + 2)
  }

  func nearHills(_ x: Double) -> Double {
    let u = (x - against(PictureScene.Depth.nearHills).x) / card.x
    return 0.52 + 0.14 * sin(2.2 * u + 3.4) + 0.05 * sin(5.9 * u)
  }

  var sun: SIMD2<Double> { SIMD2(-0.3, -0.34) * card + against(PictureScene.Depth.sun) }
  var sunRadius: Double { 0.2 * min(card.x, card.y) }
  var ball: SIMD2<Double> {
    SIMD2(0.66, -0.5) * card + against(PictureScene.Depth.ball)
  }
  var ballRadius: Double { 0.27 * min(card.x, card.y) }
}

/// The distance to a rectangle with rounded corners around (0, 0); below 0 inside.
func distance(
  _ point: SIMD2<Double>, toBox half: SIMD2<Double>, radius: Double
) -> Double {
  let x = abs(point.x) - half.x + radius
  let y = abs(point.y) - half.y + radius
  let outside = (max(x, 0) * max(x, 0) + max(y, 0) * max(y, 0)).squareRoot()
  return outside + min(max(x, y), 0) - radius
}
