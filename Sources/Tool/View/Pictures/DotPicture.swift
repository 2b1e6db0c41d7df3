// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The scene as lines, for terminals with few colors or without Unicode.
enum DotPicture {
  static func draw(
    _ scene: PictureScene, columns: Int, rows: Int, isBraille: Bool
  ) -> DotCanvas<CellStyle> {
    var canvas = DotCanvas<CellStyle>(columns: columns, rows: rows, isBraille: isBraille)
    let layout = PictureLayout(scene, width: canvas.width, height: canvas.height)
    drawGround(&canvas, layout)
    drawBox(&canvas, layout)
    drawCard(&canvas, layout)
    drawBall(&canvas, layout)
    drawTrail(&canvas, scene, layout)
    return canvas
  }

  private static func drawGround(_ canvas: inout DotCanvas<CellStyle>, _ layout: PictureLayout) {
    let shift = layout.center + layout.shift * PictureScene.Depth.ground
    let spacing = 8.0
    for row in -20...20 {
      for column in -40...40 {
        canvas.set(
          Int((shift.x + (Double(column) + 0.5) * spacing).rounded()),
          Int((shift.y + (Double(row) + 0.5) * spacing).rounded()), Theme.faint)
      }
    }
  }

  private static func drawBox(_ canvas: inout DotCanvas<CellStyle>, _ layout: PictureLayout) {
    let (left, right) = (Int(layout.boxLow.x.rounded()) - 1, Int(layout.boxHigh.x.rounded()))
    let (top, bottom) = (Int(layout.boxLow.y.rounded()) - 1, Int(layout.boxHigh.y.rounded()))
    guard left < right, top < bottom else { return }
    for x in left...right where (x - left) % 3 == 0 {
      canvas.set(x, top, Theme.faint)
      canvas.set(x, bottom, Theme.faint)
    }
    for y in top...bottom where (y - top) % 3 == 0 {
      canvas.set(left, y, Theme.faint)
      canvas.set(right, y, Theme.faint)
    }
  }

  /// Draws a frame that hides what is under it, and the landscape in it.
  private static func drawCard(_ canvas: inout DotCanvas<CellStyle>, _ layout: PictureLayout) {
    let card = layout.card
    let border = canvas.isBraille ? max(2, 0.1 * min(card.x, card.y)) : 0
    let radius = 0.14 * min(card.x, card.y)
    let window = card - border
    for y in 0..<canvas.height {
      for x in 0..<canvas.width {
        let local = layout.local(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
        let edge = distance(local, toBox: card, radius: radius) * layout.zoom
        guard edge <= 0 else {
          // A shadow on the right and below.
          let shadow = distance(local - 0.09 * min(card.x, card.y), toBox: card, radius: radius)
          if shadow <= 0, (x + y) % 2 == 0 { canvas.set(x, y, Theme.faint) }
          continue
        }
        canvas.clear(x, y)
        let inner = distance(local, toBox: window, radius: max(0, radius - border)) * layout.zoom
        if edge > -1 || border > 0 && inner > 0 && inner <= 1 {
          canvas.set(x, y, Theme.bold)
        } else if inner <= -1, let style = view(local, layout, x, y) {
          canvas.set(x, y, style)
        }
      }
    }
  }

  /// The style of a dot of the landscape; nil for none.
  private static func view(
    _ local: SIMD2<Double>, _ layout: PictureLayout, _ x: Int, _ y: Int
  ) -> CellStyle? {
    let near =
      local.y - layout.against(PictureScene.Depth.nearHills).y
      - layout.nearHills(local.x) * layout.card.y
    if near > 0 { return near < 1 || (x + y) % 2 == 0 ? Theme.hill : nil }
    let far =
      local.y - layout.against(PictureScene.Depth.farHills).y
      - layout.farHills(local.x) * layout.card.y
    if far > 0 {
      return far < 1 || x % 2 == 0 && y % 2 == 0 && (x + y) % 4 == 0 ? Theme.farHill : nil
    }
    let fromSun = local - layout.sun
    let distance = (fromSun * fromSun).sum().squareRoot()
    return distance < layout.sunRadius ? Theme.sun : nil
  }

  private static func drawBall(_ canvas: inout DotCanvas<CellStyle>, _ layout: PictureLayout) {
    let radius = layout.ballRadius * layout.zoom
    let center = layout.point(layout.ball)
    let reach = Int(radius) + 2
    for y in Int(center.y) - reach...Int(center.y) + reach {
      for x in Int(center.x) - reach...Int(center.x) + reach {
        let from = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
        let length = (from * from).sum().squareRoot()
        if length < radius + 1 { canvas.clear(x, y) }
        let gleam = from + 0.35 * radius
        if length < radius, (gleam * gleam).sum().squareRoot() > 0.3 * radius {
          canvas.set(x, y, Theme.ball)
        }
      }
    }
  }

  private static func drawTrail(
    _ canvas: inout DotCanvas<CellStyle>, _ scene: PictureScene, _ layout: PictureLayout
  ) {
    let points = scene.trail.map { layout.center + $0 * layout.perPx }
    for (from, to) in zip(points, points.dropFirst()) {
      canvas.line(from: (from.x, from.y), to: (to.x, to.y), Theme.trail)
    }
    let place = layout.place
    for (dx, dy) in [(0, 0), (-1, 0), (0, -1), (-1, -1)] {
      canvas.set(Int(place.x.rounded()) + dx, Int(place.y.rounded()) + dy, Theme.trail)
    }
  }
}
