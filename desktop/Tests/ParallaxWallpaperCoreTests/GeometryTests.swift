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
  @Test(arguments: [1.0, 1.25, 1.5, 2, 1.1, 1.0083], [0, 0.25, -0.25, 12.34, -12.99, 45, -30])
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
    // Each to 1/512 of a buffer pixel, the protocol's precision.
    #expect((position(view).x - position(rest).x - offset).magnitude <= 1 / 256 / scale)
    #expect((position(view).y - position(rest).y + offset).magnitude <= 1 / 256 / scale)
    // At rest and elsewhere, a whole number of physical pixels if there are some.
    let step = OutputScale.wholeStep(scale)
    #expect((view.x - rest.x).isMultiple(of: step) && (view.y - rest.y).isMultiple(of: step))
    if step > 1 { #expect(view.x.isMultiple(of: step) && rest.sourceX == 0) }
    #expect(view.sourceX >= 0 && view.sourceY >= 0)
    #expect(view.sourceX + view.sourceWidth <= Double(placement.buffer.width))
    #expect(view.sourceY + view.sourceHeight <= Double(placement.buffer.height))
    // All of the content is in the buffer.
    let area = PixelRect(
      x: content.x + fit.picture.x, y: content.y + fit.picture.y, width: content.width,
      height: content.height)
    #expect(placement.buffer.intersection(area) == area)
  }

  @Test(arguments: [
    (1.0, 1), (1.5, 2), (1.25, 4), (2, 1), (1.125, 8), (4.0 / 3, 3), (1.1, 10), (121.0 / 120, 1),
  ])
  func stepsAreWholeInBothKindsOfPixels(scale: Double, step: Int) {
    #expect(OutputScale.wholeStep(scale) == step)
  }

  /// sway 1.7 at 1.5 reports 2, and its logical sizes are rounded down.
  @Test(arguments: [
    (1500, 900, false, 1000, 600, 2, 1.5), (1366, 768, false, 1092, 614, 2, 1.25),
    (800, 1280, true, 1024, 640, 2, 1.25), (1920, 1080, false, 1920, 1080, 1, 1),
    (2560, 1440, false, 2327, 1309, 2, 1.1), (1920, 1080, false, 1000, 1080, 1, 1),
  ])
  func scaleFollowsFromTheSizes(
    modeWidth: Int, modeHeight: Int, isSideways: Bool, width: Int, height: Int, whole: Int,
    scale: Double
  ) {
    let found = OutputScale.value(
      preferred: nil, mode: (modeWidth, modeHeight), isSideways: isSideways, width: width,
      height: height, whole: whole)
    #expect(found == scale)
    let preferred = OutputScale.value(
      preferred: 1.75, mode: (modeWidth, modeHeight), isSideways: isSideways, width: width,
      height: height, whole: whole)
    #expect(preferred == 1.75)
  }

  @Test func withoutAModeTheScaleIsTheOutputs() {
    let found = OutputScale.value(
      preferred: nil, mode: nil, isSideways: false, width: 1000, height: 600, whole: 3)
    #expect(found == 3)
  }

  /// As docs/coordinates.md has it.
  @Test func transformsAreOrientations() {
    let names = (0...8).map { OutputTransform(Int32($0)).orientation }
    #expect(
      names == ["normal", "left-up", "bottom-up", "right-up", nil, nil, nil, nil, "normal"])
    #expect((0...7).filter { OutputTransform(Int32($0)).isSideways } == [1, 3, 5, 7])
    #expect(
      ["eDP-1", "LVDS-1", "DSI-1", "HDMI-A-1", "DP-2", "eDP"].map(OutputName.isBuiltIn)
        == [true, true, true, false, false, false])
  }

  @Test func pixelsAreWhereTheyBelong() {
    let placement = LayerPlacement(
      fit(1000, 500, 2), content: PixelRect(x: 400, y: 300, width: 10, height: 10))
    let view = placement.view(x: 0, y: 0)
    #expect(
      (Double(view.x) - view.sourceX / 2 - Double(placement.buffer.x) / 2).magnitude < 1e-9)
  }
}
