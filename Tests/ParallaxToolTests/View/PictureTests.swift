// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxMotion
@testable import ParallaxTool
import Testing

@Suite struct PictureTests {
  /// - Parameter bound: The range is from -bound to bound, px.
  private func scene(
    _ x: Double, _ y: Double, bound: Double = 5, held: Bool = false
  ) throws -> PictureScene {
    let range = try PixelRange(low: -bound, high: bound)
    return PictureScene(
      offset: ParallaxOffset(x: x, y: y, nx: x / bound, ny: y / bound), rangeX: range,
      rangeY: range, trail: [], isHeld: held)
  }

  @Test func aWiderRangeMovesTheCardFarther() throws {
    func way(_ x: Double, bound: Double) throws -> Double {
      let layout = layout(try scene(x, 0, bound: bound))
      return layout.place.x - layout.center.x
    }
    let narrow = try way(5, bound: 5)
    #expect(narrow > 3)
    for bound in [6.0, 8, 10] {
      #expect(abs(try way(bound, bound: bound) - narrow * bound / 5) < 1e-9)
      #expect(abs(try way(5, bound: bound) - narrow) < 1e-9)
    }
    // A range that is wider than the picture shows keeps the card in it.
    let widest = layout(try scene(100, 0, bound: 100))
    #expect(widest.place.x + widest.card.x <= 60)
    #expect(widest.place.x - widest.center.x >= 2 * narrow - 1e-9)
  }

  private func layout(_ scene: PictureScene) -> PictureLayout {
    PictureLayout(scene, width: 60, height: 50)
  }

  @Test(arguments: [(5.0, 5.0), (-5, -5), (5, -5)])
  func theCardEndsWhereItsBoxEnds(x: Double, y: Double) throws {
    let layout = layout(try scene(x, y))
    let reach = layout.place + layout.card * SIMD2(x / 5, y / 5)
    let corner = SIMD2(
      x > 0 ? layout.boxHigh.x : layout.boxLow.x, y > 0 ? layout.boxHigh.y : layout.boxLow.y)
    #expect(abs(reach.x - corner.x) < 1e-9 && abs(reach.y - corner.y) < 1e-9)
    #expect(layout.boxLow.x >= 0 && layout.boxLow.y >= 0)
    #expect(layout.boxHigh.x <= 60 && layout.boxHigh.y <= 50)
  }

  @Test func anAsymmetricRangeFitsToo() throws {
    var scene = try self.scene(0, 0)
    scene.rangeX = try PixelRange(low: -2, high: 20)
    scene.rangeY = try PixelRange(low: -1, high: 0)
    let layout = layout(scene)
    #expect(layout.boxLow.x >= 0 && layout.boxHigh.x <= 60)
    #expect(layout.boxLow.y >= 0 && layout.boxHigh.y <= 50)
    #expect(layout.place.x < 30)
  }

  @Test func layersMoveByTheirDepth() throws {
    let rest = layout(try scene(0, 0, bound: 10))
    let moved = layout(try scene(10, 0, bound: 10))
    func way(_ place: (PictureLayout) -> SIMD2<Double>) -> Double {
      (place(moved) - place(rest)).x
    }
    let card = way { $0.place }
    #expect(card > 5)
    #expect(abs(way { $0.point($0.sun) } - PictureScene.Depth.sun * card) < 1e-9)
    #expect(abs(way { $0.point($0.ball) } - PictureScene.Depth.ball * card) < 1e-9)
  }

  @Test func anAnimationTurnsAndZoomsTheCard() throws {
    var turned = try scene(0, 0)
    turned.offset.rotation = 90
    turned.offset.scale = 2
    let layout = layout(turned)
    let corner = layout.point(SIMD2(3, 1))
    #expect(abs(corner.x - layout.place.x + 2) < 1e-9 && abs(corner.y - layout.place.y - 6) < 1e-9)
    let back = layout.local(corner)
    #expect(abs(back.x - 3) < 1e-9 && abs(back.y - 1) < 1e-9)
  }

  @Test func theColoredCardMovesToTheRight() throws {
    func brightColumns(_ x: Double) throws -> Int? {
      let canvas = PixelPicture.draw(try scene(x, 0, bound: 10), columns: 60, rows: 25)
      // The left side of the frame in the middle row.
      return (0..<canvas.width).first { canvas.pixels[25 * canvas.width + $0].min() > 0.7 }
    }
    let left = try #require(try brightColumns(-10))
    let rest = try #require(try brightColumns(0))
    let right = try #require(try brightColumns(10))
    #expect(left + 5 < rest && rest + 5 < right)
  }

  @Test func heldMotionIsDarker() throws {
    func light(_ scene: PictureScene) -> Float {
      PixelPicture.draw(scene, columns: 40, rows: 20).pixels.reduce(0) { $0 + $1.sum() }
    }
    #expect(light(try scene(0, 0, held: true)) < 0.8 * light(try scene(0, 0)))
  }

  @Test(arguments: [(1, 1), (2, 3), (3, 40), (90, 2), (0, 0)])
  func noSizeIsTooSmall(columns: Int, rows: Int) throws {
    var scene = try self.scene(5, -5)
    scene.trail = [SIMD2(0, 0), SIMD2(5, -5)]
    scene.offset.rotation = 1e6
    scene.offset.scale = 1e9
    _ = PixelPicture.draw(scene, columns: columns, rows: rows)
    for isBraille in [true, false] {
      _ = DotPicture.draw(scene, columns: columns, rows: rows, isBraille: isBraille)
    }
  }
}
