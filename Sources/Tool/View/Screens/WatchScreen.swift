// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxProtocol

/// Draws what `parallax watch` knows. The same model, size and time give the same screen.
struct WatchScreen {
  let model: WatchModel
  let tune: TuneModel?
  let hints: [String]
  let capabilities: TerminalCapabilities
  let now: MotionInstant
  var grid: CellGrid

  static let minSize = TerminalSize(columns: 40, rows: 12)

  /// Returns the screen at an instant.
  ///
  /// - Parameters:
  ///   - tune: The cursor of `parallax tune`; nil for `parallax watch`.
  ///   - hints: Lines about the next steps, such as how another terminal connects to this daemon.
  static func draw(
    _ model: WatchModel, tune: TuneModel? = nil, hints: [String] = [], size: TerminalSize,
    _ capabilities: TerminalCapabilities, at now: MotionInstant
  ) -> CellGrid {
    var screen = WatchScreen(
      model: model, tune: tune, hints: hints, capabilities: capabilities, now: now,
      grid: CellGrid(size))
    screen.draw()
    return screen.grid
  }

  private var size: TerminalSize { grid.size }

  private mutating func draw() {
    guard size.columns >= Self.minSize.columns, size.rows >= Self.minSize.rows else {
      return drawTooSmall()
    }
    drawTitle()
    if size.columns < 60 || size.rows < 16 {
      drawPicture(
        CellArea(row: 1, column: 0, rows: size.rows - 2, columns: size.columns),
        isAlone: true)
    } else {
      let hints = size.rows < 20 ? [] : hints
      let rows = size.rows - (size.rows < 20 ? 4 : 5) - hints.count
      drawBody(rows: rows)
      drawFigures(row: 1 + rows, end: size.rows - 1 - hints.count)
      for (index, hint) in hints.enumerated() {
        grid.write(hint, row: size.rows - 1 - hints.count + index, column: 1, style: Theme.label)
      }
    }
    drawLastLine()
    if model.isHelpShown { drawHelp() }
  }

  private mutating func drawTooSmall() {
    let lines = [
      "too small: \(size.columns)x\(size.rows)",
      "needs \(Self.minSize.columns)x\(Self.minSize.rows)",
    ]
    for (index, line) in lines.enumerated() { grid.write(line, row: index, column: 0) }
  }

  // MARK: - The first and the last line

  private mutating func drawTitle() {
    let state = gateState
    let end = size.columns - state.text.unicodeScalars.count - 1
    grid.write([state], row: 0, column: end, end: size.columns)
    var pieces = [StyledText("parallax", Theme.bold)]
    switch model.connection {
    case .connected:
      if let device = model.device {
        pieces.append(StyledText("  \(deviceText(device))", Theme.label))
      }
    case .connecting: pieces.append(StyledText("  connecting", Theme.label))
    case .waiting: pieces.append(StyledText("  no connection", Theme.bad))
    }
    grid.write(pieces, row: 0, column: 1, end: end - 2)
  }

  private func deviceText(_ device: DeviceMessage) -> String {
    "\(device.sourceText) · \(device.state.rawValue)"
  }

  /// The gate in a word.
  private var gateState: StyledText {
    guard model.connection == .connected, let gate = model.gate else {
      return StyledText("○ waiting", Theme.warning)
    }
    guard gate.open else {
      return StyledText(
        gate.reasons.contains(GateReason.paused.rawValue) ? "○ paused" : "○ closed", Theme.warning)
    }
    return gate.gain < 1
      ? StyledText("● reduced", Theme.warning) : StyledText("● open", Theme.good)
  }

  private mutating func drawLastLine() {
    let row = size.rows - 1
    if let question = tune?.question {
      grid.write(question, row: row, column: 1, style: Theme.warning)
      return
    }
    if let notice = model.notice {
      grid.write(
        [StyledText(notice.text, notice.isError ? Theme.bad : Theme.good)], row: row, column: 1,
        end: size.columns)
      return
    }
    let isPaused = model.gate?.reasons.contains(GateReason.paused.rawValue) ?? false
    let pause = ("space", isPaused ? "resume" : "pause")
    // Where there is little space, those in `optional` are left out, from the first on. The help has all.
    var keys: [(key: String, text: String)]
    let optional: [String]
    if tune != nil {
      keys = [
        ("↑↓", "select"), ("←→", "change"), ("0", "reset"), ("u", "undo"), ("w", "write"), pause,
        ("?", "help"), ("q", "quit"),
      ]
      optional = ["space", "0", "u", "w"]
    } else {
      keys = [
        pause, ("c", "center"), ("+-", "strength"), ("s", "smooth"), ("o", "turn"), ("m", "mode"),
        ("?", "help"), ("q", "quit"),
      ]
      optional = ["o", "m", "+-", "s"]
    }
    func width() -> Int {
      keys.reduce(1 + 2 * (keys.count - 1)) { sum, key in
        sum + key.key.unicodeScalars.count + 1 + key.text.unicodeScalars.count
      }
    }
    for key in optional where width() > size.columns { keys.removeAll { $0.key == key } }
    grid.write(
      groups: keys.map { key, text in
        [StyledText(key, Theme.key), StyledText(" \(text)", Theme.label)]
      }, row: row, column: 1, end: size.columns, gap: 2)
  }

