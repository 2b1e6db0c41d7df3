// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

@testable import ParallaxTool

/// The table has the same bytes, and an error the same text, with any number of threads and any blocks.
@Suite(.timeLimit(.minutes(10)))
struct TableWorkersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Outcome: Equatable {
    var text = ""
    var error: String?
    /// Without an error.
    var summary: String?
  }

  private struct Case {
    var path: String
    var options = TraceOptions()
    var settings = MotionSettings()
    var format = TableFormat.csv
    var printsVelocity = false
    private let layers: LayerSet

    init(path: String) throws {
      self.path = path
      layers = try LayerSet([])
    }

    func makeTable() -> OffsetTable {
      OffsetTable(
        format: format, printsVelocity: printsVelocity, settings: settings, layers: layers, gain: 1
      )
    }
  }

  /// Replays one sample at a time.
  private func plain(_ replay: Case) throws -> Outcome {
    do {
      var trace = try OpenedTrace(
        path: replay.path, options: replay.options, settings: replay.settings)
      var pipeline = trace.makePipeline(orientation: nil)
      var table = replay.makeTable()
      var columns = FrameColumns(hasVelocities: table.hasVelocities)
      var outcome = Outcome()
      do throws(TraceError) {
        while let sample = try trace.reader.next() {
          let hasBegun = pipeline.sensor.firstTime != nil
          _ = pipeline.push(sample)
          if !hasBegun, let origin = pipeline.sensor.firstTime {
            table.origin = origin
            table.begin()
          }
          while let frame = pipeline.nextFrame() {
            columns.append(frame)
            table.append(columns, 0..<1)
            columns.removeAll()
            table.firstFrame += 1
          }
        }
        var summary = ReplaySummary()
        let span = (pipeline.sensor.lastTime ?? .zero) - (pipeline.sensor.firstTime ?? .zero)
        summary.add(pipeline.counts, trace.reader.counts, duration: span)
        outcome.summary = summary.text
      } catch {
        outcome.error = error.description
      }
      outcome.text = table.lines.text
      return outcome
    } catch {
      return Outcome(error: "\(error)")
    }
  }

  /// Replays in blocks to a FIFO, which keeps the lines before an error.
  private func inBlocks(_ replay: Case, threads: Int, blockSize: Int) throws -> Outcome {
    let output = folder("table")
    try #require(mkfifo(output, 0o600) == 0)
    let reading = try FileDescriptor.open(output, O_RDONLY | O_NONBLOCK)
    defer { unlink(output) }
    var outcome = Outcome()
    do {
      let trace = try OpenedTrace(
        path: replay.path, options: replay.options, settings: replay.settings,
        readsUnusedZ: false, blockSize: blockSize)
      let pipeline = trace.makePipeline(orientation: nil)
      let table = try OutputFile(path: output)
      var rows: TraceRows?
      let blocks = trace.split(rows: &rows, loops: false)
      guard let taken = rows.take() else { return outcome }
      let workers = TableWorkers(
        blocks, ReplayMotion(rows: taken, pipeline: pipeline, plotter: nil, loops: false),
        to: TableOutput(table), progress: Progress(totalBytes: 0, isShown: false),
        makeTable: { [replay] in replay.makeTable() })
      var summary = ReplaySummary()
      _ = try workers.run(threads: threads, summary: &summary)
      outcome.summary = summary.text
    } catch {
      outcome.error = "\(error)"
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(reading.raw, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    outcome.text = String(decoding: bytes, as: UTF8.self)
    return outcome
  }

  private func expectTheSame(_ replay: Case, blockSizes: some Sequence<Int>, _ note: String) throws
  {
    let expected = try plain(replay)
    // A FIFO holds 64 KiB.
    try #require(expected.text.utf8.count < 60_000)
    for blockSize in blockSizes {
      let threads = 1 + blockSize % 4
      let outcome = try inBlocks(replay, threads: threads, blockSize: blockSize)
      #expect(outcome == expected, "\(threads) threads, blocks of \(blockSize) bytes; \(note)")
    }
  }

  /// Each offset of a short trace is once the end of a block.
  @Test(arguments: [
    "t,x,y,z\n0.00,1,2,3\n0.01,1.25E-1,-2.5,0\n\n# note\n 0.02 ,3,4,1\n0.02,9,9,9\n5.0,1,1,1\n5.01,2,1,1",
    "t,x,y\r\n0,1,2\r\n0.1,2,3\r\n0.2,3\r\n0.3,1,1\r\n0.4,1,1\r\n",
    "t,x,y\n0,1,2\n0.1,nan,3\n0.2,3,4\nfooter\nfooter",
    "t,x,y\n0,1,2\n0.1,x,3\n0.2,3,4\n",
    "t,x,y\n", "t,x,y\n1,2,3", "", "t,x,y\nno row\n", "t,x,y\n1,1,1\n1,1,1\n",
    "t,x,y,z\n0,1,2,3\n0.1,1,2,50\n0.2,1,2,\n",
  ])
  func everyBorder(text: String) throws {
    let forms: [(Bool, FrameRate, TableFormat, Bool)] = [
      (false, .native, .csv, false), (true, .native, .csv, false),
      (false, .hertz(100), .csv, false),
      (true, .native, .csv, true), (false, .native, .ndjson, false),
    ]
    for (skips, rate, format, printsVelocity) in forms {
      var replay = try Case(path: try folder.write(text, to: "t.csv"))
      replay.options.skipsBadRows = skips
      (replay.format, replay.printsVelocity) = (format, printsVelocity)
      replay.settings.smoothing = .ema(timeConstantSeconds: 0.1)
      replay.settings.frameRate = rate
      try expectTheSame(replay, blockSizes: 1...(text.utf8.count + 2), "\(skips), \(rate)")
    }
  }

  @Test func randomTraces() throws {
    var generator = SeededGenerator.forTest()
    for round in 0..<40 {
      var replay = try Case(path: try folder.write(Self.randomTrace(&generator), to: "t.csv"))
      replay.options.skipsBadRows = round % 3 == 0
      replay.settings.frameRate = round % 4 == 0 ? .hertz(90) : .native
      replay.settings.smoothing = try Smoothing(
        parsing: ["ema:0.12", "none", "auto", "one-euro:1,0.2", "spring:0.5"][round % 5])
      let sizes = (0..<8).map { _ in Int.random(in: 1...20_000, using: &generator) }
      try expectTheSame(replay, blockSizes: sizes, generator.note)
    }
  }

  /// Rows with gaps, other spellings, and in some traces rows that cannot be read.
  private static func randomTrace(_ generator: inout SeededGenerator) -> String {
    var text = "t,x,y,z\n"
    var milliseconds = 0
    let badRows = Bool.random(using: &generator) ? 1 : 0
    for _ in 0..<Int.random(in: 0...1_000, using: &generator) {
      milliseconds += Int.random(in: 0..<300, using: &generator) == 0 ? 700 : 10
      let rate = Double.random(in: -3...3, using: &generator)
      let time = "\(Double(milliseconds) / 1_000)"
      switch Int.random(in: 0..<400, using: &generator) {
      case 0: text += "# comment\n"
      case 1: text += "\n"
      case 2: text += " \(time),\(rate),+1,0\n"
      case 3: text += "\"\(time)\",1,\(rate),0\r\n"
      case 4: text += "\(time),1,2\n"
      case 5: text += "\(time),nan,\(rate),0\n"
      case 6 where badRows > 0: text += "\(time),one,2,3\n"
      default: text += "\(time),\(rate),\(rate * 0.37),-0.1\n"
      }
    }
    return text
  }

  // MARK: - The command

  /// Whether a file or a stream, the table is the same, and so is an error far into it.
  @Test func manyBlocks() throws {
    var text = "t,x,y,z\n"
    for index in 0..<20_000 { text += "\(Double(index) / 100),\(index % 7).5,-\(index % 5),0.1\n" }
    let good = try folder.write(text, to: "good.csv")
    let bad = try folder.write(text + "200,x,1,1\n200.01,1,1,1\n", to: "bad.csv")
    let options = ["--rate", "native", "--smoothing", "ema:0.12"]
    let table = try Program.parallax.run(["replay", good, "--jobs", "1"] + options)
    #expect(table.outputLines.count == 20_001)
    for jobs in ["2", "3", "4"] {
      let result = try Program.parallax.run(["replay", good, "--jobs", jobs] + options)
      #expect(result.outputBytes == table.outputBytes)
      let failed = try Program.parallax.run(["replay", bad, "--jobs", jobs] + options)
      #expect(failed.outputBytes == table.outputBytes)
      #expect(
        failed.errors
          == "parallax: \(bad):20002: column 2: 'x' in 'x' is not a number; fix the row or add "
          + "--skip-bad-rows\n")
      #expect(failed.exitCode == 65)
      let stream = try Program.parallax.run(
        ["replay", "-", "--jobs", jobs] + options, input: text)
      #expect(stream.outputBytes == table.outputBytes)
    }
  }

  /// The file has no name before it is complete.
  @Test(arguments: ["1", "4"])
  func aKillLeavesNoFile(jobs: String) throws {
    let out = folder("out")
    try folder.makeFolder("out")
    // A FIFO without an end: the replay is always halfway.
    let input = folder("trace")
    try #require(mkfifo(input, 0o600) == 0)
    let program = try Program.parallax.start(
      ["replay", input, "-o", "\(out)/table.csv", "--rate", "native", "--jobs", jobs])
    let writing = try FileDescriptor.open(input, O_WRONLY)
    let rows = Array(
      ("t,x,y\n" + (0..<20_000).map { "\($0),1,2\n" }.joined()).utf8)
    // The FIFO holds 64 KiB: the rest has been read.
    #expect(write(writing.raw, rows, rows.count) == rows.count)
    program.send(signal: SIGKILL)
    #expect(try program.finish().signal == SIGKILL)
    #expect(try namesInFolder(out).isEmpty)
  }
}
