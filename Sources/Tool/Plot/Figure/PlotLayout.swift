// SPDX-License-Identifier: Apache-2.0

/// Where the parts of a figure are on a plot of a given size.
struct PlotLayout {
  let size: PlotSize
  /// The size of most texts, px.
  let fontSize: Double
  let title: PlotFont
  let text: PlotFont
  let small: PlotFont
  let margin: Double
  /// The facts below the title, one string per line.
  let factLines: [String]
  let panels: [Panel]
  let time: PlotAxis
  let timeUnit: PlotTimeUnit

  struct Panel {
    /// The base line of the panel's title and its legend.
    let headingY: Double
    /// The area of the signals.
    let area: PlotRect
    let axis: PlotAxis
  }

  /// The area of the lowest panel, below which the time axis is.
  var bottomArea: PlotRect { panels[panels.count - 1].area }

  /// Whole pixels from the left edge of the panels to the right one.
  var columns: Int { Int(bottomArea.width) }

  init(_ figure: PlotFigure, size: PlotSize, canvas: some PlotCanvas) {
    self.size = size
    let (width, height) = (Double(size.width), Double(size.height))
    fontSize = min(max(min(width / 66, height / 42), 9), 14)
    let (fontSize, text, small) = (
      fontSize, PlotFont(size: fontSize), PlotFont(size: fontSize * 0.9)
    )
    (self.text, self.small) = (text, small)
    title = PlotFont(size: (fontSize * 1.25).rounded(), isBold: true)
    margin = (fontSize * 1.2).rounded()
    factLines = Self.lines(figure.facts, width: width - 2 * margin, small, canvas)

    let lineHeight = fontSize * 1.4
    let top = margin + title.size + Double(factLines.count) * lineHeight
    let footer = lineHeight * 3
    let heading = fontSize * 2.2
    let count = Double(figure.panels.count)
    let panelHeight = ((height - top - footer) / count - heading).rounded(.down)
    let axes = figure.panels.map {
      figure.valueAxis(of: $0, maxTicks: max(2, Int(panelHeight / (fontSize * 2.6))))
    }
    let labels = axes.flatMap(\.ticks).map { canvas.width(of: $0.label, text) }
    let left = (margin + (labels.max() ?? 0) + fontSize * 0.7).rounded(.up)
    let limitWidth = figure.panels.flatMap(\.limits).map { canvas.width(of: $0.label, small) }.max()
    let right = width - margin - (limitWidth.map { ($0 + fontSize * 0.4).rounded(.up) } ?? 0)
    let area = max(16, right - left)
    var y = top
    panels = axes.map { axis in
      let rect = PlotRect(
        x: left, y: (y + heading).rounded(), width: area.rounded(.down),
        height: max(16, panelHeight))
      y += heading + panelHeight
      return Panel(headingY: (rect.y - fontSize * 0.55).rounded(), area: rect, axis: axis)
    }
    time = figure.timeAxis(maxTicks: max(2, Int(area / (fontSize * 6))))
    timeUnit = figure.timeUnit
  }

  /// Sets facts in lines, separated by dots.
  private static func lines(
    _ facts: [String], width: Double, _ font: PlotFont, _ canvas: some PlotCanvas
  ) -> [String] {
    var lines: [String] = []
    for fact in facts {
      if let last = lines.last, canvas.width(of: "\(last)  ·  \(fact)", font) <= width {
        lines[lines.count - 1] = "\(last)  ·  \(fact)"
      } else {
        lines.append(cut(fact, width: width, font, canvas))
      }
    }
    return lines
  }

  /// Returns the text, shortened in its middle unless it fits.
  static func cut(
    _ text: String, width: Double, _ font: PlotFont, _ canvas: some PlotCanvas
  ) -> String {
    guard canvas.width(of: text, font) > width else { return text }
    var kept = min(text.count - 1, 400)
    while kept > 2 {
      let shorter = text.prefix(kept / 2) + "…" + text.suffix(kept - kept / 2)
      if canvas.width(of: String(shorter), font) <= width { return String(shorter) }
      kept -= 1
    }
    return "…"
  }
}
