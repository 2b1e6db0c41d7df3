// SPDX-License-Identifier: Apache-2.0

/// A point on a plot, px: x to the right, y down.
package struct PlotPoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle on a plot, px.
package struct PlotRect: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var right: Double { x + width }
  package var bottom: Double { y + height }
}

/// A font size in px, and whether the text is bold.
package struct PlotFont: Equatable, Sendable {
  package var size: Double
  package var isBold = false

  package init(size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }
}

/// Where plots are drawn: Cairo, or a list in tests.
package protocol PlotCanvas {
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
package struct PlotSize: Equatable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package static let standard = PlotSize(width: 1200, height: 700)
  package static let widths = 320...8000
  package static let heights = 240...8000
}
