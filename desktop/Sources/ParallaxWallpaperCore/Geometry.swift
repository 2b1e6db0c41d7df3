// SPDX-License-Identifier: Apache-2.0

/// A rectangle of whole pixels.
package struct PixelRect: Equatable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns what both rectangles cover.
  package func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
      height: max(0, min(y + height, other.y + other.height) - top))
  }
}

/// The limits of the motion, in logical px.
package struct MotionRange: Equatable, Sendable {
  package var x: ClosedRange<Double>
  package var y: ClosedRange<Double>

  package init(x: ClosedRange<Double>, y: ClosedRange<Double>) {
    self.x = x
    self.y = y
  }

  /// Returns the nearest offset within the range.
  package func clamp(_ offset: (x: Double, y: Double)) -> (x: Double, y: Double) {
    (
      min(max(offset.x, x.lowerBound), x.upperBound), min(max(offset.y, y.lowerBound), y.upperBound)
    )
  }

  /// As long as the daemon has not said its own: -5...5 px.
  package static let standard = MotionRange(x: -5...5, y: -5...5)
}

/// How a wallpaper fits an output.
///
/// The picture is scaled so that it covers the output and, on every side, a margin as wide as the nearest
/// layer moves, and is centered. All layers have the same scale, so that they fit together.
package struct Fit: Equatable, Sendable {
  /// The output's size in logical px.
  package let outputWidth: Int
  package let outputHeight: Int
  /// Physical pixels per logical px.
  package let scale: Double
  /// The whole picture in physical pixels, relative to the output's upper left corner.
  package let picture: PixelRect

  /// - Parameters:
  ///   - imageWidth: The size of the images, in their own pixels.
  ///   - depths: Of the layers.
  package init(
    outputWidth: Int, outputHeight: Int, scale: Double, imageWidth: Int, imageHeight: Int,
    depths: [Double], range: MotionRange
  ) {
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    self.scale = scale
    let depth = depths.map(\.magnitude).max() ?? 0
    let marginX = depth * max(range.x.upperBound, -range.x.lowerBound)
    let marginY = depth * max(range.y.upperBound, -range.y.lowerBound)
    let factor =
      max(
        (Double(outputWidth) + 2 * marginX) / Double(imageWidth),
        (Double(outputHeight) + 2 * marginY) / Double(imageHeight)) * scale
    let width = Int((Double(imageWidth) * factor).rounded(.up))
    let height = Int((Double(imageHeight) * factor).rounded(.up))
    picture = PixelRect(
      x: Int(((Double(outputWidth) * scale - Double(width)) / 2).rounded()),
      y: Int(((Double(outputHeight) * scale - Double(height)) / 2).rounded()), width: width,
      height: height)
  }

  /// Returns the part of the picture that a layer may ever show, in the picture's own pixels: what is
  /// outside needs no memory.
  package func visiblePart(depth: Double, range: MotionRange) -> PixelRect {
    func reach(_ range: ClosedRange<Double>) -> (low: Double, high: Double) {
      let ends = [range.lowerBound * depth, range.upperBound * depth]
      return (min(ends[0], ends[1]), max(ends[0], ends[1]))
    }
    let (x, y) = (reach(range.x), reach(range.y))
    // A layer that moves right shows what is left of the output.
    let left = Int((-x.high * scale).rounded(.down)) - 1 - picture.x
    let right = Int(((Double(outputWidth) - x.low) * scale).rounded(.up)) + 1 - picture.x
    let top = Int((-y.high * scale).rounded(.down)) - 1 - picture.y
    let bottom = Int(((Double(outputHeight) - y.low) * scale).rounded(.up)) + 1 - picture.y
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
      .intersection(PixelRect(x: 0, y: 0, width: picture.width, height: picture.height))
  }
}

/// How a layer's pixels become a surface that moves by fractions of a pixel.
///
/// A surface is placed at whole logical px only. The rest of an offset shifts what the surface shows of its
/// buffer, so the buffer is one logical px wider than the surface.
package struct LayerPlacement: Equatable, Sendable {
  /// What the buffer has of the picture, in physical pixels relative to the output's corner.
  package let buffer: PixelRect
  /// The surface at rest, in logical px.
  package let surface: PixelRect
  private let scale: Double

  /// - Parameter content: The part of the picture with the layer's pixels, in the picture's own pixels.
  package init(_ fit: Fit, content: PixelRect) {
    scale = fit.scale
    func axis(_ start: Int, _ length: Int) -> (surface: Int, size: Int, buffer: Int, count: Int) {
      let first = Int((Double(start) / fit.scale).rounded(.down))
      let last = Int((Double(start + length) / fit.scale).rounded(.up))
      let size = max(1, last - first)
      let buffer = Int((Double(first - 1) * fit.scale).rounded(.down))
      let end = Int((Double(first + size) * fit.scale).rounded(.up))
      return (first, size, buffer, end - buffer)
    }
    let x = axis(content.x + fit.picture.x, content.width)
    let y = axis(content.y + fit.picture.y, content.height)
    surface = PixelRect(x: x.surface, y: y.surface, width: x.size, height: y.size)
    buffer = PixelRect(x: x.buffer, y: y.buffer, width: x.count, height: y.count)
  }

  /// A surface's place, in logical px, and the part of its buffer that it shows, in buffer pixels.
  package struct View: Equatable, Sendable {
    package var x: Int
    package var y: Int
    package var sourceX: Double
    package var sourceY: Double
    package var sourceWidth: Double
    package var sourceHeight: Double
  }

  /// Returns the view at an offset of the layer, in logical px.
  package func view(x: Double, y: Double) -> View {
    func axis(_ offset: Double, _ surface: Int, _ buffer: Int) -> (place: Int, source: Double) {
      let whole = offset.rounded(.down)
      let source = (Double(surface) + whole - offset) * scale - Double(buffer)
      return (surface + Int(whole), source)
    }
    let (x, y) = (axis(x, surface.x, buffer.x), axis(y, surface.y, buffer.y))
    return View(
      x: x.place, y: y.place, sourceX: x.source, sourceY: y.source,
      sourceWidth: Double(surface.width) * scale, sourceHeight: Double(surface.height) * scale)
  }
}
