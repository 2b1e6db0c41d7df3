// SPDX-License-Identifier: Apache-2.0

import CCairo
import Glibc

/// The form of a plot in a file.
enum PlotFileFormat: String, CaseIterable, Sendable {
  case svg
  case png

  /// Returns the format that the ending of a path names; nil for any other ending.
  init?(path: String) {
    guard let dot = path.lastIndex(of: "."),
      let format = PlotFileFormat(rawValue: path[path.index(after: dot)...].lowercased())
    else { return nil }
    self = format
  }
}

/// A plot cannot be drawn.
struct PlotError: Error, Equatable, Sendable {
  let message: String
}

/// A surface of Cairo: an SVG document, or an image that becomes a PNG document or pixels.
final class CairoSurface: PlotCanvas {
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let bytes = ByteList()
  private let format: PlotFileFormat
  private let size: PlotSize

  /// - Throws: `PlotError` if Cairo has no memory.
  init(_ format: PlotFileFormat, size: PlotSize) throws(PlotError) {
    self.format = format
    self.size = size
    let surface = Self.makeSurface(format, size, writingTo: bytes)
    guard let surface, let context = Self.makeContext(surface) else {
      throw PlotError(message: "Cairo has no memory for the plot; choose a smaller --plot-size")
    }
    self.surface = surface
    self.context = context
  }

  /// Returns an SVG document in px, or an image of 32 bits per pixel.
  private static func makeSurface(
    _ format: PlotFileFormat, _ size: PlotSize, writingTo bytes: ByteList
  ) -> OpaquePointer? {
    switch format {
    case .svg:
      let surface = cairo_svg_surface_create_for_stream(
        ByteList.writer, Unmanaged.passUnretained(bytes).toOpaque(), Double(size.width),
        Double(size.height))
      cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
      return surface
    case .png:
      return cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height))
    }
  }

  /// Returns a context with round lines and text that is placed alike on every machine.
  private static func makeContext(_ surface: OpaquePointer) -> OpaquePointer? {
    guard let context = cairo_create(surface) else { return nil }
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
    return context
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Ends the drawing and returns the document.
  func document() throws(PlotError) -> [UInt8] {
    try check(cairo_status(context))
    if format == .png {
      try check(
        cairo_surface_write_to_png_stream(
          surface, ByteList.writer, Unmanaged.passUnretained(bytes).toOpaque()))
    }
    cairo_surface_finish(surface)
    try check(cairo_surface_status(surface))
    return bytes.content
  }

  /// Ends the drawing and returns the pixels of an image from left to right and top to bottom, each
  /// 0xAARRGGBB.
  func pixels() throws(PlotError) -> [UInt32] {
    try check(cairo_status(context))
    cairo_surface_flush(surface)
    guard format == .png, let rows = cairo_image_surface_get_data(surface) else {
      throw PlotError(message: "Cairo has no memory for the plot; choose a smaller --plot-size")
    }
    let memory = UnsafeRawPointer(rows)
    let stride = Int(cairo_image_surface_get_stride(surface))
    return (0..<size.height).flatMap { y in
      (0..<size.width).map { x in
        memory.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
      }
    }
  }

  private func check(_ status: cairo_status_t) throws(PlotError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "unknown"
    throw PlotError(message: "Cairo cannot draw the plot: \(reason); choose a smaller --plot-size")
  }

  // MARK: - PlotCanvas

  func width(of text: String, _ font: PlotFont) -> Double {
    use(font)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  func fill(_ rects: [PlotRect], _ color: PlotColor, clip: PlotRect?) {
    begin(clip)
    use(color)
    for rect in rects {
      cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
    }
    cairo_fill(context)
    end(clip)
  }

  func stroke(
    _ lines: [[PlotPoint]], width: Double, _ color: PlotColor, dash: Double, clip: PlotRect?
  ) {
    guard !lines.isEmpty else { return }
    begin(clip)
    use(color)
    for line in lines {
      guard let first = line.first else { continue }
      cairo_move_to(context, first.x, first.y)
      // A line of no length is a dot, because ends are round.
      for point in line.count > 1 ? line[1...] : line[...] {
        cairo_line_to(context, point.x, point.y)
      }
    }
    cairo_set_dash(context, [dash, dash], dash > 0 ? 2 : 0, 0)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
    end(clip)
  }

  func draw(_ text: String, at point: PlotPoint, _ font: PlotFont, _ color: PlotColor) {
    use(color)
    use(font)
    cairo_move_to(context, point.x, point.y)
    cairo_show_text(context, text)
  }

  /// Limits drawing to a rectangle until `end`.
  private func begin(_ clip: PlotRect?) {
    guard let clip else { return }
    cairo_save(context)
    cairo_rectangle(context, clip.x, clip.y, clip.width, clip.height)
    cairo_clip(context)
  }

  private func end(_ clip: PlotRect?) {
    if clip != nil { cairo_restore(context) }
  }

  private func use(_ font: PlotFont) {
    cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, font.size)
  }

  private func use(_ color: PlotColor) {
    cairo_set_source_rgba(
      context, color.component(16), color.component(8), color.component(0), color.alpha)
  }
}

/// The bytes that Cairo has written.
private final class ByteList {
  var content: [UInt8] = []

  static let writer: cairo_write_func_t = { closure, data, length in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    Unmanaged<ByteList>.fromOpaque(closure).takeUnretainedValue().content
      .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}
