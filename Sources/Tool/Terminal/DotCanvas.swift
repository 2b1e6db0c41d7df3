// SPDX-License-Identifier: Apache-2.0

/// Line drawings in cells: 2 x 4 braille dots in a cell with Unicode, otherwise 1 x 2 with `'`, `.` and `:`.
/// A cell has one ink, that of its last dot: a style, or the number of a color.
struct DotCanvas<Ink: Sendable>: Sendable {
  let isBraille: Bool
  let columns: Int
  let rows: Int
  private var dots: [UInt8]
  private var inks: [Ink?]

  init(columns: Int, rows: Int, isBraille: Bool) {
    self.isBraille = isBraille
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    dots = Array(repeating: 0, count: self.columns * self.rows)
    inks = Array(repeating: nil, count: dots.count)
  }

  /// Dots per cell.
  var dotsAcross: Int { isBraille ? 2 : 1 }
  var dotsDown: Int { isBraille ? 4 : 2 }
  /// The size in dots.
  var width: Int { columns * dotsAcross }
  var height: Int { rows * dotsDown }

  /// Sets a dot; ignored outside of the canvas.
  mutating func set(_ x: Int, _ y: Int, _ ink: Ink) {
    guard let (index, bit) = place(x, y) else { return }
    dots[index] |= bit
    inks[index] = ink
  }

  /// Clears a dot.
  mutating func clear(_ x: Int, _ y: Int) {
    guard let (index, bit) = place(x, y) else { return }
    dots[index] &= ~bit
  }

  /// Draws a straight line, ends included.
  mutating func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ ink: Ink
  ) {
    let length = max((end.x - start.x).magnitude, (end.y - start.y).magnitude)
    guard length < 10_000 else { return }
    let steps = max(1, Int(length.rounded(.up)))
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      set(
        Int((start.x + (end.x - start.x) * part).rounded()),
        Int((start.y + (end.y - start.y) * part).rounded()), ink)
    }
  }

  /// Returns a cell's character and ink; nil without dots.
  func cell(row: Int, column: Int) -> (scalar: Unicode.Scalar, ink: Ink)? {
    let index = row * columns + column
    guard dots[index] != 0, let ink = inks[index] else { return nil }
    return (scalar(dots[index]), ink)
  }

  private func scalar(_ bits: UInt8) -> Unicode.Scalar {
    if isBraille { return Unicode.Scalar(0x2800 + UInt32(bits)) ?? " " }
    return switch bits {
    case 1: "'"
    case 2: "."
    default: ":"
    }
  }

  private func place(_ x: Int, _ y: Int) -> (index: Int, bit: UInt8)? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    let index = y / dotsDown * columns + x / dotsAcross
    guard isBraille else { return (index, y % 2 == 0 ? 1 : 2) }
    // The order of the dots in U+2800...U+28FF.
    let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    return (index, bits[y % 4][x % 2])
  }
}

extension DotCanvas where Ink == CellStyle {
  /// Copies the cells that have dots into a grid.
  func draw(into grid: inout CellGrid, row: Int, column: Int) {
    for y in 0..<rows {
      for x in 0..<columns {
        guard let cell = cell(row: y, column: x) else { continue }
        grid[row + y, column + x] = Cell(cell.scalar, cell.ink)
      }
    }
  }
}
