// SPDX-License-Identifier: Apache-2.0

/// The scene in color: a frame with a view of a landscape, with light and shadow.
enum PixelPicture {
  private typealias Pixel = PixelCanvas.Pixel

  private enum Paint {
    static let groundTop = rgb(24, 26, 44)
    static let groundBottom = rgb(38, 34, 62)
    static let groundDot = rgb(70, 72, 110)
    static let box = rgb(108, 114, 160)
    static let skyTop = rgb(52, 84, 166)
    static let skyMiddle = rgb(220, 128, 140)
    static let skyLow = rgb(255, 204, 140)
    static let sun = rgb(255, 244, 200)
    static let farHills = rgb(126, 88, 150)
    static let nearHills = rgb(30, 70, 125)
    static let frame = rgb(246, 242, 232)
    static let ball = rgb(244, 96, 78)
    static let trail = rgb(120, 240, 220)

    static func rgb(_ red: Float, _ green: Float, _ blue: Float) -> Pixel {
      Pixel(red, green, blue) / 255
    }
  }

  static func draw(_ scene: PictureScene, columns: Int, rows: Int) -> PixelCanvas {
    var canvas = PixelCanvas(columns: columns, rows: rows)
    let layout = PictureLayout(scene, width: canvas.width, height: canvas.height)
    drawGround(&canvas, layout)
    drawBox(&canvas, layout)
    drawCard(&canvas, layout, light: SIMD2(scene.offset.nx, scene.offset.ny))
    drawBall(&canvas, layout)
    drawTrail(&canvas, scene, layout)
    if scene.isHeld {
      for index in canvas.pixels.indices {
        let pixel = canvas.pixels[index]
        let gray = (pixel * Pixel(0.3, 0.59, 0.11)).sum()
        canvas.pixels[index] = (Pixel(repeating: gray) * 0.7 + pixel * 0.3) * 0.6
      }
    }
    return canvas
  }

  private static func mix(_ from: Pixel, _ to: Pixel, _ part: Double) -> Pixel {
    from + (to - from) * Float(min(1, max(0, part)))
  }

  /// The share of a pixel that is covered by a shape at a distance.
  private static func cover(_ distance: Double) -> Double { min(1, max(0, 0.5 - distance)) }

  private static func drawGround(_ canvas: inout PixelCanvas, _ layout: PictureLayout) {
    for y in 0..<canvas.height {
      let color = mix(
        Paint.groundTop, Paint.groundBottom, Double(y) / Double(max(1, canvas.height - 1)))
      for x in 0..<canvas.width { canvas.pixels[y * canvas.width + x] = color }
    }
    // Dots far away, which hardly move.
    let shift = layout.shift * PictureScene.Depth.ground
    let spacing = 6.0
    var dotY = layout.center.y + shift.y - (layout.center.y / spacing).rounded(.up) * spacing
    while dotY < Double(canvas.height) + 1 {
      var dotX = layout.center.x + shift.x - (layout.center.x / spacing).rounded(.up) * spacing
      while dotX < Double(canvas.width) + 1 {
        splat(&canvas, SIMD2(dotX, dotY), Paint.groundDot, 0.45)
        dotX += spacing
      }
      dotY += spacing
    }
  }

