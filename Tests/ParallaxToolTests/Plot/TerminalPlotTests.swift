// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import Testing

@testable import ParallaxTool

@Suite("Plots in terminals")
struct TerminalPlotTests {
  /// A ramp of x from -5 to 5 px in 10 s, with a gap from 4 to 6 s and a dropped row at 2 s.
  private var figure: PlotFigure {
    var plot = ReplayPlot(pixels: 400)
    for index in 0...100 where !(40..<60).contains(index) {
      let time = MotionInstant.zero + .milliseconds(Int64(index) * 100)
      let sample = GyroSample(time: time, rateRadPerSec: AngularRate(x: 1, y: 0, z: 0))
      plot.add(sample, .kept(time: time, startsSegment: index == 0 || index == 60))
      plot.add(PixelOffset(x: Double(index) / 10 - 5, y: 0), at: time)
      if index == 20 { plot.add(sample, .duplicate) }
    }
    var facts = ReplayPlot.Facts()
    facts.name = "wälk.csv"
    facts.counts.segments = 2
    facts.counts.duplicate = 1
    return plot.figure(facts)
  }

  @Test(arguments: [(80, 24), (200, 60), (40, 12), (1, 1), (500, 200)])
  func aPlotFitsItsTerminal(_ columns: Int, _ rows: Int) {
    for isUnicode in [true, false] {
      var style = TextStyle()
      (style.columns, style.rows, style.isUnicode) = (columns, rows, isUnicode)
      let text = TextPlot(figure, style: style).text
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count <= max(rows, 18), "\(lines.count) lines")
      #expect(lines.allSatisfy { $0.count <= max(columns, 40) })
      #expect(isUnicode || text.allSatisfy(\.isASCII))
      for part in ["rate", "Offset", "1 gap", "dropped rows: 1 duplicate", "^"] {
        #expect(text.contains(part), "\(part)")
      }
    }
  }

  @Test func theRampRisesFromLeftToRight() throws {
    var style = TextStyle()
    style.isUnicode = false
    let lines = TextPlot(figure, style: style).text.split(separator: "\n")
    let first = try #require(lines.lastIndex { $0.hasPrefix("Offset") })
    let body = lines[(first + 1)...].prefix { $0.contains("|") }
    var last = -1
    for line in body.reversed() {
      let place = line.indices.last { "'.:".contains(line[$0]) }
      guard let place, case let column = line.distance(from: line.startIndex, to: place) else {
        continue
      }
      // The line of y, which stays 0.
      if line.contains("''''''''''''") || line.contains("............") { continue }
      #expect(column >= last, "\(line)")
      last = column
    }
    #expect(last > 70)
  }

  /// Between the ramp and 0 there are dots, and on the other side of it none.
  @Test func curvesAreFilled() throws {
    let lines = TextPlot(figure, style: TextStyle()).text.split(separator: "\n").map(Array.init)
    let first = try #require(lines.firstIndex { String($0).hasPrefix("Offset") })
    let body = lines[(first + 1)...].prefix { $0.contains("│") || $0.contains("┤") }
    let rows = Array(body)
    func isDotted(_ character: Character) -> Bool {
      character.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
    }
    // At the end of the ramp x is 5 px: dots from its line down to 0, in the middle, and none below.
    let column = 76
    let middle = rows.count / 2
    let top = try #require(rows.firstIndex { $0.count > column && isDotted($0[column]) })
    #expect(top + 2 < middle && rows[top..<middle].allSatisfy { isDotted($0[column]) })
    #expect(rows[(middle + 1)...].allSatisfy { $0.count <= column || !isDotted($0[column]) })
  }

  @Test(arguments: [true, false]) func everyLabelOfTheTimeAxisHasItsTick(isUnicode: Bool) throws {
    var style = TextStyle()
    style.isUnicode = isUnicode
    let lines = TextPlot(figure, style: style).text.split(separator: "\n").map(Array.init)
    let index = try #require(lines.lastIndex { String($0).hasSuffix(" s") })
    let labels = String(lines[index]).split(separator: " ").dropLast()
    let ruler = lines[index - 1]
    let ticks = ruler.drop { $0 == " " }.dropFirst().count { $0 == (isUnicode ? "┬" : "+") }
    #expect(labels.count > 2 && ticks == labels.count, "\(String(ruler))")
    #expect(labels.first == "0")
  }

  @Test func colorsAreOptional() {
    var style = TextStyle()
    #expect(!TextPlot(figure, style: style).text.contains("\u{1B}"))
    style.hasColors = true
    let text = TextPlot(figure, style: style).text
    #expect(text.contains("\u{1B}[94m") && text.contains("\u{1B}[33m"))
  }

  @Test func answersAreRead() {
    let escape = "\u{1B}"
    let kitty = TerminalAnswers(
      Array(
        "x\(escape)_Gi=31;OK\(escape)\\\(escape)]11;rgb:ffff/ffff/e0e0\(escape)\\\(escape)[4;600;800t\(escape)[?62;c"
          .utf8))
    #expect(kitty.hasKittyGraphics && !kitty.hasSixel && kitty.isComplete)
    #expect(kitty.background == 0xFFFFE0 && !kitty.isDark)
    #expect(kitty.pixels == PlotSize(width: 800, height: 600))
    let sixel = TerminalAnswers(Array("\(escape)]11;rgb:00/0/111\u{7}\(escape)[?62;4;22c".utf8))
    #expect(sixel.hasSixel && !sixel.hasKittyGraphics && sixel.isComplete && sixel.isDark)
    let plain = TerminalAnswers(Array("\(escape)[?1;2c".utf8))
    #expect(!plain.hasSixel && plain.isComplete && plain.isDark && plain.background == nil)
    #expect(!TerminalAnswers(Array("\(escape)_Gi=31;ENOTSUP\(escape)\\".utf8)).hasKittyGraphics)
    // 62 is not 4, and 4 alone is the terminal's class.
    #expect(!TerminalAnswers(Array("\(escape)[?4;6c".utf8)).hasSixel)
    let all =
      "\(escape)_Gi=31;OK\(escape)\\\(escape)]11;rgb:1/2/3\(escape)\\\(escape)[4;1;1t\(escape)[?62;4c"
    for length in 0..<all.utf8.count {
      #expect(!TerminalAnswers(Array(all.utf8.prefix(length))).isComplete)
    }
  }

  @Test func kittyPicturesAreBase64InChunks() {
    #expect(TerminalPicture.base64(Array("Man".utf8)) == Array("TWFu".utf8))
    #expect(TerminalPicture.base64(Array("Ma".utf8)) == Array("TWE=".utf8))
    #expect(TerminalPicture.base64(Array("M".utf8)) == Array("TQ==".utf8))
    let text = String(
      decoding: TerminalPicture.kitty(png: Array(repeating: 7, count: 5000)), as: UTF8.self)
    let commands = text.split(separator: "\u{1B}\\").dropLast()
    #expect(commands.count == 2)
    #expect(text.hasPrefix("\u{1B}_Ga=T,f=100,q=2,m=1;"))
    #expect(commands.last?.hasPrefix("\u{1B}_Gm=0;") ?? false)
    #expect(commands.allSatisfy { $0.split(separator: ";")[1].count <= 4096 })
  }

  /// Decodes Sixel and compares each pixel.
  @Test func sixelPicturesHaveTheSamePixels() {
    let size = PlotSize(width: 23, height: 17)
    let colors: [UInt32] = [0x000000, 0xFFFFFF, 0xFF0000, 0x3366CC]
    let pixels: [UInt32] = (0..<size.width * size.height).map { place in
      let number: Int = (place * 7 + place / 23) % 4
      return colors[number & (place % 3)]
    }
    let text = String(decoding: TerminalPicture.sixel(pixels, size: size), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}Pq\"1;1;23;17#"))
    #expect(text.hasSuffix("\u{1B}\\\n"))
    var decoded = [UInt32?](repeating: nil, count: pixels.count)
    var palette: [Int: UInt32] = [:]
    var (x, y, color) = (0, 0, 0)
    var rest = text.dropFirst("\u{1B}Pq\"1;1;23;17".count)
    func numbers() -> [Int] {
      let digits = rest.prefix { $0.isNumber || $0 == ";" }
      rest = rest.dropFirst(digits.count)
      return digits.split(separator: ";").compactMap { Int($0) }
    }
    while let character = rest.popFirst(), character != "\u{1B}" {
      var count = 1
      var shown = character
      switch character {
      case "#":
        let values = numbers()
        color = values[0]
        if values.count == 5 {
          palette[color] = values[2...].reduce(0) {
            $0 << 8 | UInt32((Double($1) * 2.55).rounded())
          }
        }
        continue
      case "$":
        x = 0
        continue
      case "-":
        (x, y) = (0, y + 6)
        continue
      case "!":
        count = numbers()[0]
        shown = rest.popFirst() ?? "?"
      default: break
      }
      let bits = Int(shown.asciiValue ?? 63) - 63
      for _ in 0..<count {
        for bit in 0..<6 where bits >> bit & 1 == 1 { decoded[(y + bit) * 23 + x] = palette[color] }
        x += 1
      }
    }
    #expect(decoded.map { $0 ?? 1 } == pixels)
  }

  @Test func manyColorsBecomeTheNearestOnes() {
    let size = PlotSize(width: 64, height: 64)
    let pixels: [UInt32] = (0..<4096).map { place in
      let (red, blue) = (UInt32(place % 64 * 4), UInt32(place / 64 * 4))
      return red << 16 | blue
    }
    let text = String(decoding: TerminalPicture.sixel(pixels, size: size), as: UTF8.self)
    #expect(text.contains("#255;2;") && !text.contains("#256;2;"))
  }
}
