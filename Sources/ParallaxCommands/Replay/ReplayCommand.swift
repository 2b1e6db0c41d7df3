// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxPlatform
import ParallaxTrace
import Synchronization

/// `parallax replay`: turns recordings into offsets.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Turn recorded gyroscope traces into offsets.",
    discussion: """
      Reads CSV files of Sensor Logger, phyphox, xio, EuRoC, MotionSense, Physics Toolbox, \
      Gyroflow, Betaflight, HHAR and parallax itself; others with --columns. Prints t (seconds \
      from the first sample), x and y (px). The same trace and options always give the same \
      output, and the daemon gives the same offsets.

        parallax replay walk.csv --rate 60 --smoothing ema:0.1 -o offsets.csv
      """)

  @Argument(
    help: .init("Traces to replay; '-' is standard input.", valueName: "trace"), completion: .path)
  var traces: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .init("File for the table; a folder for several traces.", valueName: "FILE"),
    completion: .path)
  var output: String?

  @Option(
    help: .init(
      "Output format: a table, or OFFSET lines as in the stream.", valueName: "csv|ndjson"))
  var format = TableFormat.csv

  @Flag(help: "Add the columns vx and vy (px/s) to a CSV table.")
  var velocity = false

  @Flag(help: "Print a summary of the rows to standard error.")
  var summary = false

  @Flag(help: "Print the frames at the pace of the recording.")
  var realtime = false

  @Option(
    parsing: .unconditional,
    help: .init("Playback speed for --realtime; 2 is twice as fast (default: 1).", valueName: "X"))
  var speed: String?

  @Flag(help: "Repeat the trace; time continues.")
  var loop = false

  @Option(
    help: .init("Read settings from this file.", valueName: "FILE"), completion: .path)
  var config: String?

  @OptionGroup(title: "Reading options")
  var reading: TraceReadingOptions

  @OptionGroup(title: "Pipeline options")
  var pipeline: PipelineOptions

  func run() throws {
    let settings = try settings()
    let plan = try ReplayPlan(traces: traces, output: output, format: format)
    let progress = Progress(
      totalBytes: settings.loops ? 0 : Self.bytes(of: traces),
      isShown: isatty(STDERR_FILENO) == 1 && !plan.printsOnTerminal && !realtime)
    let outcomes = Mutex([Outcome?](repeating: nil, count: plan.items.count))
    WorkerThreads.run(jobs: plan.items.count) { index in
      let job = ReplayJob(item: plan.items[index], settings: settings, progress: progress)
      let outcome = Outcome { try job.run() }
      outcomes.withLock { $0[index] = outcome }
    }
    progress.finish()
    try report(outcomes.withLock { $0 })
  }

  private func settings() throws -> ReplaySettings {
    var settings = ReplaySettings()
    // A replay is reproducible: it reads no default files and no environment.
    var builder =
      config.map {
        ConfigLoader(process: ProcessEnvironment(userID: 0, variables: [:])).builder(file: $0)
      }
      ?? ConfigurationBuilder()
    builder.set(pipeline.assignments)
    do {
      settings.configuration = try builder.build().configuration
    } catch {
      throw CommandFailure(reporting: error)
    }
    settings.reading = try reading.options()
    settings.format = format
    settings.printsVelocity = velocity
    settings.loops = loop
    guard !loop || !traces.contains("-") else {
      throw CommandFailure(
        .usage, "--loop: standard input cannot be read twice; name a file")
    }
    if realtime {
      settings.realtimeSpeed = try OptionText.number(
        speed ?? "1", in: PlaybackClock.speedRange, option: "--speed", allowed: "0.001 to 1000000")
    } else if speed != nil {
      throw CommandFailure(.usage, "--speed: requires --realtime; add it")
    }
    return settings
  }

  /// Reports the result of each trace, in order. The first failure decides the exit status.
  private func report(_ outcomes: [Outcome?]) throws {
    var failure: CommandFailure?
    for (trace, outcome) in zip(traces, outcomes) {
      switch outcome {
      case .done(let result)?:
        guard summary else { continue }
        let heading = traces.count > 1 ? "file: \(trace)\n" : ""
        Console.writeError(heading + result.text)
      case .closed?:
        throw OutputClosed()
      case .failed(let error)?:
        if let earlier = failure {
          Console.report(earlier.message)
          failure = CommandFailure(earlier.exit, error.message)
        } else {
          failure = error
        }
      case nil: break
      }
    }
    if let failure { throw failure }
  }

  private static func bytes(of traces: [String]) -> Int {
    var total = 0
    for trace in traces {
      var status = stat()
      // The size of a pipe is unknown.
      guard stat(trace, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
      total += Int(status.st_size)
    }
    return total
  }
}

/// The result of replaying one trace.
private enum Outcome: Sendable {
  case done(ReplaySummary)
  /// The reader of the table is gone.
  case closed
  case failed(CommandFailure)

  init(_ work: () throws -> ReplaySummary) {
    do {
      self = .done(try work())
    } catch is OutputClosed {
      self = .closed
    } catch let failure as CommandFailure {
      self = .failed(failure)
    } catch let error as TraceError {
      self = .failed(CommandFailure(error))
    } catch let error as OutputFileError {
      self = error.kind == .readerGone ? .closed : .failed(CommandFailure(error))
    } catch {
      self = .failed(CommandFailure(.inputOutput, "\(error)"))
    }
  }
}