  /// Draws a dot of one pixel between the pixels.
  private static func splat(
    _ canvas: inout PixelCanvas, _ place: SIMD2<Double>, _ color: Pixel, _ opacity: Double
  ) {
    let corner = SIMD2((place.x - 0.5).rounded(.down), (place.y - 0.5).rounded(.down))
    let part = place - 0.5 - corner
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let weight = (dx == 0 ? 1 - part.x : part.x) * (dy == 0 ? 1 - part.y : part.y)
      canvas.blend(Int(corner.x) + dx, Int(corner.y) + dy, color, Float(weight * opacity))
    }
  }

  private static func drawBox(_ canvas: inout PixelCanvas, _ layout: PictureLayout) {
    let (left, right) = (Int(layout.boxLow.x.rounded()) - 1, Int(layout.boxHigh.x.rounded()))
    let (top, bottom) = (Int(layout.boxLow.y.rounded()) - 1, Int(layout.boxHigh.y.rounded()))
    guard left < right, top < bottom else { return }
    // Stronger at the corners.
    let reach = max(2, min(right - left, bottom - top) / 6)
    for x in left...right {
      let opacity: Float = min(x - left, right - x) < reach ? 0.75 : 0.25
      canvas.blend(x, top, Paint.box, opacity)
      canvas.blend(x, bottom, Paint.box, opacity)
    }
    guard top + 1 < bottom else { return }
    for y in top + 1..<bottom {
      let opacity: Float = min(y - top, bottom - y) < reach ? 0.75 : 0.25
      canvas.blend(left, y, Paint.box, opacity)
      canvas.blend(right, y, Paint.box, opacity)
    }
  }

  private static func drawCard(
    _ canvas: inout PixelCanvas, _ layout: PictureLayout, light: SIMD2<Double>
  ) {
    let card = layout.card
    let border = max(1, 0.1 * min(card.x, card.y))
    let radius = max(1, 0.16 * min(card.x, card.y))
    let shadow = SIMD2(0.06, 0.1) * min(card.x, card.y) + layout.shift * 0.12
    let blur = max(1.5, 0.22 * min(card.x, card.y))
    for y in 0..<canvas.height {
      for x in 0..<canvas.width {
        let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let local = layout.local(point)
        let edge = distance(local, toBox: card, radius: radius) * layout.zoom
        let inside = cover(edge)
        if inside < 1 {
          let dark = distance(local - shadow, toBox: card, radius: radius) / blur
          canvas.blend(x, y, .zero, Float(0.6 * layout.opacity * min(1, max(0, 0.7 - dark))))
        }
        guard inside > 0 else { continue }
        let window = cover(
          distance(local, toBox: card - border, radius: max(0.5, radius - border)) * layout.zoom)
        // The frame is brighter on the side that faces the light, above on the left.
        let slope = (local.x / card.x * (light.x - 0.35) + local.y / card.y * (light.y - 0.65))
        var color = Paint.frame * Float(0.88 + 0.12 * slope)
        if window > 0 { color = mix(color, view(local, layout, light), window) }
        canvas.blend(x, y, color, Float(inside * layout.opacity))
      }
    }
  }

  /// The color of the landscape at a place on the card.
  private static func view(
    _ local: SIMD2<Double>, _ layout: PictureLayout, _ light: SIMD2<Double>
  ) -> Pixel {
    let card = layout.card
    let height = (local.y - layout.against(PictureScene.Depth.sun).y) / card.y
    var color =
      height < 0
      ? mix(Paint.skyTop, Paint.skyMiddle, height + 1)
      : mix(Paint.skyMiddle, Paint.skyLow, height * 2.5)
    let fromSun = local - layout.sun
    let sunEdge = (fromSun * fromSun).sum().squareRoot() - layout.sunRadius
    color = mix(color, Paint.sun, 0.35 * min(1, max(0, 1 - sunEdge / layout.sunRadius / 1.5)))
    color = mix(color, Paint.sun, cover(sunEdge))
    let far = local.y - layout.against(PictureScene.Depth.farHills).y
    let farEdge = layout.farHills(local.x) * card.y - far
    color = mix(color, mix(Paint.farHills, Paint.skyMiddle, 0.4 + farEdge / card.y), cover(farEdge))
    let near = local.y - layout.against(PictureScene.Depth.nearHills).y
    let nearEdge = layout.nearHills(local.x) * card.y - near
    color = mix(
      color, mix(Paint.nearHills, Paint.farHills, 0.25 + nearEdge / card.y), cover(nearEdge))
    // A reflection in the glass, which moves against the card.
    let band = (local.x / card.x + 0.7 * local.y / card.y + 1.6 * light.x + 0.8 * light.y - 0.5)
    return mix(color, Pixel(repeating: 1), 0.16 * max(0, 1 - abs(band) * 4))
  }

  private static func drawBall(_ canvas: inout PixelCanvas, _ layout: PictureLayout) {
    let radius = layout.ballRadius * layout.zoom
    let center = layout.point(layout.ball)
    let shade =
      layout.point(layout.ball * 0.92 - layout.against(PictureScene.Depth.ball) * 0.4)
      + radius * 0.45
    let reach = Int(radius * 2.5) + 2
    let (middleX, middleY) = (Int(center.x), Int(center.y))
    for y in middleY - reach...middleY + reach {
      for x in middleX - reach...middleX + reach {
        let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let dark = ((point - shade) * (point - shade)).sum().squareRoot() / radius
        canvas.blend(x, y, .zero, Float(0.4 * layout.opacity * min(1, max(0, 1.3 - dark))))
        let from = (point - center) / radius
        let length = (from * from).sum().squareRoot()
        let inside = cover((length - 1) * radius)
        guard inside > 0 else { continue }
        let depth = max(0, 1 - length * length).squareRoot()
        let light = max(0, -0.5 * from.x - 0.62 * from.y + 0.6 * depth)
        var color = Paint.ball * Float(0.45 + 0.7 * light)
        let gleam = from - SIMD2(-0.36, -0.44)
        color = mix(color, Pixel(repeating: 1), 0.8 - 3.2 * (gleam * gleam).sum().squareRoot())
        canvas.blend(x, y, color, Float(inside * layout.opacity))
      }
    }
  }

  private static func drawTrail(
    _ canvas: inout PixelCanvas, _ scene: PictureScene, _ layout: PictureLayout
  ) {
    let points = scene.trail.map { layout.center + $0 * layout.perPx }
    for (index, (from, to)) in zip(points, points.dropFirst()).enumerated() {
      let age = Double(index + 1) / Double(points.count)
      let way = to - from
      let steps = max(1, Int((way * way).sum().squareRoot() * 1.5))
      guard steps < 1_000 else { continue }
      for step in 0..<steps {
        splat(
          &canvas, from + way * (Double(step) / Double(steps)), Paint.trail, 0.85 * age)
      }
    }
    let place = layout.place
    for (dx, dy) in [(0.0, 0.0), (0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)] {
      splat(&canvas, place + SIMD2(dx, dy), Pixel(repeating: 1), 0.8)
    }
  }
}
