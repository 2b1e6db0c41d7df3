// SPDX-License-Identifier: Apache-2.0

extension WatchScreen {
  /// Draws the settings with their cursor.
  mutating func drawTune(_ tune: TuneModel, _ area: CellArea) {
    grid.frame(area, title: "settings", style: Theme.border, titleStyle: Theme.bold)
    let inner = area.inner
    guard model.status?.settings.isEmpty == false else {
      grid.write(
        model.status == nil
          ? "waiting for the daemon" : "this daemon is too old to report its settings",
        row: inner.row, column: inner.column + 1, columns: inner.columns - 1, style: Theme.label)
      return
    }
    let lines = TuneModel.lines(model)
    let place = lines.firstIndex(of: tune.selected) ?? 0
    // One row is for what the selected setting does.
    let count = max(1, inner.rows - 1)
    let first = max(0, min(place - count / 2, lines.count - count))
    for (index, line) in lines.dropFirst(first).prefix(count).enumerated() {
      let row = TuneModel.row(line, model)
      let isSelected = index + first == place
      let style = isSelected ? Theme.selected : Theme.text
      let label = (isSelected ? "▸ " : "  ") + Figures.padded(row.label, 11)
      let texts = [row.value, row.shortValue].map { value in
        label + (isSelected ? "‹ \(value) ›" : "  \(value)")
      }
      let width = inner.columns - 2
      let text = texts.first { $0.unicodeScalars.count <= width } ?? texts[1]
      let end = grid.write(
        Figures.padded(text, width), row: inner.row + index, column: inner.column, columns: width,
        style: style)
      if row.isChanged {
        grid.write("•", row: inner.row + index, column: end, columns: 1, style: Theme.warning)
      }
    }
    if inner.rows > 1, let line = lines.dropFirst(place).first {
      grid.write(
        TuneModel.row(line, model).help, row: inner.row + inner.rows - 1,
        column: inner.column + 2, columns: inner.columns - 2, style: Theme.label)
    }
  }
}
