// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxTool
import Testing

@Suite struct GridEncoderTests {
  private static let red = CellStyle(Color(0xFF_0000, ansi: 9))

  private func encoder(_ colors: ColorLevel, isUnicode: Bool = true) -> GridEncoder {
    GridEncoder(TerminalCapabilities(isUnicode: isUnicode, colors: colors))
  }

  /// The bytes, with `^` for ESC.
  private func encode(_ encoder: inout GridEncoder, _ grid: CellGrid) -> String {
    String(decoding: encoder.encode(grid), as: UTF8.self).replacing("\u{1B}", with: "^")
  }

  private func grid(_ text: String, _ style: CellStyle = CellStyle()) -> CellGrid {
    var grid = CellGrid(TerminalSize(columns: 4, rows: 2))
    grid.write(text, row: 1, column: 1, style: style)
    return grid
  }

  @Test func onlyChangesAreSent() {
    var encoder = encoder(.none)
    #expect(encode(&encoder, grid("ab")) == "^[0m^[2J^[2;2Hab")
    #expect(encode(&encoder, grid("ab")) == "")
    #expect(encode(&encoder, grid("xb")) == "^[2;2Hx")
    encoder.invalidate()
    #expect(encode(&encoder, grid("xb")) == "^[0m^[2J^[2;2Hxb")
  }

  @Test func aNewSizeIsSentAsAWhole() {
    var encoder = encoder(.none)
    _ = encode(&encoder, grid("ab"))
    #expect(encode(&encoder, CellGrid(TerminalSize(columns: 2, rows: 1))) == "^[0m^[2J")
  }

  @Test(arguments: [
    (ColorLevel.none, ""), (.eight, "^[0;1;31m"), (.sixteen, "^[91m"),
    (.palette256, "^[38;5;196m"), (.trueColor, "^[38;2;255;0;0m"),
  ])
  func colors(level: ColorLevel, sequence: String) {
    var encoder = encoder(level)
    let text = encode(&encoder, grid("a", Self.red))
    #expect(text.contains("^[2;2H\(sequence)a"), "\(text)")
  }

  @Test func styleIsSentOnceAndReset() {
    var encoder = encoder(.sixteen)
    var both = grid("ab", CellStyle(Color(0, ansi: 2), bold: true))
    both.write("c", row: 1, column: 3)
    #expect(encode(&encoder, both) == "^[0m^[2J^[2;2H^[0;1;32mab^[0mc")
  }

  @Test func withoutUnicodeThereAreOnlyBytesOfASCII() {
    var encoder = encoder(.none, isUnicode: false)
    var frame = CellGrid(TerminalSize(columns: 4, rows: 2))
    frame.frame(
      CellArea(row: 0, column: 0, rows: 2, columns: 4), title: "", style: CellStyle(),
      titleStyle: CellStyle())
    #expect(encode(&encoder, frame) == "^[0m^[2J^[1;1H+--+^[2;1H+--+")
  }

  @Test func whatTakesNoOrTwoColumnsIsReplaced() {
    var grid = CellGrid(TerminalSize(columns: 8, rows: 1))
    grid.write("a\u{1B}漢\u{301}é·", row: 0, column: 0)
    #expect(grid.text == "a???é·\n")
    // Outside of the grid nothing happens.
    grid.write("x", row: 3, column: -1)
  }

  @Test(
    arguments: [
      (0xFF_FFFF, 231), (0x00_0000, 16), (0xFF_0000, 196), (0x80_8080, 244), (0x5F_87AF, 67),
    ] as [(UInt32, Int)])
  func nearestOf256(rgb: UInt32, index: Int) {
    #expect(Color(rgb, ansi: 0).palette256 == index)
  }
}

@Suite struct DotCanvasTests {
  private func text(_ canvas: DotCanvas<CellStyle>) -> String {
    var grid = CellGrid(TerminalSize(columns: canvas.columns, rows: canvas.rows))
    canvas.draw(into: &grid, row: 0, column: 0)
    return grid.text
  }

  @Test func eachDotHasItsPlaceInBraille() {
    let dots = "⠁⠈⠂⠐⠄⠠⡀⢀"
    for (index, dot) in dots.enumerated() {
      var canvas = DotCanvas<CellStyle>(columns: 1, rows: 1, isBraille: true)
      canvas.set(index % 2, index / 2, CellStyle())
      #expect(text(canvas) == "\(dot)\n")
      canvas.clear(index % 2, index / 2)
      #expect(text(canvas) == "\n")
    }
  }

  @Test(arguments: [(true, "⠑⢄\n  ⠑⢄\n"), (false, "'.\n  '.\n")])
  func lines(isBraille: Bool, expected: String) {
    var canvas = DotCanvas<CellStyle>(columns: 4, rows: 2, isBraille: isBraille)
    let end = Double(canvas.height - 1)
    canvas.line(from: (0, 0), to: (end, end), CellStyle())
    #expect(text(canvas) == expected)
  }

  @Test func aCellHasTheInkOfItsLastDot() throws {
    var canvas = DotCanvas<Int>(columns: 1, rows: 1, isBraille: true)
    #expect(canvas.cell(row: 0, column: 0) == nil)
    canvas.set(0, 0, 3)
    canvas.set(1, 3, 5)
    canvas.set(2, 0, 7)
    let cell = try #require(canvas.cell(row: 0, column: 0))
    #expect(cell.scalar == "⢁" && cell.ink == 5)
  }

  @Test func whatIsOutsideIsIgnored() {
    var canvas = DotCanvas<CellStyle>(columns: 2, rows: 1, isBraille: true)
    canvas.line(from: (-50, -50), to: (50, 50), CellStyle())
    canvas.set(4, 0, CellStyle())
    #expect(text(canvas) == "⠑⢄\n")
  }
}