  // MARK: - Picture

  /// - Parameter isAlone: Whether no line below says why the picture does not move.
  private mutating func drawPicture(_ area: CellArea, isAlone: Bool = false) {
    grid.frame(area, title: "", style: Theme.border, titleStyle: Theme.label)
    let inner = area.inner
    let isLive = model.connection == .connected && (model.gate?.open ?? false)
    let scene = PictureScene(
      offset: model.offset(at: now), rangeX: model.range("range-x"),
      rangeY: model.range("range-y"), trail: trail, isHeld: !isLive)
    if capabilities.isUnicode, capabilities.colors >= .palette256 {
      PixelPicture.draw(scene, columns: inner.columns, rows: inner.rows)
        .draw(into: &grid, row: inner.row, column: inner.column)
    } else {
      DotPicture.draw(
        scene, columns: inner.columns, rows: inner.rows, isBraille: capabilities.isUnicode
      ).draw(into: &grid, row: inner.row, column: inner.column)
    }
    if isAlone { drawHeldReason(area) }
  }

  /// Why the picture does not move, in the lower side of its frame.
  private mutating func drawHeldReason(_ area: CellArea) {
    let text: String
    switch model.connection {
    case .connecting: return
    case .waiting(let reason): text = reason
    case .connected:
      guard let gate = model.gate, !gate.open || gate.gain < 1 else { return }
      text = GateText.line(gate)
    }
    let row = area.row + area.rows - 1
    let width = min(area.columns - 4, text.unicodeScalars.count + 2)
    guard width > 2 else { return }
    var line = " " + text.prefix(width - 2) + " "
    if text.unicodeScalars.count > width - 2 { line = " " + text.prefix(width - 3) + "… " }
    grid.write(line, row: row, column: area.column + 2, columns: width, style: Theme.warning)
  }

  /// The way of the last second and a half.
  private var trail: [SIMD2<Double>] {
    let start = now - .milliseconds(1_500)
    let offset = model.offset(at: now)
    var points = model.offsets.points(since: start)
      .filter { $0.time >= start && $0.time <= now }
      .map { SIMD2($0.value.x, $0.value.y) }
    points.append(SIMD2(offset.x, offset.y))
    return points
  }

  // MARK: - Picture and graphs

  private mutating func drawBody(rows: Int) {
    // Cells are twice as high as wide.
    let width = min(size.columns / 2, Int(Double(rows) * 2.3))
    drawPicture(CellArea(row: 1, column: 0, rows: rows, columns: width))
    let columns = size.columns - width
    if let tune {
      // The graphs take what the list leaves.
      let list = min(TuneModel.Line.allCases.count + 3, rows - (rows >= 18 ? 6 : 0))
      drawTune(tune, CellArea(row: 1, column: width, rows: list, columns: columns))
      let each = rows - list >= 8 ? (rows - list) / 2 : rows - list
      drawGraphs(CellArea(row: 1 + list, column: width, rows: rows - list, columns: columns), each)
      return
    }
    let hasRates = rows >= 15
    let each = hasRates ? rows / 3 : rows / 2
    for (index, name) in ["x", "y"].enumerated() {
      let isLast = index == 1 && !hasRates
      drawOffset(
        CellArea(
          row: 1 + index * each, column: width, rows: isLast ? rows - each : each,
          columns: columns),
        name, index)
    }
    if hasRates {
      drawRates(
        CellArea(row: 1 + 2 * each, column: width, rows: rows - 2 * each, columns: columns))
    }
  }

