// SPDX-License-Identifier: Apache-2.0

/// The styles of the screens. Text keeps the terminal's own background, light or dark, so its colors are
/// legible on both.
enum Theme {
  static let text = CellStyle()
  static let bold = CellStyle(bold: true)
  static let label = CellStyle(Color(0x8C_919C, ansi: 8))
  static let border = CellStyle(Color(0x6B_7180, ansi: 8))
  static let key = CellStyle(Color(0x36_A3D9, ansi: 6), bold: true)
  static let good = CellStyle(Color(0x3F_A34D, ansi: 2), bold: true)
  static let warning = CellStyle(Color(0xC9_8A00, ansi: 3), bold: true)
  static let bad = CellStyle(Color(0xD8_4A4A, ansi: 1), bold: true)
  static let selected = CellStyle(bold: true, reversed: true)

  static let x = CellStyle(Color(0x36_A3D9, ansi: 6))
  static let y = CellStyle(Color(0xE0_7A3A, ansi: 5))
  static let z = CellStyle(Color(0x9B_7BE0, ansi: 2))

  static let faint = CellStyle(Color(0x6B_7180, ansi: 8))
  static let hill = CellStyle(Color(0x4E_7BD0, ansi: 12))
  static let farHill = CellStyle(Color(0x9B_7BE0, ansi: 5))
  static let sun = CellStyle(Color(0xF2_C14E, ansi: 11))
  static let ball = CellStyle(Color(0xF4_604E, ansi: 9))
  static let trail = CellStyle(Color(0x50_E0C8, ansi: 14))
}

/// A piece of a line.
struct StyledText {
  var text: String
  var style: CellStyle

  init(_ text: String, _ style: CellStyle = Theme.text) {
    self.text = text
    self.style = style
  }
}

extension CellGrid {
  /// Writes pieces of text one after the other. Returns the column after them.
  @discardableResult
  mutating func write(_ pieces: [StyledText], row: Int, column: Int, end: Int) -> Int {
    var place = column
    for piece in pieces {
      place = write(piece.text, row: row, column: place, columns: end - place, style: piece.style)
    }
    return place
  }

  /// Writes groups of pieces, with a gap between them, and leaves out those for which there is no space.
  mutating func write(
    groups: [[StyledText]], row: Int, column: Int, end: Int, gap: Int = 3
  ) {
    var place = column
    for group in groups {
      let width = group.reduce(0) { $0 + $1.text.unicodeScalars.count }
      let start = place == column ? place : place + gap
      guard start + width <= end else { continue }
      place = write(group, row: row, column: start, end: end)
    }
  }
}
