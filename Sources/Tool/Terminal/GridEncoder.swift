// SPDX-License-Identifier: Apache-2.0

/// Turns grids into bytes for a terminal. It remembers what the terminal shows and sends only what changes.
struct GridEncoder {
  private let capabilities: TerminalCapabilities
  private var shown: CellGrid?
  private var style: CellStyle?

  init(_ capabilities: TerminalCapabilities) {
    self.capabilities = capabilities
  }

  /// Forgets what the terminal shows: the next grid is sent as a whole.
  mutating func invalidate() {
    shown = nil
    style = nil
  }

  /// Returns the bytes that turn what the terminal shows into the grid; none if nothing changed.
  mutating func encode(_ grid: CellGrid) -> [UInt8] {
    var bytes: [UInt8] = []
    if shown?.size != grid.size {
      bytes += Array("\u{1B}[0m\u{1B}[2J".utf8)
      style = CellStyle()
      shown = CellGrid(grid.size)
    }
    let old = shown?.cells ?? []
    let columns = grid.size.columns
    // The column after the last character that was sent, if the cursor is in this row.
    var cursor = -1
    for index in grid.cells.indices where grid.cells[index] != old[index] {
      let column = index % columns
      if cursor > 0, cursor < index, index - cursor <= min(4, column),
        grid.cells[cursor..<index].allSatisfy({ $0.style == style })
      {
        // Repeating a few characters is shorter than moving the cursor over them.
        for between in cursor..<index { append(grid.cells[between], to: &bytes) }
      } else if cursor != index || column == 0 {
        bytes += Array("\u{1B}[\(index / columns + 1);\(column + 1)H".utf8)
      }
      append(grid.cells[index], to: &bytes)
      cursor = index + 1
    }
    shown = grid
    guard !bytes.isEmpty, capabilities.colors >= .palette256 else { return bytes }
    // Terminals that know this mode show all of it at once; the others ignore it.
    return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  private mutating func append(_ cell: Cell, to bytes: inout [UInt8]) {
    let scalar = capabilities.isUnicode ? cell.scalar : Self.ascii(cell.scalar)
    if cell.style != style {
      appendStyle(cell.style, to: &bytes)
      style = cell.style
    }
    bytes += UTF8.encode(scalar).map { Array($0) } ?? [UInt8(ascii: "?")]
  }

  private func appendStyle(_ new: CellStyle, to bytes: inout [UInt8]) {
    var codes: [String] = []
    let old = style
    let isReset =
      old.map { attributes($0) != attributes(new) || $0.isReversed != new.isReversed } ?? true
    if isReset {
      codes.append("0")
      codes += attributes(new)
      if new.isReversed { codes.append("7") }
    }
    if capabilities.colors > .none {
      if isReset ? !new.text.isStandard : old?.text != new.text {
        codes.append(code(new.text, isText: true))
      }
      if isReset ? !new.background.isStandard : old?.background != new.background {
        codes.append(code(new.background, isText: false))
      }
    }
    if !codes.isEmpty { bytes += Array("\u{1B}[\(codes.joined(separator: ";"))m".utf8) }
  }

  /// Bold and dim. With few colors, dim replaces gray, and bold the bright ones.
  private func attributes(_ style: CellStyle) -> [String] {
    let isGray = !style.text.isStandard && style.text.ansi == 8
    let isBright = !style.text.isStandard && style.text.ansi > 8
    var codes: [String] = []
    if style.isBold || capabilities.colors == .eight && isBright { codes.append("1") }
    if style.isDim || capabilities.colors <= .eight && isGray { codes.append("2") }
    return codes
  }

  private func code(_ color: Color, isText: Bool) -> String {
    if color.isStandard { return isText ? "39" : "49" }
    switch capabilities.colors {
    case .none: return ""
    case .eight: return "\((isText ? 30 : 40) + (color.ansi == 8 ? 7 : color.ansi & 7))"
    case .sixteen:
      return "\((isText ? 30 : 40) + (color.ansi & 7) + (color.ansi > 7 ? 60 : 0))"
    case .palette256: return "\(isText ? 38 : 48);5;\(color.palette256)"
    case .trueColor: return "\(isText ? 38 : 48);2;\(color.red);\(color.green);\(color.blue)"
    }
  }

  /// The character that a terminal without Unicode shows instead.
  static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "─", "╌": "-"
    case "│", "╎": "|"
    case "╭", "╮", "╰", "╯", "├", "┤", "┼": "+"
    case "·", "•": "-"
    case "●": "*"
    case "○": "o"
    case "▸", "→", "›": ">"
    case "◂", "←", "‹": "<"
    case "↑": "^"
    case "↓": "v"
    case "…": "~"
    case "µ": "u"
    default: scalar.isASCII ? scalar : "?"
    }
  }
}
