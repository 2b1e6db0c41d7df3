// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

@Suite("parallax feel")
struct FeelCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a recording at 100 Hz: it moves until `restFrom`, then lies still.
  private func trace(
    seconds: Double = 8, restFrom: Double = 5, hasZ: Bool = true
  ) throws -> String {
    var lines = [hasZ ? "t,x,y,z" : "t,x,y"]
    for index in 0..<Int(seconds * 100) {
      let t = Double(index) / 100
      let (x, y) = t < restFrom ? (0.6 * sin(4 * t), 0.5 * sin(3 * t)) : (0.001, 0)
      lines.append("\(t),\(x),\(y)" + (hasZ ? ",0" : ""))
    }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "trace.csv")
  }

  @Test func everyFigureHasAValueAndItsMeaning() throws {
    let result = try Program.parallax.run(["feel", try trace(), "--smoothing", "ema:0.1"])
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("8.0 s, 100.0 samples a second, 3.0 s of it at rest"))
    #expect(result.output.contains("smoothing ema:0.1"))
    let rows = result.outputLines.dropFirst(3)
    #expect(rows.count == 10)
    for row in rows { #expect(!row.contains(" - "), "\(row)") }
  }

  @Test func comparisonsHaveOneRowEach() throws {
    let result = try Program.parallax.run([
      "feel", try trace(), "--mode", "tilt", "--compare", "none", "ema:0.1", "spring:0.4",
    ])
    #expect(result.exitCode == 0)
    let rows = result.outputLines.dropFirst(4).map { $0.split(separator: " ") }
    #expect(rows.map { $0.first } == ["none", "ema:0.1", "spring:0.4,1"])
    for row in rows { #expect(row.count == 11) }
  }

  @Test func jsonHasAnObjectPerSmoothing() throws {
    let result = try Program.parallax.run([
      "feel", try trace(restFrom: 100), "--format", "json", "--compare", "none", "ema:0.1",
    ])
    let query = "[.smoothing, (.lag | type), (.rest | type), (.over | type)] | join(\" \")"
    let parsed = try Program(path: "/usr/bin/jq").run(["-r", query], input: result.output)
    #expect(parsed.output == "none number null number\nema:0.1 number null number\n")
  }

  @Test func missingFiguresSayWhy() throws {
    let moving = try Program.parallax.run(["feel", try trace(restFrom: 100)])
    #expect(moving.exitCode == 0)
    #expect(moving.output.contains("no rest of 1.5 s in this recording"))
    let still = try Program.parallax.run(["feel", try trace(restFrom: 0)])
    #expect(still.exitCode == 0)
    #expect(still.output.contains("no motion in this recording"))
    let table = try Program.parallax.run(["feel", try trace(restFrom: 0), "--compare", "none"])
    #expect(table.output.hasSuffix("-: no motion in this recording\n"))
  }

  @Test func rateModeNeedsNoZ() throws {
    let path = try trace(hasZ: false)
    let result = try Program.parallax.run(["feel", path])
    #expect(result.exitCode == 0)
    #expect(
      result.errors == "parallax: \(path): no column with z rates: rotation about z counts as 0\n")
  }

  @Test func picturesAreWritten() throws {
    let file = folder("pictures.csv")
    let result = try Program.parallax.run(["feel", try trace(), "--pictures", file])
    #expect(result.exitCode == 0)
    let lines = try Program(path: "/bin/cat").run([file]).outputLines
    #expect(lines.first == "t,x,y,ideal-x,ideal-y")
    // 8 s without the first second and the last 0.3 s, at 119.88 Hz.
    #expect((800...804).contains(lines.count - 1))
    for line in lines { #expect(line.split(separator: ",").count == 5) }
    let nowhere = try Program.parallax.run([
      "feel", try trace(), "--pictures", folder("no/such/folder.csv"),
    ])
    #expect(nowhere.exitCode == 73)
  }

  @Test func standardInputIsRead() throws {
    let bytes = try Program(path: "/bin/cat").run([try trace()]).output
    let result = try Program.parallax.run(["feel", "-"], input: bytes)
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("standard input: "))
  }
}
