// SPDX-License-Identifier: Apache-2.0

/// The look of a cell.
struct CellStyle: Hashable, Sendable {
  var text: Color
  var background: Color
  var isBold = false
  var isDim = false
  var isReversed = false

  init(
    _ text: Color = .standard, on background: Color = .standard, bold: Bool = false,
    dim: Bool = false, reversed: Bool = false
  ) {
    self.text = text
    self.background = background
    isBold = bold
    isDim = dim
    isReversed = reversed
  }
}

/// One character on the screen.
struct Cell: Hashable, Sendable {
  var scalar: Unicode.Scalar
  var style: CellStyle

  init(_ scalar: Unicode.Scalar = " ", _ style: CellStyle = CellStyle()) {
    self.scalar = scalar
    self.style = style
  }
}

/// The size of a terminal in cells.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var rows: Int
}

/// A part of the screen, in cells; the first row and column are 0.
struct CellArea: Hashable, Sendable {
  var row: Int
  var column: Int
  var rows: Int
  var columns: Int

  init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// The area without a border of one cell.
  var inner: CellArea {
    CellArea(row: row + 1, column: column + 1, rows: rows - 2, columns: columns - 2)
  }
}

/// What the screen shows: a row-major grid of cells. Whatever is outside of it is ignored.
struct CellGrid: Equatable, Sendable {
  let size: TerminalSize
  private(set) var cells: [Cell]

  init(_ size: TerminalSize) {
    self.size = size
    cells = Array(repeating: Cell(), count: max(0, size.columns * size.rows))
  }

  subscript(row: Int, column: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set {
      guard row >= 0, column >= 0, row < size.rows, column < size.columns else { return }
      cells[row * size.columns + column] = newValue
    }
  }

  /// Writes text from left to right, at most `columns` cells. Returns the column after it.
  ///
  /// A character that may not take one column, such as a control character or one of a wide script, becomes
  /// `?`.
  @discardableResult
  mutating func write(
    _ text: String, row: Int, column: Int, columns: Int = .max, style: CellStyle = CellStyle()
  ) -> Int {
    var place = column
    let end = columns == .max ? size.columns : min(size.columns, column + columns)
    for scalar in text.unicodeScalars {
      guard place < end else { break }
      self[row, place] = Cell(Self.printable(scalar), style)
      place += 1
    }
    return place
  }

  /// Draws a frame with rounded corners and a title in its upper side.
  mutating func frame(
    _ area: CellArea, title: String, style: CellStyle, titleStyle: CellStyle
  ) {
    guard area.rows >= 2, area.columns >= 2 else { return }
    let (top, bottom) = (area.row, area.row + area.rows - 1)
    let (left, right) = (area.column, area.column + area.columns - 1)
    for column in left...right {
      self[top, column] = Cell("─", style)
      self[bottom, column] = Cell("─", style)
    }
    for row in top...bottom {
      self[row, left] = Cell("│", style)
      self[row, right] = Cell("│", style)
    }
    self[top, left] = Cell("╭", style)
    self[top, right] = Cell("╮", style)
    self[bottom, left] = Cell("╰", style)
    self[bottom, right] = Cell("╯", style)
    if !title.isEmpty, area.columns > 6 {
      write(" \(title) ", row: top, column: left + 2, columns: area.columns - 4, style: titleStyle)
    }
  }

  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .nonspacingMark, .enclosingMark,
      .spacingMark, .lineSeparator, .paragraphSeparator:
      return "?"
    default:
      // The first wide characters are those of Hangul Jamo; the symbols that the screens use are narrow.
      return scalar.value < 0x1100 || (0x2000...0x28FF).contains(scalar.value) ? scalar : "?"
    }
  }

  /// The characters row by row, without their styles and without spaces at the ends of rows.
  var text: String {
    (0..<size.rows).map { row in
      var line = String.UnicodeScalarView()
      for column in 0..<size.columns { line.append(self[row, column].scalar) }
      while line.last == " " { line.removeLast() }
      return String(line) + "\n"
    }.joined()
  }
}
