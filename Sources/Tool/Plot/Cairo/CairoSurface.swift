// SPDX-License-Identifier: Apache-2.0

import CCairo
import Glibc

/// The form of a plot in a file.
package enum PlotFileFormat: String, CaseIterable, Sendable {
  case svg
  case png

  /// Returns the format that the ending of a path names; nil for any other ending.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: "."),
      let format = PlotFileFormat(rawValue: path[path.index(after: dot)...].lowercased())
    else { return nil }
    self = format
  }
}

/// A plot cannot be drawn.
package struct PlotError: Error, Equatable, Sendable {
  package let message: String
}

/// A surface of Cairo: an SVG document, or an image that becomes a PNG document or pixels.
package final class CairoSurface: PlotCanvas {
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let bytes = ByteList()
  private let format: PlotFileFormat
  private let size: PlotSize

  /// - Throws: `PlotError` if Cairo is not installed or has no memory.
  package init(_ format: PlotFileFormat, size: PlotSize) throws(PlotError) {
    if let reason = parallax_cairo_load() {
      throw PlotError(
        message: "Cairo is missing (\(String(cString: reason))); install libcairo2")
    }
    self.format = format
    self.size = size
    let surface =
      switch format {
      case .svg:
        parallax_cairo_svg(
          ByteList.writer, Unmanaged.passUnretained(bytes).toOpaque(), Double(size.width),
          Double(size.height))
      case .png: parallax_cairo_image(Int32(size.width), Int32(size.height))
      }
    guard let surface, let context = parallax_cairo_create(surface) else {
      throw PlotError(message: "Cairo has no memory for the plot; choose a smaller --plot-size")
    }
    self.surface = surface
    self.context = context
  }

  deinit {
    parallax_cairo_destroy(context)
    parallax_cairo_surface_destroy(surface)
  }

  /// Ends the drawing and returns the document.
  package func document() throws(PlotError) -> [UInt8] {
    try check(parallax_cairo_status(context))
    if format == .png {
      try check(
        parallax_cairo_write_png(
          surface, ByteList.writer, Unmanaged.passUnretained(bytes).toOpaque()))
    }
    try check(parallax_cairo_surface_finish(surface))
    return bytes.content
  }

  /// Ends the drawing and returns the pixels of an image from left to right and top to bottom, each
  /// 0xAARRGGBB.
  package func pixels() throws(PlotError) -> [UInt32] {
    try check(parallax_cairo_status(context))
    var stride: Int32 = 0
    guard format == .png, let rows = parallax_cairo_image_rows(surface, &stride) else {
      throw PlotError(message: "Cairo has no memory for the plot; choose a smaller --plot-size")
    }
    let memory = UnsafeRawPointer(rows)
    return (0..<size.height).flatMap { y in
      (0..<size.width).map { x in
        memory.load(fromByteOffset: y * Int(stride) + x * 4, as: UInt32.self)
      }
    }
  }

  private func check(_ status: cairo_status_t) throws(PlotError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    let reason = parallax_cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
    throw PlotError(message: "Cairo cannot draw the plot: \(reason); choose a smaller --plot-size")
  }

  // MARK: - PlotCanvas

  package func width(of text: String, _ font: PlotFont) -> Double {
    parallax_cairo_set_font(context, font.size, font.isBold ? 1 : 0)
    return parallax_cairo_text_width(context, text)
  }

  package func fill(_ rects: [PlotRect], _ color: PlotColor, clip: PlotRect?) {
    if let clip {
      parallax_cairo_begin_clip(context, clip.x, clip.y, clip.width, clip.height)
    }
    use(color)
    for rect in rects {
      parallax_cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
    }
    parallax_cairo_fill(context)
    if clip != nil { parallax_cairo_end_clip(context) }
  }

  package func stroke(
    _ lines: [[PlotPoint]], width: Double, _ color: PlotColor, dash: Double, clip: PlotRect?
  ) {
    guard !lines.isEmpty else { return }
    if let clip {
      parallax_cairo_begin_clip(context, clip.x, clip.y, clip.width, clip.height)
    }
    use(color)
    for line in lines {
      guard let first = line.first else { continue }
      parallax_cairo_move_to(context, first.x, first.y)
      // A line of no length is a dot, because ends are round.
      for point in line.count > 1 ? line[1...] : line[...] {
        parallax_cairo_line_to(context, point.x, point.y)
      }
    }
    parallax_cairo_stroke(context, width, dash)
    if clip != nil { parallax_cairo_end_clip(context) }
  }

  package func draw(_ text: String, at point: PlotPoint, _ font: PlotFont, _ color: PlotColor) {
    use(color)
    parallax_cairo_set_font(context, font.size, font.isBold ? 1 : 0)
    parallax_cairo_move_to(context, point.x, point.y)
    parallax_cairo_show_text(context, text)
  }

  private func use(_ color: PlotColor) {
    parallax_cairo_set_color(
      context, color.component(16), color.component(8), color.component(0), color.alpha)
  }
}

/// The bytes that Cairo has written.
private final class ByteList {
  var content: [UInt8] = []

  static let writer: parallax_cairo_writer = { closure, data, length in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    Unmanaged<ByteList>.fromOpaque(closure).takeUnretainedValue().content
      .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}
