// SPDX-License-Identifier: Apache-2.0

/// Draws a figure on a canvas.
struct PlotDrawing<Canvas: PlotCanvas> {
  private let figure: PlotFigure
  private let theme: PlotTheme
  private let canvas: Canvas
  private let layout: PlotLayout

  /// The mean length of a signal's bars from which bars are clearer than lines, px.
  private static var minBarLength: Double { 10 }

  init(_ figure: PlotFigure, size: PlotSize, theme: PlotTheme, canvas: Canvas) {
    self.figure = figure
    self.theme = theme
    self.canvas = canvas
    layout = PlotLayout(figure, size: size, canvas: canvas)
  }

  func draw() {
    let size = layout.size
    canvas.fill(
      PlotRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
      theme.background)
    drawTitle()
    let columns = figure.envelopes.map { $0.columns(pixels: layout.columns, span: figure.span) }
    for (number, (panel, place)) in zip(figure.panels, layout.panels).enumerated() {
      drawGrid(panel, place)
      drawMarks(columns.first ?? [], place.area, drawsDrops: number == 0)
      drawParts(place.area)
      drawLimits(panel, place)
      drawSignals(panel, place, columns)
      drawHeading(panel, place)
    }
    drawTimeAxis()
    drawFooter()
  }

  // MARK: - Text around the panels

  private func drawTitle() {
    let width = Double(layout.size.width) - 2 * layout.margin
    var y = (layout.margin + layout.title.size * 0.75).rounded()
    canvas.draw(
      PlotLayout.cut(figure.title, width: width, layout.title, canvas),
      at: PlotPoint(layout.margin, y), layout.title, theme.text)
    for line in layout.factLines {
      y += layout.fontSize * 1.4
      canvas.draw(line, at: PlotPoint(layout.margin, y), layout.small, theme.faintText)
    }
  }

  private func drawHeading(_ panel: PlotPanel, _ place: PlotLayout.Panel) {
    let (area, gap) = (place.area, layout.fontSize)
    // The legend from right to left.
    var x = area.right
    let room = area.width * 0.8 / Double(max(1, panel.signals.count)) - gap * 3
    for signal in panel.signals.reversed() {
      let name = PlotLayout.cut(signal.name, width: room, layout.text, canvas)
      x -= canvas.width(of: name, layout.text)
      canvas.draw(name, at: PlotPoint(x, place.headingY), layout.text, theme.text)
      let y = place.headingY - layout.fontSize * 0.32
      let (from, to) = (PlotPoint(x - gap * 2, y), PlotPoint(x - gap * 0.5, y))
      canvas.stroke(
        [[from, to]], width: layout.fontSize * 0.24, theme.signal(signal.color), dash: 0, clip: nil)
      x -= gap * 3
    }
    let title = PlotLayout.cut(
      panel.title, width: max(gap, x - area.x), PlotFont(size: layout.fontSize, isBold: true),
      canvas)
    canvas.draw(
      title, at: PlotPoint(area.x, place.headingY),
      PlotFont(size: layout.fontSize, isBold: true), theme.text)
  }

  private func drawTimeAxis() {
    let area = layout.bottomArea
    let y = (area.bottom + layout.fontSize * 1.4).rounded()
    let unit = layout.timeUnit.rawValue
    var end = -Double.infinity
    let unitWidth = canvas.width(of: unit, layout.text)
    for tick in layout.time.ticks {
      let x = area.x + area.width * layout.time.share(of: tick.value)
      let width = canvas.width(of: tick.label, layout.text)
      let left = x - width / 2
      // The unit is at the right end.
      guard left > end + layout.fontSize * 0.6,
        left + width < area.right - unitWidth - layout.fontSize * 0.6
      else { continue }
      canvas.draw(tick.label, at: PlotPoint(left, y), layout.text, theme.faintText)
      end = left + width
    }
    canvas.draw(
      unit, at: PlotPoint(area.right - unitWidth, y), layout.text, theme.faintText)
  }

  /// The meaning of gaps and dropped rows.
  private func drawFooter() {
    let size = layout.fontSize
    let y = (Double(layout.size.height) - layout.margin * 0.8).rounded()
    var x = layout.bottomArea.x
    for (text, color, isDrop) in [
      (figure.gapText, theme.gap, false), (figure.dropText, theme.drop, true),
    ] where !text.isEmpty {
      let height = size * 0.8
      if isDrop {
        let line = [PlotPoint(x + size * 0.5, y), PlotPoint(x + size * 0.5, y - height)]
        canvas.stroke([line], width: 1.5, color, dash: 0, clip: nil)
      } else {
        canvas.fill(PlotRect(x: x, y: y - height, width: size, height: height), color)
      }
      x += size * 1.5
      let room = Double(layout.size.width) - layout.margin - x
      let shown = PlotLayout.cut(text, width: max(size, room), layout.small, canvas)
      canvas.draw(shown, at: PlotPoint(x, y), layout.small, theme.faintText)
      x += canvas.width(of: shown, layout.small) + size * 2
    }
  }

  // MARK: - In a panel

