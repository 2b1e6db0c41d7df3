// SPDX-License-Identifier: Apache-2.0

/// What a terminal shows.
struct TextStyle: Equatable, Sendable {
  /// Characters per line, and lines.
  var columns = 80
  var rows = 24
  /// Whether characters beyond ASCII are shown.
  var isUnicode = true
  var hasColors = false

  static let minColumns = 40
  static let minRows = 12
}

/// A figure as text.
struct TextPlot {
  private let figure: PlotFigure
  private let style: TextStyle
  private let columns: Int
  private let gutter: Int
  private let axes: [PlotAxis]
  /// Lines of dots of each panel.
  private let rows: Int

  /// The terminal's own colors, so that they suit its background: blue, yellow, green, magenta, cyan, red and
  /// white.
  private static let colors = [94, 33, 32, 35, 36, 91, 37]

  init(_ figure: PlotFigure, style: TextStyle) {
    self.figure = figure
    self.style = style
    let columns = max(TextStyle.minColumns, style.columns)
    let lines = max(TextStyle.minRows, style.rows)
    let footers = [figure.gapText, figure.dropText].count { !$0.isEmpty }
    // Title, facts, time axis with its labels, and footers; each panel has a heading and the first a line of drops.
    let around = 5 + footers + figure.panels.count + (figure.dropText.isEmpty ? 0 : 1)
    rows = max(3, (lines - around) / max(1, figure.panels.count))
    let rows = rows
    axes = figure.panels.map { figure.valueAxis(of: $0, maxTicks: max(2, rows / 2)) }
    gutter = 1 + (axes.flatMap(\.ticks).map(\.label.count).max() ?? 0)
    self.columns = columns
  }

  /// The lines of the plot, each with a line feed.
  var text: String {
    var lines = [cut(figure.title, columns)]
    lines += wrapped(figure.facts)
    let width = columns - gutter - 1
    for (number, (panel, axis)) in zip(figure.panels, axes).enumerated() {
      lines.append(heading(panel))
      lines += body(panel, axis, width)
      if number == 0, !figure.dropText.isEmpty { lines.append(drops(width)) }
    }
    lines += timeAxis(width)
    if !figure.gapText.isEmpty { lines.append("\(style.isUnicode ? "░" : "/") \(figure.gapText)") }
    if !figure.dropText.isEmpty { lines.append("^ \(figure.dropText)") }
    return lines.map { Self.withoutTrailingSpaces($0) + "\n" }.joined()
  }

  // MARK: - Panels

  private func heading(_ panel: PlotPanel) -> String {
    let names = panel.signals.map { ($0.name, $0.color) }
    let legend = names.reduce(0) { $0 + $1.0.count + 5 }
    let title = cut(panel.shade.map { "\(panel.title) (\($0))" } ?? panel.title, columns - legend)
    var line = title + String(repeating: " ", count: max(0, columns - legend - title.count))
    for (name, color) in names {
      line += "  " + colored((style.isUnicode ? "━━" : "--"), color) + " " + name
    }
    return line
  }

  private func body(_ panel: PlotPanel, _ axis: PlotAxis, _ width: Int) -> [String] {
    var canvas = DotCanvas<Int>(columns: width, rows: rows, isBraille: style.isUnicode)
    let height = canvas.height
    func dot(_ value: Double) -> Int {
      let share = min(max(axis.share(of: value), -4), 4)
      return Int(((1 - share) * Double(height - 1)).rounded())
    }
    let down = canvas.dotsDown
    func row(_ value: Double) -> Int { Int((Double(dot(value)) / Double(down)).rounded(.down)) }
    let drawn = panel.signals.map { signal in
      let columns = figure.envelopes[signal.envelope].columns(
        pixels: canvas.width, span: figure.span)
      return EnvelopeLines.lines(columns, lane: signal.lane) { index, value in
        PlotPoint(Double(index), Double(dot(value)))
      }
    }
    // Below all lines. ASCII has too few dots for both.
    if style.isUnicode {
      for (number, lines) in drawn.enumerated() {
        for line in lines {
          fill(line, to: dot(0), number, panel.signals[number].color, &canvas)
        }
      }
    }
    for (signal, lines) in zip(panel.signals, drawn) {
      for line in lines {
        for (index, point) in line.enumerated() {
          let before = line[max(0, index - 1)]
          canvas.line(
            from: (before.x.rounded(.down), before.y), to: (point.x.rounded(.down), point.y),
            signal.color)
        }
      }
    }
    let marks = figure.envelopes[0].columns(pixels: width, span: figure.span).map(\.marks)
    let parts = Set(figure.parts.map { partColumn($0, width) })
    let limits = Set(
      panel.limits.filter { (axis.low...axis.high).contains($0.value) }.map { row($0.value) })
    let zero = row(0)
    let labels = Dictionary(
      axis.ticks.map { (row($0.value), $0.label) }, uniquingKeysWith: { first, _ in first })
    return (0..<rows).map { y in
      let label = labels[y] ?? ""
      var line = String(repeating: " ", count: gutter - 1 - label.count) + label
      line += style.isUnicode ? (label.isEmpty ? "│" : "┤") : "|"
      for x in 0..<width {
        if let cell = canvas.cell(row: y, column: x) {
          line += colored(String(cell.scalar), cell.ink)
        } else if limits.contains(y) {
          line += style.isUnicode ? "╌" : "="
        } else if marks[x].contains(.gap) {
          line += style.isUnicode ? "░" : "/"
        } else if parts.contains(x) {
          line += style.isUnicode ? "┆" : "|"
        } else if y == zero {
          line += style.isUnicode ? "·" : "-"
        } else {
          line += " "
        }
      }
      return line
    }
  }

