// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTrace

/// Plain numbers and those in any other form give the same samples.
@Suite struct RowScannerTests {
  /// Numbers as programs write them, and some as they do not.
  private static func number(_ generator: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: range, using: &generator)).map { _ in
          Character(UnicodeScalar(UInt8.random(in: 48...57, using: &generator)))
        })
    }
    let sign = Int.random(in: 0..<12, using: &generator)
    var text = sign < 4 ? "-" : sign == 4 ? "+" : ""
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: text += digits(1...3)
    case 1: text += digits(1...2) + "."
    case 2: text += "." + digits(1...9)
    case 3:
      text += ["nan", "inf", "", "1e400", "x", "1.2.3"].randomElement(using: &generator) ?? ""
    case 4: text += "0." + digits(15...25)
    default: text += digits(1...1) + "." + digits(0...19)
    }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: text += "E-" + digits(1...1)
    case 1: text += "e" + digits(1...2)
    case 2: text += ["E+1", "e-12", "E-123", "E", "e-"].randomElement(using: &generator) ?? ""
    default: break
    }
    return text
  }

  /// The same rows, with a space before each number: none of them is plain.
  private func expectTheSameWithSpaces(
    _ header: String, _ rows: [[String]], ending: String = "\n", _ note: String
  ) {
    func text(_ space: String) -> String {
      let lines = rows.map { row in
        row.map { space + $0 }.joined(separator: ",") + ending
      }
      return header + "\n" + lines.joined()
    }
    var options = TraceOptions()
    options.skipsBadRows = true
    for needsZ in [false, true] {
      let scanned = read(text(""), options: options, needsZ: needsZ)
      let parsed = read(text(" "), options: options, needsZ: needsZ)
      #expect(scanned.samples.count == parsed.samples.count, "\(note)")
      #expect(scanned.counts == parsed.counts, "\(note)")
      #expect(scanned.warning == parsed.warning, "\(note)")
      #expect(scanned.error == parsed.error, "\(note)")
      for (one, other) in zip(scanned.samples, parsed.samples) {
        #expect(one.time == other.time, "\(note)")
        for axis in [\AngularRate.x, \.y, \.z] {
          let (a, b) = (one.rateRadPerSec[keyPath: axis], other.rateRadPerSec[keyPath: axis])
          #expect(a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN), "\(note)")
        }
      }
    }
  }

  @Test(arguments: [
    ("t,x,y,z", 4, [0]), ("t,x,y", 3, [0]),
    ("time,seconds_elapsed,z,y,x", 5, [0]),
    ("\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"", 4, [0]),
  ])
  func randomRows(header: String, columns: Int, times: [Int]) {
    var generator = SeededGenerator.forTest()
    for round in 0..<300 {
      let rows = (0..<Int.random(in: 1...30, using: &generator)).map { index in
        let isOdd = Int.random(in: 0..<4, using: &generator) == 0
        return (0..<columns).map { column -> String in
          if isOdd { return Self.number(&generator) }
          return column == 0
            ? "\(round).\(index)" : "\(Double.random(in: -50...50, using: &generator))"
        }
      }
      expectTheSameWithSpaces(
        header, rows, ending: round % 3 == 0 ? "\r\n" : "\n", generator.note)
    }
  }

  /// With `checkZ`, a z only decides whether its sample counts, and which rows are bad.
  @Test func zThatIsOnlyChecked() throws {
    var generator = SeededGenerator.forTest()
    let folder = try TemporaryFolder()
    for _ in 0..<300 {
      let rows = (0..<40).map { "0.\(10 + $0),1.5,-2.25,\(Self.number(&generator))\n" }
      let path = try folder.write("t,x,y,z\n" + rows.joined(), to: "t.csv")
      var options = TraceOptions()
      options.skipsBadRows = true
      var full = try TraceReader(path: path, options: options)
      try full.requireZ()
      var checked = try TraceReader(path: path, options: options)
      checked.checkZ()
      while let sample = try full.next() {
        let other = try #require(try checked.next(), "\(generator.note)")
        #expect(other.time == sample.time, "\(generator.note)")
        let isFinite = sample.rateRadPerSec.isFinite
        #expect(other.rateRadPerSec.isFinite == isFinite, "\(generator.note)")
        #expect(other.rateRadPerSec.y == sample.rateRadPerSec.y, "\(generator.note)")
        let z = other.rateRadPerSec.z
        #expect(z == 0 || z == sample.rateRadPerSec.z || !isFinite, "\(generator.note)")
      }
      #expect(try checked.next() == nil, "\(generator.note)")
      #expect(full.counts == checked.counts, "\(generator.note)")
      #expect(full.warning == checked.warning, "\(generator.note)")
    }
  }
}