  /// Draws x and y, or if there is little space, both in one graph.
  private mutating func drawGraphs(_ area: CellArea, _ each: Int) {
    guard area.rows >= 3 else { return }
    if each < area.rows {
      drawOffset(
        CellArea(row: area.row, column: area.column, rows: each, columns: area.columns), "x", 0)
      drawOffset(
        CellArea(
          row: area.row + each, column: area.column, rows: area.rows - each,
          columns: area.columns),
        "y", 1)
      return
    }
    let offset = model.offset(at: now)
    let ranges = [model.range("range-x"), model.range("range-y")]
    let (low, high) = (ranges.map(\.low).min() ?? -5, ranges.map(\.high).max() ?? 5)
    frame(
      area,
      [
        StyledText("x", CellStyle(Theme.x.text, bold: true)),
        StyledText(" \(Figures.signed(offset.x, 2)) "),
        StyledText("y", CellStyle(Theme.y.text, bold: true)),
        StyledText(" \(Figures.signed(offset.y, 2)) px"),
      ], limits: "\(Figures.short(low)) to \(Figures.short(high))")
    let margin = 0.04 * (high - low)
    Graph(
      area: area.inner, low: low - margin, high: high + margin, history: model.offsets,
      curves: [(1, Theme.y), (0, Theme.x)]
    ).draw(into: &grid, at: now, isBraille: capabilities.isUnicode)
  }

  private mutating func drawOffset(_ area: CellArea, _ name: String, _ index: Int) {
    let offset = model.offset(at: now)
    let value = index == 0 ? offset.x : offset.y
    let range = model.range("range-\(name)")
    let style = index == 0 ? Theme.x : Theme.y
    frame(
      area,
      [
        StyledText(name, CellStyle(style.text, bold: true)),
        StyledText(" \(Figures.signed(value, 2)) px"),
      ], limits: "\(Figures.short(range.low)) to \(Figures.short(range.high))")
    // A little more than the range, so that a curve at its end is not on the frame.
    let margin = 0.04 * (range.high - range.low)
    Graph(
      area: area.inner, low: range.low - margin, high: range.high + margin,
      history: model.offsets, curves: [(index, style)]
    ).draw(into: &grid, at: now, isBraille: capabilities.isUnicode)
  }

  private mutating func drawRates(_ area: CellArea) {
    let columns = area.inner.columns
    let seconds = Graph.seconds(columns: columns)
    let points = model.angularRates.points(since: now - MotionDuration(seconds: seconds))
    let greatest = points.reduce(0.0) { most, point in
      max(most, point.value.x.magnitude, point.value.y.magnitude, point.value.z.magnitude)
    }
    let limit = Figures.roundedUp(max(greatest, 0.05))
    frame(
      area,
      [
        StyledText("rates ", Theme.text), StyledText("x", CellStyle(Theme.x.text, bold: true)),
        StyledText(" "), StyledText("y", CellStyle(Theme.y.text, bold: true)), StyledText(" "),
        StyledText("z", CellStyle(Theme.z.text, bold: true)), StyledText(" rad/s"),
      ], limits: "\(Figures.short(-limit)) to \(Figures.short(limit))")
    if case .refused(let reason) = model.rates {
      return drawParagraph("Not shown: \(reason)", area.inner)
    }
    Graph(
      area: area.inner, low: -limit, high: limit, history: model.angularRates,
      curves: [(2, Theme.z), (1, Theme.y), (0, Theme.x)], longestGap: .milliseconds(300)
    ).draw(into: &grid, at: now, isBraille: capabilities.isUnicode)
  }

  private mutating func frame(_ area: CellArea, _ title: [StyledText], limits: String) {
    grid.frame(area, title: "", style: Theme.border, titleStyle: Theme.label)
    let end = area.column + area.columns - 2
    let after = grid.write(
      [StyledText(" ")] + title + [StyledText(" ")], row: area.row, column: area.column + 2,
      end: end)
    let width = limits.unicodeScalars.count + 2
    guard after + 1 + width <= end else { return }
    grid.write(" \(limits) ", row: area.row, column: end - width, style: Theme.label)
  }

  /// Writes words, as many per row as fit.
  private mutating func drawParagraph(_ text: String, _ area: CellArea) {
    for (index, line) in Self.wrapped(text, columns: area.columns - 2).prefix(area.rows)
      .enumerated()
    {
      grid.write(
        line, row: area.row + index, column: area.column + 1, columns: area.columns - 1,
        style: Theme.label)
    }
  }

  // MARK: - Figures

  private mutating func drawFigures(row: Int, end: Int) {
    var row = row
    grid.write(groups: gateFigures, row: row, column: 1, end: size.columns)
    row += 1
    grid.write(groups: rateFigures, row: row, column: 1, end: size.columns)
    guard row + 1 < end else { return }
    grid.write(groups: settingFigures, row: row + 1, column: 1, end: size.columns)
  }