  /// Fills the area between a line and a height with sparse dots. Each signal has dots of its own, so that two
  /// areas on top of each other are both seen.
  private func fill(
    _ line: [PlotPoint], to zero: Int, _ number: Int, _ color: Int, _ canvas: inout DotCanvas<Int>
  ) {
    for (from, to) in zip(line, line.dropFirst()) where to.x > from.x {
      for x in Int(from.x)...Int(to.x) {
        let height = from.y + (to.y - from.y) * (Double(x) - from.x) / (to.x - from.x)
        let (top, bottom) = (min(Int(height), zero), max(Int(height), zero))
        let visible = max(0, top)..<max(0, top, min(canvas.height, bottom + 1))
        for y in visible where (x + 2 * y + number) % 4 == 0 { canvas.set(x, y, color) }
      }
    }
  }

  private func partColumn(_ part: PlotPart, _ width: Int) -> Int {
    let share = part.seconds / max(figure.span.seconds, 1e-9)
    return min(width - 1, Int(share * Double(width)))
  }

  private func drops(_ width: Int) -> String {
    let marks = figure.envelopes[0].columns(pixels: width, span: figure.span).map(\.marks)
    return String(repeating: " ", count: gutter)
      + marks.map { $0.contains(.dropped) ? "^" : " " }.joined()
  }

  /// Returns a line with a tick for each label, and the labels with the unit.
  private func timeAxis(_ width: Int) -> [String] {
    let axis = figure.timeAxis(maxTicks: max(2, width / 12))
    let unit = figure.timeUnit
    let name = !style.isUnicode && unit == .microseconds ? "us" : unit.rawValue
    var line = Array(repeating: Character(" "), count: columns)
    var ruler = Array(repeating: Character(style.isUnicode ? "─" : "-"), count: width)
    var end = 0
    for tick in axis.ticks {
      let place = gutter + Int((axis.share(of: tick.value) * Double(width - 1)).rounded())
      let start = max(0, place - tick.label.count / 2)
      guard start >= end, start + tick.label.count < columns - name.count - 1 else { continue }
      line.replaceSubrange(start..<start + tick.label.count, with: tick.label)
      ruler[place - gutter] = style.isUnicode ? "┬" : "+"
      end = start + tick.label.count + 1
    }
    line.replaceSubrange(columns - name.count..<columns, with: name)
    let corner = String(repeating: " ", count: gutter - 1) + (style.isUnicode ? "└" : "+")
    return [corner + String(ruler), String(line)]
  }

  // MARK: - Text

  private func colored(_ text: String, _ number: Int) -> String {
    guard style.hasColors, number >= 0 else { return text }
    return "\u{1B}[\(Self.colors[number % Self.colors.count])m\(text)\u{1B}[39m"
  }

  /// Sets facts in at most two lines.
  private func wrapped(_ facts: [String]) -> [String] {
    var lines: [String] = []
    for fact in facts {
      if let last = lines.last, last.count + 2 + fact.count <= columns {
        lines[lines.count - 1] = "\(last), \(fact)"
      } else {
        lines.append(cut(fact, columns))
      }
    }
    return Array(lines.prefix(2))
  }

  private func cut(_ text: String, _ count: Int) -> String {
    let plain = style.isUnicode ? text : String(text.map { $0.isASCII ? $0 : "?" })
    return plain.count <= count ? plain : String(plain.prefix(max(0, count - 3))) + "..."
  }

  private static func withoutTrailingSpaces(_ line: String) -> Substring {
    guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
    return line[...last]
  }
}
