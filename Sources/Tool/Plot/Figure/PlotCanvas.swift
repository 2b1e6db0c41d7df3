// SPDX-License-Identifier: Apache-2.0

/// A point on a plot, px: x to the right, y down.
struct PlotPoint: Equatable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle on a plot, px.
struct PlotRect: Equatable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
}

/// A font size in px, and whether the text is bold.
struct PlotFont: Equatable, Sendable {
  var size: Double
  var isBold = false
}

/// Where plots are drawn: Cairo, or a list in tests.
protocol PlotCanvas {
  /// Returns the width of a text, px.
  func width(of text: String, _ font: PlotFont) -> Double
  /// Fills rectangles that do not overlap.
  ///
  /// - Parameter clip: The rectangle outside of which nothing is drawn.
  func fill(_ rects: [PlotRect], _ color: PlotColor, clip: PlotRect?)
  /// Draws lines through points, each list on its own. A list with one point is a dot.
  ///
  /// - Parameters:
  ///   - dash: The length of dashes, px; 0 draws solid lines.
  ///   - clip: The rectangle outside of which nothing is drawn.
  func stroke(
    _ lines: [[PlotPoint]], width: Double, _ color: PlotColor, dash: Double, clip: PlotRect?)
  /// Draws a text whose base line begins at a point.
  func draw(_ text: String, at point: PlotPoint, _ font: PlotFont, _ color: PlotColor)
}

extension PlotCanvas {
  func fill(_ rect: PlotRect, _ color: PlotColor) { fill([rect], color, clip: nil) }
}

/// The width and height of a plot, px.
struct PlotSize: Equatable, Sendable {
  var width: Int
  var height: Int

  static let standard = PlotSize(width: 1200, height: 700)
  static let widths = 320...8000
  static let heights = 240...8000
}
