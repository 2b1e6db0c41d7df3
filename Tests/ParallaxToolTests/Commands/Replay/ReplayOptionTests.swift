// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// Options without a golden table.
@Suite("Options of replay", .timeLimit(.minutes(10)))
struct ReplayOptionTests {
  private let folder: TemporaryFolder
  private let trace: String

  /// 3 s at 100 Hz, turning back and forth about x and y.
  init() throws {
    folder = try TemporaryFolder()
    let rows = (0..<300).map { "\(Double($0) / 100),\(saw($0, 40)),\(saw($0, 70)),0.1\n" }
    trace = try folder.write("t,x,y,z\n" + rows.joined(), to: "walk.csv")
  }

  private func replay(_ options: String...) throws -> ProgramResult {
    let result = try Program.parallax.run(["replay", trace] + options)
    #expect(result.exitCode == 0, "\(result.errors)")
    return result
  }

  @Test func ndjsonHasTheRowsWithLayersAndNormalizedOffsets() throws {
    let options = ["--range-x=-2:4", "--layers", "bg=0.25,fg=-1.5"]
    let table = try numbers(
      in: Program.parallax.run(["replay", trace, "--velocity"] + options).output,
      columns: "t,x,y,vx,vy")
    let lines = try Program.parallax.run(["replay", trace, "--format", "ndjson"] + options)
      .outputLines
    #expect(table.count == 90)
    try #require(lines.count == table.count)
    for (index, (line, row)) in zip(lines, table).enumerated() {
      #expect(line.hasPrefix(#"{"class":"OFFSET","seq":\#(index),"time":"#), "\(line)")
      let fields = numbersByKey(in: line)
      try #require(
        fields.map(\.key) == [
          "seq", "time", "x", "y", "nx", "ny", "vx", "vy", "x", "y", "vx", "vy", "x", "y", "vx",
          "vy",
        ])
      let (x, y, vx, vy) = (row[1], row[2], row[3], row[4])
      let expected = [
        Double(index), row[0], x, y, x > 0 ? x / 4 : x / 2, y / 5, vx, vy, x * 0.25, y * 0.25,
        vx * 0.25, vy * 0.25, x * -1.5, y * -1.5, vx * -1.5, vy * -1.5,
      ]
      for (field, value) in zip(fields, expected) {
        #expect((field.value - value).magnitude <= 1.01e-6, "\(field) is not \(value) in \(line)")
      }
      #expect(Array(fields[1..<4].map(\.value)) == Array(row[..<3]), "\(line)")
    }
    #expect(table.contains { $0[3] < 0 } && table.contains { $0[3] > 0 })
    #expect(table.contains { $0[1] < 0 } && table.contains { $0[1] > 0 })
  }

  /// From the frames that a subscriber with a tolerance gets, a display is never farther off.
  @Test(arguments: [[], ["--mode", "tilt"]]) func onChangePrintsTheFramesThatADisplayNeeds(
    mode: [String]
  ) throws {
    func table(_ options: [String]) throws -> [[Double]] {
      try numbers(
        in: Program.parallax.run(["replay", trace, "--velocity", "--range=-9:9"] + mode + options)
          .output, columns: "t,x,y,vx,vy")
    }
    let all = try table(["--on-change", "0"])
    #expect(all.count > 170)
    // Every second one is a frame without the option.
    let plain = try table([])
    #expect(plain.allSatisfy(all.contains))
    let needed = try table(["--on-change", "0.5"])
    #expect(needed.count < all.count && needed.allSatisfy(all.contains))
    var sent = needed[0]
    for row in all {
      if needed.contains(row) { sent = row }
      for axis in 1...2 {
        let shown = sent[axis] + sent[axis + 2] * min(row[0] - sent[0], 0.05)
        #expect((min(max(shown, -9), 9) - row[axis]).magnitude < 0.51, "\(row) after \(sent)")
      }
    }
  }

  @Test func theSummary() throws {
    let rows =
      "t,x,y\n0,1,1\n0.01,nan,1\n0.01,1,1\n0.01,2,2\n0.005,1,1\nx,1,1\n2,1,1\n2.5,1,1\n2.6,"
    let result = try Program.parallax.run(
      ["replay", "-", "--summary", "--skip-bad-rows"], input: rows)
    #expect(
      result.errors == """
        rows: 9
        kept: 4
        duplicate: 1
        backwards: 1
        rebased: 0
        nonfinite: 1
        unreadable: 1
        footer: 1
        segments: 2
        frames: \(result.outputLines.count - 1)
        duration: 2.500000000 s
        rate: 2 Hz

        """)
    #expect(result.exitCode == 0)
  }

  /// The rows of a part are those of the whole replay, since the filters have the same past.
  @Test(arguments: ["csv", "ndjson"]) func aPartHasTheRowsOfTheWhole(format: String) throws {
    let options = ["--format", format, "--smoothing", "ema:0.3", "--mode", "tilt"]
    let all = try Program.parallax.run(["replay", trace] + options).outputLines
    let part = try Program.parallax.run(
      ["replay", trace, "--from", "1", "--to", "2"] + options
    ).outputLines
    let head = format == "csv" ? 1 : 0
    // 30 frames per second from 0 s on, both ends included.
    #expect(Array(part.dropFirst(head)) == Array(all[(30 + head)...(60 + head)]))
    #expect(part.prefix(head) == all.prefix(head))
    let rest = try Program.parallax.run(["replay", trace, "--from", "2.5"] + options).outputLines
    #expect(rest.last == all.last && rest.count < 20 + head)
  }

  @Test func aPartAfterTheEndIsNamed() throws {
    let result = try Program.parallax.run(["replay", trace, "--from", "1000"])
    #expect(result.exitCode == 0 && result.outputLines.count == 1)
    #expect(result.errors.contains("\(trace): the recording ends at "), "\(result.errors)")
    #expect(result.errors.hasSuffix(" s, before --from\n"))
    #expect(try Program.parallax.run(["replay", trace, "--from", "1"]).errors.isEmpty)
  }

  @Test func aPartIsPlotted() throws {
    let text = try replay("--from", "1", "--to", "2", "--plot", "-").output
    #expect(text.contains("1 to 2 s"))
    let labels = text.split(separator: "\n").last { $0.hasSuffix(" s") && !$0.contains("rows") }
    #expect(labels?.contains("1.0") == true && labels?.contains("1.8") == true, "\(text)")
  }

  @Test(arguments: [
    (["--from", "x"], "--from: invalid value 'x'; use seconds from the first sample"),
    (["--to=-1"], "--to: invalid value '-1'"),
    (["--from", "2", "--to", "2"], "--to: must be greater"),
    (["--from", "1", "--loop"], "--from: cannot be used with --loop"),
    (["--html", "x.html", "--loop"], "--html: a loop has no end"),
    (["--html", "x.html", "-o", "x.html"], "--html x.html: this is x.html; name another file"),
    (
      ["--html", "x.html", "--compare", "none"],
      "--compare: prints figures instead of offsets; omit --html"
    ),
  ])
  func wrongParts(options: [String], message: String) throws {
    let result = try Program.parallax.run(["replay", trace] + options)
    #expect(result.exitCode == 64 && result.errors.contains(message), "\(result.errors)")
  }

  @Test func aTraceOfOneSampleHasNoRate() throws {
    let result = try Program.parallax.run(["replay", "-", "--summary"], input: "t,x,y\n7,1,0.5\n")
    #expect(result.output == "t,x,y\n0.000000000,2.500000,5.000000\n")
    #expect(result.errors.hasSuffix("frames: 1\nduration: 0.000000000 s\nrate: unknown\n"))
  }

  @Test(arguments: [["--reduce-motion"], ["--low-power"], ["--low-power", "--reduce-motion"]])
  func aClosedGateGivesZeros(options: [String]) throws {
    let open = try numbers(in: replay().output)
    let closed = try Program.parallax.run(["replay", trace] + options).output
    #expect(try numbers(in: closed).map { [$0[1], $0[2]] }.allSatisfy { $0 == [0, 0] })
    #expect(try numbers(in: closed).map { $0[0] } == open.map { $0[0] })
    #expect(!closed.contains("-0"))
    #expect(open[0][1] != 0 || open[0][2] != 0 || open[1][1] != 0)
  }

  /// Returns the first `count` lines of an endless replay.
  private func loop(_ count: Int, _ options: String...) throws -> [String] {
    let program = try Program.parallax.start(["replay", trace, "--loop"] + options)
    var lines: [String] = []
    while lines.count < count, let line = try program.nextLine() { lines.append(line) }
    program.send(signal: 15)
    #expect(try program.finish().signal == 15)
    return lines
  }

  @Test func timeContinuesInALoop() throws {
    let once = try replay("--smoothing", "none").outputLines.map(String.init)
    let lines = try loop(4 * once.count, "--smoothing", "none")
    #expect(Array(lines.prefix(once.count)) == once)
    let rows = try numbers(in: lines.joined(separator: "\n"))
    for (earlier, later) in zip(rows, rows.dropFirst()) {
      // Samples after a segment's last frame yield none, so one frame may be missing there.
      let steps = (later[0] - earlier[0]) * 30
      #expect((steps - 1).magnitude < 1e-6 || (steps - 2).magnitude < 1e-6, "\(later)")
    }
  }

  /// Each pass has the same offsets, 2.99 s and one frame of 1/30 s later.
  @Test func eachLoopIsASegment() throws {
    let once = try numbers(in: replay("--rate", "native").output)
    try #require(once.count == 300)
    let rows = try numbers(in: loop(901, "--rate", "native").joined(separator: "\n"))
    try #require(rows.count == 900)
    for (index, row) in rows.enumerated() {
      let first = once[index % 300]
      let time = first[0] + Double(index / 300) * (2.99 + 1.0 / 30)
      #expect((row[0] - time).magnitude < 3e-9, "\(row)")
      #expect(row[1] == first[1] && row[2] == first[2], "\(row), first \(first)")
    }
  }

  @Test func realtimeGivesTheSameTable() throws {
    let plain = try replay().outputBytes
    #expect(try replay("--realtime", "--speed", "50").outputBytes == plain)
    #expect(
      try replay("--realtime", "--speed", "50", "--format", "ndjson").outputBytes
        == replay("--format", "ndjson").outputBytes)
  }

  @Test func aConstantBiasIsEstimatedInSeconds() throws {
    // 3 s, and 3 s more times the square of the bias by 0.05 rad/s.
    let rows = (0..<1000).map { "\(Double($0) / 100),0.025,-0.025,0.025\n" }.joined()
    let still = try folder.write("t,x,y,z\n" + rows, to: "still.csv")
    let options = ["--bias", "auto", "--smoothing", "none"]
    let table = try numbers(in: Program.parallax.run(["replay", still] + options).output)
    #expect(table.count == 300)
    for row in table {
      if row[0] < 3.75 {
        #expect(row[1] == -0.125 && row[2] == 0.125, "\(row)")
      } else if row[0] > 3.78 {
        #expect(row[1] == 0 && row[2] == 0, "\(row)")
      }
    }
    let without = try numbers(in: Program.parallax.run(["replay", still]).output)
    #expect(without.allSatisfy { $0[1] == -0.125 && $0[2] == 0.125 })
  }
}

/// -1...1 and back, `period` rows long.
private func saw(_ row: Int, _ period: Int) -> Double {
  let phase = Double(row % period) / Double(period)
  return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
}

/// The numbers of a line of JSON with their keys, in their order.
private func numbersByKey(in line: Substring) -> [(key: String, value: Double)] {
  line.split(separator: ",").compactMap { part in
    let pieces = part.split(separator: ":")
    guard let last = pieces.last, pieces.count > 1,
      let value = Double(last.filter { $0 != "}" })
    else { return nil }
    return (String(pieces[pieces.count - 2].filter { !"{\"".contains($0) }), value)
  }
}
