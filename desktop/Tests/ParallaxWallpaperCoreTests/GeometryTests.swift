// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct GeometryTests {
  private func fit(
    _ width: Int, _ height: Int, _ scale: Double, depths: [Double] = [0, 0.5, -1.5],
    travel: Double = 0.03
  ) -> Fit {
    Fit(
      outputWidth: width, outputHeight: height, scale: scale, imageWidth: 1840, imageHeight: 1140,
      depths: depths, travel: travel)
  }

  /// At every offset of the nearest layer, the picture covers the output.
  @Test(arguments: [(1920, 1080, 1.0), (1080, 1920, 2), (1366, 768, 1.25), (360, 720, 3)])
  func pictureCoversOutputAndMargin(width: Int, height: Int, scale: Double) {
    let picture = fit(width, height, scale).picture
    let margin = 0.03 * Double(width)
    #expect(Double(picture.x) <= -margin * scale + 0.5)
    #expect(Double(picture.y) <= -margin * scale + 0.5)
    #expect(Double(picture.x + picture.width) >= (Double(width) + margin) * scale - 0.5)
    #expect(Double(picture.y + picture.height) >= (Double(height) + margin) * scale - 0.5)
    // No larger than one of both directions needs, and not distorted.
    let ratio = Double(picture.width) / Double(picture.height)
    #expect((ratio - 1840.0 / 1140).magnitude < 0.003)
  }

  /// The nearest layer moves by the travel, in either direction, the others in proportion to their depths.
  @Test func theNearestLayerMovesByTheTravel() {
    let fit = fit(1000, 500, 2)
    #expect([-1.5, 0.5, 0].map(fit.reach) == [-30, 10, 0])
    // All depths tenfold are the same picture.
    let tenfold = self.fit(1000, 500, 2, depths: [0, 5, -10])
    #expect((tenfold.reach(depth: -10) + 30).magnitude < 1e-9)
    #expect(tenfold.picture == fit.picture)
  }

  /// A picture that does not move has no margin, and reaches no further than the output.
  @Test func aPictureAtRestHasNoMargin() {
    for fit in [fit(1840, 1140, 1, depths: [0, 0]), fit(1840, 1140, 1, travel: 0)] {
      #expect(fit.picture == PixelRect(x: 0, y: 0, width: 1840, height: 1140))
      #expect(fit.reach(depth: 1) == 0)
    }
  }

  /// A layer that rests needs no margin; one that moves needs it on every side.
  @Test func onlyTheVisiblePartIsKept() {
    let fit = fit(1000, 500, 1)
    let resting = fit.visiblePart(depth: 0)
    #expect(resting.x + fit.picture.x == -1 && resting.width == 1002)
    for depth in [0.5, -0.5] {
      let moving = fit.visiblePart(depth: depth)
      #expect(moving.x + fit.picture.x == -11 && moving.width == 1022)
    }
  }

  /// Place plus shown part are the offset, to a fraction of a pixel, and the shown part is in the buffer.
  @Test(arguments: [1.0, 1.25, 1.5, 2, 1.1, 1.0083], [0, 0.25, -0.25, 12.34, -12.99, 45, -30])
  func viewIsTheOffset(scale: Double, offset: Double) throws {
    let fit = fit(1000, 500, scale)
    let content = PixelRect(
      x: fit.picture.width / 2, y: fit.picture.height / 2, width: 101, height: 55)
    let placement = LayerPlacement(fit, content: content)
    let rest = try #require(placement.view(x: 0, y: 0))
    let view = try #require(placement.view(x: offset, y: -offset))
    func position(_ view: LayerPlacement.View) -> (x: Double, y: Double) {
      // Where buffer pixel 0 is, in logical px.
      (
        Double(view.surface.x) - view.sourceX / scale,
        Double(view.surface.y) - view.sourceY / scale
      )
    }
    // Each to 1/512 of a buffer pixel, the protocol's precision.
    #expect((position(view).x - position(rest).x - offset).magnitude <= 1 / 256 / scale)
    #expect((position(view).y - position(rest).y + offset).magnitude <= 1 / 256 / scale)
    // At rest and elsewhere, a whole number of physical pixels if there are some.
    let step = OutputScale.wholeStep(scale)
    #expect(view.surface.x.isMultiple(of: step) && view.surface.y.isMultiple(of: step))
    if step > 1 { #expect(rest.sourceX == 0) }
    #expect(view.sourceX >= 0 && view.sourceY >= 0)
    #expect(view.sourceX + view.sourceWidth <= Double(placement.buffer.width))
    #expect(view.sourceY + view.sourceHeight <= Double(placement.buffer.height))
    // All of the content is in the buffer.
    let area = PixelRect(
      x: content.x + fit.picture.x, y: content.y + fit.picture.y, width: content.width,
      height: content.height)
    #expect(placement.buffer.intersection(area) == area)
  }

  /// Nothing reaches beyond the output, at the same place and scale.
  @Test func whatIsBeyondTheOutputIsCutOff() throws {
    let fit = fit(1000, 500, 1)
    let whole = LayerPlacement(fit, content: fit.visiblePart(depth: 1.5))
    for offset in [0, 29.5, -30] {
      let view = try #require(whole.view(x: offset, y: -offset))
      #expect(view.surface == PixelRect(x: 0, y: 0, width: 1000, height: 500))
      #expect(view.sourceWidth == 1000 && view.sourceHeight == 500)
      #expect(Double(whole.buffer.x) + view.sourceX + offset == 0)
      #expect(Double(whole.buffer.y) + view.sourceY - offset == 0)
    }
    let corner = LayerPlacement(
      fit,
      content: PixelRect(x: -fit.picture.x - 20, y: -fit.picture.y + 490, width: 30, height: 30))
    let cut = try #require(corner.view(x: 0, y: 0))
    #expect(cut.surface == PixelRect(x: 0, y: 490, width: 10, height: 10))
    #expect(cut.sourceX == 20 && cut.sourceWidth == 10 && cut.sourceY == 0)
    #expect(corner.view(x: -10, y: 0) == nil)
    #expect(corner.view(x: 0, y: 10) == nil)
  }

  /// An output that changes, and by how much its picture is stretched. With the same shape, that is the picture
  /// that is then drawn.
  @Test(arguments: [
    (1000, 500, 1.0, 1.0), (2000, 1000, 1, 2), (500, 250, 2, 1), (1600, 1000, 1.25, 2.5),
    (400, 900, 1, 1.8),
  ])
  func aStretchedPictureCoversTheOutput(
    width: Int, height: Int, scale: Double, stretch: Double
  ) throws {
    let (old, new) = (fit(1000, 500, 1), fit(width, height, scale))
    let content = PixelRect(x: 333, y: 77, width: 401, height: 255)
    let drawn = LayerPlacement(old, content: content)
    let stretched = LayerPlacement(stretching: drawn, from: old, to: new)
    for fraction in [0, 0.37, -1] {
      let reach = fraction * new.reach(depth: -1.5)
      let view = try #require(stretched.view(x: reach, y: reach))
      // From the middle of the output, in physical pixels.
      let oldX = Double(drawn.buffer.x) + view.sourceX - 500
      let oldY = Double(drawn.buffer.y) + view.sourceY - 250
      #expect(
        (oldX * stretch - (Double(view.surface.x) - reach - Double(width) / 2) * scale).magnitude
          < 0.02)
      #expect(
        (oldY * stretch - (Double(view.surface.y) - reach - Double(height) / 2) * scale).magnitude
          < 0.02)
      #expect(view.sourceX >= 0 && view.sourceY >= 0)
      #expect(view.sourceX + view.sourceWidth <= Double(drawn.buffer.width))
      #expect(view.sourceY + view.sourceHeight <= Double(drawn.buffer.height))
    }
    // All but a seam is there.
    #expect(Double(stretched.surface.width) * scale > 401 * stretch - 3 * scale)
  }

  /// A buffer smaller than a logical px: nothing is shown that it does not have.
  @Test func aTinyLayerIsStretchedWithinItsBuffer() throws {
    let (old, new) = (fit(1000, 500, 1), fit(10, 5, 1))
    let drawn = LayerPlacement(old, content: PixelRect(x: 533, y: 377, width: 2, height: 2))
    let stretched = LayerPlacement(stretching: drawn, from: old, to: new)
    let view = try #require(stretched.view(x: 0.3, y: -0.3))
    #expect(view.sourceX >= 0 && view.sourceWidth > 0)
    #expect(view.sourceX + view.sourceWidth <= Double(drawn.buffer.width))
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
    // Beside a panel on one edge, and beside panels on two.
    (1500, 900, false, 1000, 570, 2, 1.5), (1500, 900, false, 960, 600, 2, 1.5),
    (1920, 1080, false, 1880, 1050, 1, 1),
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

  @Test func pixelsAreWhereTheyBelong() throws {
    let placement = LayerPlacement(
      fit(1000, 500, 2), content: PixelRect(x: 400, y: 300, width: 10, height: 10))
    let view = try #require(placement.view(x: 0, y: 0))
    #expect(
      (Double(view.surface.x) - view.sourceX / 2 - Double(placement.buffer.x) / 2).magnitude < 1e-9)
  }
}