  private func figure(
    _ label: String, _ value: String, _ style: CellStyle = Theme.text
  ) -> [StyledText] {
    [StyledText(label + " ", Theme.label), StyledText(value, style)]
  }

  private var gateFigures: [[StyledText]] {
    if case .waiting(let reason) = model.connection {
      return [figure("daemon", String(reason.prefix(max(0, size.columns - 9))), Theme.bad)]
    }
    guard let gate = model.gate else { return [figure("gate", "unknown")] }
    let line = GateText.line(gate).prefix(size.columns - 7)
    return [figure("gate", String(line), gate.open ? Theme.text : Theme.warning)]
  }

  private var rateFigures: [[StyledText]] {
    guard let status = model.status else { return [figure("sensor", "…")] }
    func hertz(_ value: Double?) -> String { value.map { Figures.fixed($0, 1) + " Hz" } ?? "off" }
    let latency: String
    switch status.latency {
    case .measured(let p50, let p99, _):
      latency = "\(Figures.fixed(p50 * 1e3, 1)) ms (99 %: \(Figures.fixed(p99 * 1e3, 1)))"
    case .none: latency = "unknown"
    }
    let drops = status.drops
    let lost =
      drops.duplicate + drops.backwards + drops.nonfinite + drops.stale + drops.skipped
      + drops.behind + drops.lost
    return [
      figure("sensor", hertz(status.measuredRateHertz)), figure("frames", hertz(model.frameHertz)),
      figure("latency", latency),
      figure("drops", "\(lost)", lost > 0 ? Theme.warning : Theme.text),
      figure("subscribers", "\(status.subscribers)"),
    ]
  }

  private var settingFigures: [[StyledText]] {
    guard let status = model.status else { return [] }
    let known = ["mode", "scale", "smoothing"].compactMap { key in
      model.setting(key).map { figure(key == "scale" ? "strength" : key, $0) }
    }
    return known + [
      figure("orientation", status.orientation.rawValue), figure("bias", biasText(status)),
      figure("release", status.release),
    ]
  }

  /// The setting, as the settings of `parallax tune` show it, and the estimate that is subtracted, in rad/s.
  private func biasText(_ status: StatusMessage) -> String {
    let setting = model.setting("bias") ?? (status.bias.isAuto ? "auto" : "off")
    guard setting != "off", let bias = status.bias.estimate else { return setting }
    let parts = [bias.x, bias.y, bias.z].map { Figures.fixed($0, 3) }
    return "\(setting) \(parts.joined(separator: " "))"
  }

  // MARK: - Help

  private mutating func drawHelp() {
    var keys: [(String, String)] = [
      ("space", "pause or resume"),
      ("c, r", "center: tilt returns to 0"),
      ("+ -", "strength of the motion"),
      ("s", "next smoothing"),
      ("o", "next screen orientation"),
      ("m", "rate or tilt mode"),
      ("q", "quit (daemon keeps running)"),
    ]
    var paragraphs = [
      "The card moves as a picture would, inside the box of its range. The green line is its recent "
        + "path. If nothing moves, see 'gate'.",
      "To use a phone as the gyroscope, run 'parallax phone'.",
    ]
    if tune != nil {
      keys = [
        ("↑ ↓", "select a setting (or k, j)"),
        ("← →", "change it (or h, l)"),
        ("0", "reset it (or backspace)"),
        ("u", "undo the last change"),
        ("w", "write the changes to a file"),
        ("space", "pause or resume"),
        ("c, r", "center: tilt returns to 0"),
        ("q", "quit and print the changes"),
      ]
      paragraphs = ["A dot marks a setting that differs from the configuration."]
    }
    let width = min(size.columns - 2, 54)
    let text = paragraphs.flatMap { Self.wrapped($0, columns: width - 4) }
    let lines = keys + [("", "")] + text.map { ("", $0) }
    let area = CellArea(
      row: max(0, (size.rows - lines.count - 2) / 2), column: (size.columns - width) / 2,
      rows: min(size.rows, lines.count + 2), columns: width)
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns { grid[row, column] = Cell() }
    }
    grid.frame(area, title: "keys", style: Theme.border, titleStyle: Theme.bold)
    for (index, line) in lines.prefix(area.inner.rows).enumerated() {
      let row = area.inner.row + index
      let indent = line.0.isEmpty ? 1 : 9
      grid.write(line.0, row: row, column: area.inner.column + 1, style: Theme.key)
      grid.write(
        line.1, row: row, column: area.inner.column + indent,
        columns: area.inner.columns - indent)
    }
  }

  /// Returns the words of a text in lines of at most some columns.
  private static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
