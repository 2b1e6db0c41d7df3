// SPDX-License-Identifier: Apache-2.0

/// How a layer's pixels become a surface that moves by fractions of a pixel.
///
/// A surface is placed at whole logical px only, and where that is a part of a physical pixel, compositors round
/// and the picture trembles. So it moves in steps that are whole in both, and the rest of an offset shifts
/// what the surface shows of its buffer, which is a step wider than the surface.
package struct LayerPlacement: Equatable, Sendable {
  /// What the buffer has of the picture, in physical pixels relative to the output's corner.
  package let buffer: PixelRect
  /// The surface at rest, in logical px.
  package let surface: PixelRect
  /// The step of the surface's place, in logical px.
  package let step: Int
  private let scale: Double

  /// - Parameter content: The part of the picture with the layer's pixels, in the picture's own pixels.
  package init(_ fit: Fit, content: PixelRect) {
    let scale = fit.scale
    let step = OutputScale.wholeStep(scale)
    self.scale = scale
    self.step = step
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

  /// Returns the view at an offset of the layer, in logical px. The source has the 1/256 pixels of Wayland's
  /// protocol, and is within the buffer.
  package func view(x: Double, y: Double) -> View {
    func part(_ value: Double) -> Double { (value * 256).rounded() / 256 }
    let width = part(Double(surface.width) * scale)
    let height = part(Double(surface.height) * scale)
    func axis(
      _ offset: Double, _ surface: Int, _ buffer: Int, most: Double
    ) -> (place: Int, source: Double) {
      let whole = (offset / Double(step)).rounded(.up) * Double(step)
      let source = (Double(surface) + whole - offset) * scale - Double(buffer)
      return (surface + Int(whole), min(max(0, part(source)), most))
    }
    let horizontal = axis(x, surface.x, buffer.x, most: Double(buffer.width) - width)
    let vertical = axis(y, surface.y, buffer.y, most: Double(buffer.height) - height)
    return View(
      x: horizontal.place, y: vertical.place, sourceX: horizontal.source, sourceY: vertical.source,
      sourceWidth: width, sourceHeight: height)
  }
}
