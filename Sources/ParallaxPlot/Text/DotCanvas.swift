// SPDX-License-Identifier: Apache-2.0

/// A grid of dots in characters: eight per character in Braille, two in ASCII.
struct DotCanvas {
  /// Characters per line, and lines.
  let columns: Int
  let rows: Int
  /// Whether characters are Braille.
  let isUnicode: Bool
  /// Dots across and down a character.
  let across: Int
  let down: Int
  /// The dots of each character, a bit per dot; line by line.
  private var dots: [UInt8]
  /// The color of each character's last dot; -1 without one.
  private(set) var colors: [Int]

  var width: Int { columns * across }
  var height: Int { rows * down }

  init(columns: Int, rows: Int, isUnicode: Bool) {
    self.columns = columns
    self.rows = rows
    self.isUnicode = isUnicode
    (across, down) = isUnicode ? (2, 4) : (1, 2)
    dots = Array(repeating: 0, count: columns * rows)
    colors = Array(repeating: -1, count: columns * rows)
  }

  mutating func set(_ x: Int, _ y: Int, color: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let index = y / down * columns + x / across
    dots[index] |= Self.bit(x % across, y % down, isUnicode: isUnicode)
    colors[index] = color
  }

  /// Draws a line between two dots, both included.
  mutating func line(from begin: (x: Int, y: Int), to end: (x: Int, y: Int), color: Int) {
    let steps = max((end.x - begin.x).magnitude, (end.y - begin.y).magnitude)
    for step in 0...steps {
      let share = steps == 0 ? 0 : Double(step) / Double(steps)
      set(
        begin.x + Int((Double(end.x - begin.x) * share).rounded()),
        begin.y + Int((Double(end.y - begin.y) * share).rounded()), color: color)
    }
  }

  /// Returns a character; nil if it has no dots.
  func character(column: Int, row: Int) -> Character? {
    let bits = dots[row * columns + column]
    guard bits != 0 else { return nil }
    guard isUnicode else { return bits == 1 ? "'" : bits == 2 ? "." : ":" }
    return Unicode.Scalar(0x2800 + UInt32(bits)).map { Character($0) }
  }

  /// The dots of a Braille character are numbered down the left side, down the right one, and then the
  /// lowest line (Unicode, "Braille Patterns").
  private static func bit(_ x: Int, _ y: Int, isUnicode: Bool) -> UInt8 {
    guard isUnicode else { return 1 << UInt8(y) }
    return y == 3 ? 0x40 << UInt8(x) : 1 << UInt8(y + 3 * x)
  }
}
