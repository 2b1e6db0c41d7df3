// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// `parallax replay` against the tables of an independent implementation.
@Suite("Golden tables")
struct GoldenTests {
  struct Golden: CustomTestStringConvertible, Sendable {
    var name: String
    var trace: String
    var options: [String]
    var rowsOut: Int
    var tolerance: Double
    /// Counts of `--summary`.
    var dropped: [String: Int]
    var testDescription: String { name }

    var tracePath: String { testDataPath("Recordings/\(trace)") }

    func rows() throws -> [[Double]] {
      try numbers(in: text(ofFile: testDataPath("Golden/replay/\(name).csv")))
    }
  }

  static let all: [Golden] = {
    guard let names = try? namesInFolder(testDataPath("Golden/replay")) else { return [] }
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
      .sorted().compactMap { try? Golden(name: $0) }
  }()

  @Test func everyTableIsFound() {
    #expect(Self.all.count == 19)
  }

  @Test(arguments: all) func theTableIsWithinTheTolerance(_ golden: Golden) throws {
    let result = try replay(golden)
    #expect(result.exitCode == 0, "\(result.errors)")
    let rows = try numbers(in: result.output)
    let expected = try golden.rows()
    #expect(rows.count == golden.rowsOut)
    try #require(rows.count == expected.count)
    var worst = 0.0
    for (row, expected) in zip(rows, expected) {
      #expect((row[0] - expected[0]).magnitude < 1.5e-9, "t \(row[0]), expected \(expected[0])")
      worst = max(worst, (row[1] - expected[1]).magnitude, (row[2] - expected[2]).magnitude)
    }
    #expect(worst <= golden.tolerance, "\(worst) px from the table")
    let summary = try replay(golden, ["--summary"]).errors
    for (key, count) in golden.dropped {
      #expect(summary.contains("\(key): \(count)\n"), "\(summary)")
    }
  }

  @Test(arguments: all) func aRepetitionAndStandardInputGiveTheSameBytes(_ golden: Golden) throws {
    let first = try replay(golden).outputBytes
    #expect(try replay(golden).outputBytes == first)
    let bytes = try contents(ofFile: golden.tracePath)
    let piped = try Program.parallax.run(["replay", "-"] + golden.options, input: bytes)
    #expect(piped.outputBytes == first, "\(piped.errors)")
  }

  /// At the same time, because each of them mostly waits.
  @Test func realtimeGivesTheSameBytes() throws {
    let programs = try Self.all.map { golden in
      try Program.parallax.start(
        ["replay", golden.tracePath, "--realtime", "--speed", "50"] + golden.options)
    }
    for (golden, program) in zip(Self.all, programs) {
      let result = try program.finish()
      #expect(try result.outputBytes == replay(golden).outputBytes, "\(golden.name)")
    }
  }

  private func replay(_ golden: Golden, _ more: [String] = []) throws -> ProgramResult {
    try Program.parallax.run(["replay", golden.tracePath] + golden.options + more)
  }
}

extension GoldenTests.Golden {
  /// Reads `NAME.json`, a flat object with one key per line.
  init(name: String) throws {
    let json = try text(ofFile: testDataPath("Golden/replay/\(name).json"))
    func value(_ key: String) throws -> Substring {
      let start = try #require(json.range(of: "\"\(key)\": "), "\(name).json: \(key)").upperBound
      return json[start...].prefix { !$0.isNewline }.trimmingSuffix(",")
    }
    self.name = name
    trace = try value("trace").trimmingQuotes()
    options = try value("options").trimmingQuotes().split(separator: " ").map(String.init)
    rowsOut = try #require(Int(value("rows_out")))
    tolerance = try #require(Double(String(value("tolerance"))))
    dropped = [:]
    for key in ["duplicate", "backwards", "rebased"] {
      if let count = (try? value(key)).flatMap({ Int($0) }) { dropped[key] = count }
    }
  }
}

/// Returns the rows of a table.
func numbers(in table: String, columns: String = "t,x,y") throws -> [[Double]] {
  let lines = table.split(whereSeparator: \.isNewline)
  try #require(lines.first.map(String.init) == columns)
  let count = columns.split(separator: ",").count
  return try lines.dropFirst().map { line in
    let row = line.split(separator: ",").compactMap { Double(String($0)) }
    try #require(row.count == count, "\(line)")
    return row
  }
}

extension StringProtocol {
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start != endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self
  }

  fileprivate func trimmingQuotes() -> String {
    String(drop { $0 == "\"" }.reversed().drop { $0 == "\"" }.reversed())
  }
}