  private func drawGrid(_ panel: PlotPanel, _ place: PlotLayout.Panel) {
    let area = place.area
    canvas.fill(area, theme.panel)
    var lines: [[PlotPoint]] = []
    for tick in layout.time.ticks {
      let x = Self.sharp(area.x + area.width * layout.time.share(of: tick.value))
      lines.append([PlotPoint(x, area.y), PlotPoint(x, area.bottom)])
    }
    for tick in place.axis.ticks {
      let y = Self.sharp(self.y(of: tick.value, place))
      let line = [PlotPoint(area.x, y), PlotPoint(area.right, y)]
      if tick.value.magnitude < 1e-300 || tick.label == "0" {
        canvas.stroke([line], width: 1, theme.zero, dash: 0, clip: nil)
      } else {
        lines.append(line)
      }
      let width = canvas.width(of: tick.label, layout.text)
      canvas.draw(
        tick.label,
        at: PlotPoint(area.x - layout.fontSize * 0.5 - width, y + layout.fontSize * 0.35),
        layout.text, theme.faintText)
    }
    canvas.stroke(lines, width: 1, theme.grid, dash: 0, clip: nil)
    if let shade = panel.shade {
      canvas.fill(area, theme.shade)
      let width = canvas.width(of: shade, layout.small)
      canvas.draw(
        shade,
        at: PlotPoint(area.right - width - layout.fontSize * 0.5, area.y + layout.fontSize * 1.3),
        layout.small, theme.text)
    }
  }

  /// Draws gaps as bands, and dropped rows as ticks that rise from the lower edge.
  private func drawMarks(_ columns: [EnvelopeColumn], _ area: PlotRect, drawsDrops: Bool) {
    var drops: [[PlotPoint]] = []
    var start: Int?
    for index in 0...columns.count {
      let marks = index < columns.count ? columns[index].marks : []
      if marks.contains(.gap) {
        start = start ?? index
      } else if let begin = start {
        canvas.fill(
          PlotRect(
            x: area.x + Double(begin), y: area.y, width: Double(index - begin),
            height: area.height),
          theme.gap)
        start = nil
      }
      guard drawsDrops, marks.contains(.dropped) else { continue }
      let x = area.x + Double(index) + 0.5
      drops.append([
        PlotPoint(x, area.bottom), PlotPoint(x, area.bottom - layout.fontSize * 0.6),
      ])
    }
    canvas.stroke(drops, width: 1, theme.drop, dash: 0, clip: area)
  }

  private func drawParts(_ area: PlotRect) {
    var end = -Double.infinity
    for part in figure.parts {
      let x = Self.sharp(area.x + area.width * layout.time.share(of: part.seconds))
      canvas.stroke(
        [[PlotPoint(x, area.y), PlotPoint(x, area.bottom)]], width: 1, theme.limit, dash: 3,
        clip: nil)
      let width = canvas.width(of: part.label, layout.small)
      guard x - width - 4 > max(end, area.x) else { continue }
      canvas.draw(
        part.label, at: PlotPoint(x - width - 4, area.y + layout.fontSize * 1.2), layout.small,
        theme.limit)
      end = x
    }
  }

  private func drawLimits(_ panel: PlotPanel, _ place: PlotLayout.Panel) {
    let area = place.area
    for limit in panel.limits where (place.axis.low...place.axis.high).contains(limit.value) {
      let y = Self.sharp(self.y(of: limit.value, place))
      canvas.stroke(
        [[PlotPoint(area.x, y), PlotPoint(area.right, y)]], width: 1.25, theme.limit, dash: 5,
        clip: nil)
      canvas.draw(
        limit.label,
        at: PlotPoint(area.right + layout.fontSize * 0.4, y + layout.fontSize * 0.35),
        layout.small, theme.limit)
    }
  }

  private func drawSignals(
    _ panel: PlotPanel, _ place: PlotLayout.Panel, _ columns: [[EnvelopeColumn]]
  ) {
    let lengths = panel.signals.map {
      EnvelopeBars.meanLength(columns[$0.envelope], lane: $0.lane)
    }
    let areBarsClearer =
      lengths.contains { $0 * pixelsPerUnit(place) >= Self.minBarLength }
    // Short bars are drawn over long ones.
    let order =
      areBarsClearer
      ? panel.signals.indices.sorted { (lengths[$0], $1) > (lengths[$1], $0) }
      : Array(panel.signals.indices)
    for signal in order.map({ panel.signals[$0] }) {
      let all = columns[signal.envelope]
      var color = theme.signal(signal.color)
      if areBarsClearer {
        if panel.signals.count > 1 { color.alpha = 0.7 }
        let bars = EnvelopeBars.bars(all, lane: signal.lane).map { bar in
          let (top, bottom) = (eighths(y(of: bar.high, place)), eighths(y(of: bar.low, place)))
          let missing = max(0, 1 - (bottom - top)) / 2
          return PlotRect(
            x: place.area.x + Double(bar.column), y: top - missing, width: 1,
            height: bottom - top + 2 * missing)
        }
        canvas.fill(bars, color, clip: place.area)
      } else {
        let lines = EnvelopeLines.lines(all, lane: signal.lane) { index, value in
          PlotPoint(place.area.x + Double(index) + 0.5, eighths(y(of: value, place)))
        }
        canvas.stroke(lines, width: 1.25, color, dash: 0, clip: place.area)
      }
    }
  }

  /// Rounds to 1/8 px, so that an SVG document is short.
  private func eighths(_ value: Double) -> Double { (value * 8).rounded() / 8 }

  private func pixelsPerUnit(_ place: PlotLayout.Panel) -> Double {
    place.area.height / 2 / (place.axis.high / 2 - place.axis.low / 2)
  }

  private func y(of value: Double, _ place: PlotLayout.Panel) -> Double {
    // Beyond the axis a line only has to leave the panel.
    let share = min(max(place.axis.share(of: value), -10), 10)
    return place.area.bottom - place.area.height * share
  }

  /// The center of a pixel, on which a line of one pixel is sharp.
  private static func sharp(_ value: Double) -> Double { value.rounded(.down) + 0.5 }
}
