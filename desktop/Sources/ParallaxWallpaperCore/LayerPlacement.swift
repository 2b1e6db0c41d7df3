// SPDX-License-Identifier: Apache-2.0

/// How a layer's pixels become a surface that moves by fractions of a pixel.
///
/// A surface is placed at whole logical px only, and where that is a part of a physical pixel, compositors round
/// and the picture trembles. So it moves in steps that are whole in both, and the rest of an offset shifts
/// what the surface shows of its buffer, which is a step wider than the surface.
///
/// What is beyond the output's area is cut off. Beside it there may be a panel, and compositors with a scene of all
/// outputs would show it on the next one.
package struct LayerPlacement: Sendable {
  /// What the buffer has of the picture, in physical pixels relative to the output's corner.
  package let buffer: PixelRect
  /// Where the buffer's corner is, in buffer pixels from the output's corner.
  private let origin: (x: Double, y: Double)
  /// The surface at rest, in logical px.
  package let surface: PixelRect
  /// The step of the surface's place, in logical px.
  package let step: Int
  /// The output's area, in logical px.
  private let area: PixelRect
  /// Buffer pixels per logical px.
  private let scale: Double

  /// - Parameter content: The part of the picture with the layer's pixels, in the picture's own pixels.
  package init(_ fit: Fit, content: PixelRect) {
    let scale = fit.scale
    let step = OutputScale.wholeStep(scale)
    self.scale = scale
    self.step = step
    area = fit.area
    func axis(_ start: Int, _ length: Int) -> (surface: Int, size: Int, buffer: Int, count: Int) {
      let grid = Double(step)
      let first = Int((Double(start) / scale / grid).rounded(.down)) * step
      let last = Int((Double(start + length) / scale / grid).rounded(.up)) * step
      let size = max(step, last - first)
      let buffer = Int((Double(first) * scale).rounded(.down))
      let end = Int((Double(first + size + step) * scale).rounded(.up))
      return (first, size, buffer, end - buffer)
    }
    let x = axis(content.x + fit.picture.x, content.width)
    let y = axis(content.y + fit.picture.y, content.height)
    surface = PixelRect(x: x.surface, y: y.surface, width: x.size, height: y.size)
    buffer = PixelRect(x: x.buffer, y: y.buffer, width: x.count, height: y.count)
    origin = (Double(buffer.x), Double(buffer.y))
  }

  /// Places the pixels of a layer on an output that has another size or scale now: stretched, until they are
  /// drawn again. What was shown covers the output, since there is nothing beyond it.
  ///
  /// - Parameters:
  ///   - drawn: The layer's placement as it was drawn.
  ///   - old: The fit that it was drawn for.
  ///   - new: The same picture's fit now.
  package init(stretching drawn: LayerPlacement, from old: Fit, to new: Fit) {
    func pixels(_ length: Int, _ fit: Fit) -> Double { Double(length) * fit.scale }
    let (oldWidth, newWidth) = (pixels(old.outputWidth, old), pixels(new.outputWidth, new))
    let (oldHeight, newHeight) = (pixels(old.outputHeight, old), pixels(new.outputHeight, new))
    let stretch = max(newWidth / oldWidth, newHeight / oldHeight)
    let scale = new.scale / stretch
    self.scale = scale
    step = 1
    area = new.area
    buffer = drawn.buffer
    let origin = (
      x: Double(buffer.x) - oldWidth / 2 + newWidth / 2 / stretch,
      y: Double(buffer.y) - oldHeight / 2 + newHeight / 2 / stretch
    )
    self.origin = origin
    // Whole logical px within the buffer, and a step less, which the offset shifts.
    func axis(_ origin: Double, _ count: Int) -> (start: Int, size: Int) {
      let first = Int((origin / scale).rounded(.up))
      let last = Int(((origin + Double(count)) / scale).rounded(.down)) - 1
      return (first, max(1, last - first))
    }
    let x = axis(origin.x, buffer.width)
    let y = axis(origin.y, buffer.height)
    surface = PixelRect(x: x.start, y: y.start, width: x.size, height: y.size)
  }

  /// A surface's place and size, in logical px, and the part of its buffer that it shows, in buffer pixels.
  package struct View: Equatable, Sendable {
    package var surface: PixelRect
    package var sourceX: Double
    package var sourceY: Double
    package var sourceWidth: Double
    package var sourceHeight: Double
  }

  /// Returns the view at an offset of the layer, in logical px; nil if it is outside of the output. The source
  /// has the 1/256 pixels of Wayland's protocol, and is within the buffer.
  package func view(x: Double, y: Double) -> View? {
    func whole(_ offset: Double) -> Int { Int((offset / Double(step)).rounded(.up)) * step }
    var moved = surface
    moved.x += whole(x)
    moved.y += whole(y)
    let shown = moved.intersection(area)
    guard !shown.isEmpty else { return nil }
    func axis(
      _ offset: Double, _ shown: Int, _ length: Int, _ origin: Double, _ buffer: Int
    ) -> (source: Double, size: Double) {
      func part(_ value: Double) -> Double { (value * 256).rounded() / 256 }
      let size = min(part(Double(length) * scale), Double(buffer))
      let source = part((Double(shown) - offset) * scale - origin)
      return (min(max(0, source), Double(buffer) - size), size)
    }
    let horizontal = axis(x, shown.x, shown.width, origin.x, buffer.width)
    let vertical = axis(y, shown.y, shown.height, origin.y, buffer.height)
    return View(
      surface: shown, sourceX: horizontal.source, sourceY: vertical.source,
      sourceWidth: horizontal.size, sourceHeight: vertical.size)
  }
}
