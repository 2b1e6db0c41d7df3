// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct GeometryTests {
  private let range = MotionRange(x: -20...30, y: -10...10)

  private func fit(_ width: Int, _ height: Int, _ scale: Double, depths: [Double] = [0, 1.5]) -> Fit
  {
    Fit(
      outputWidth: width, outputHeight: height, scale: scale, imageWidth: 1840, imageHeight: 1140,
      depths: depths, range: range)
  }

  /// At every offset of the nearest layer, the picture covers the output.
  @Test(arguments: [(1920, 1080, 1.0), (1080, 1920, 2), (1366, 768, 1.25), (360, 720, 3)])
  func pictureCoversOutputAndMargin(width: Int, height: Int, scale: Double) {
    let picture = fit(width, height, scale).picture
    #expect(Double(picture.x) <= -1.5 * 30 * scale + 0.5)
    #expect(Double(picture.y) <= -1.5 * 10 * scale + 0.5)
    #expect(Double(picture.x + picture.width) >= (Double(width) + 1.5 * 30) * scale - 0.5)
    #expect(Double(picture.y + picture.height) >= (Double(height) + 1.5 * 10) * scale - 0.5)
    // No larger than one of both directions needs, and not distorted.
    let ratio = Double(picture.width) / Double(picture.height)
    #expect((ratio - 1840.0 / 1140).magnitude < 0.003)
  }

  /// A layer that rests needs no margin; one that moves right needs one on the left.
  @Test func onlyTheVisiblePartIsKept() {
    let fit = fit(1000, 500, 1)
    let resting = fit.visiblePart(depth: 0, range: range)
    #expect(resting.x + fit.picture.x == -1 && resting.width == 1002)
    let moving = fit.visiblePart(depth: 1, range: range)
    #expect(moving.x + fit.picture.x == -31 && moving.width == 1052)
    let opposite = fit.visiblePart(depth: -1, range: range)
    #expect(opposite.x + fit.picture.x == -21 && opposite.width == 1052)
  }

  /// Place plus shown part are the offset, to a fraction of a pixel, and the shown part is in the buffer.
  @Test(arguments: [1.0, 1.25, 1.5, 2], [0, 0.25, -0.25, 12.34, -12.99, 45, -30])
  func viewIsTheOffset(scale: Double, offset: Double) {
    let fit = fit(1000, 500, scale)
    let content = PixelRect(x: 333, y: 77, width: 101, height: 55)
    let placement = LayerPlacement(fit, content: content)
    let rest = placement.view(x: 0, y: 0)
    let view = placement.view(x: offset, y: -offset)
    func position(_ view: LayerPlacement.View) -> (x: Double, y: Double) {
      // Where buffer pixel 0 is, in logical px.
      (Double(view.x) - view.sourceX / scale, Double(view.y) - view.sourceY / scale)
    }
    #expect((position(view).x - position(rest).x - offset).magnitude < 1e-9)
    #expect((position(view).y - position(rest).y + offset).magnitude < 1e-9)
    #expect(view.sourceX >= 0 && view.sourceY >= 0)
    #expect(view.sourceX + view.sourceWidth <= Double(placement.buffer.width))
    #expect(view.sourceY + view.sourceHeight <= Double(placement.buffer.height))
    // All of the content is in the buffer.
    let area = PixelRect(
      x: content.x + fit.picture.x, y: content.y + fit.picture.y, width: content.width,
      height: content.height)
    #expect(placement.buffer.intersection(area) == area)
  }

  @Test func pixelsAreWhereTheyBelong() {
    let placement = LayerPlacement(
      fit(1000, 500, 2), content: PixelRect(x: 400, y: 300, width: 10, height: 10))
    let view = placement.view(x: 0, y: 0)
    #expect(
      (Double(view.x) - view.sourceX / 2 - Double(placement.buffer.x) / 2).magnitude < 1e-9)
  }
}
