import ArgumentParser
import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxTrace
import Synchronization

/// `parallax replay`: recordings through the pipeline, offsets out.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Turn recorded gyroscope traces into offsets.",
    discussion: """
      Reads CSV of Sensor Logger, phyphox, xio, EuRoC, MotionSense, Physics Toolbox, Gyroflow, \
      Betaflight, HHAR and parallax itself; others with --columns. Prints t (s from the first \
      sample), x and y (px). The same trace and options give the same bytes, here and from the \
      daemon.

        parallax replay walk.csv --rate 60 --smoothing ema:0.1 -o offsets.csv
      """)

  @Argument(help: .init("Traces; '-' is standard input.", valueName: "trace"))
  var traces: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .init("Where the table goes; for several traces a folder.", valueName: "FILE"))
  var output: String?

  @Option(
    help: .init("A table, or the stream's OFFSET lines.", valueName: "csv|ndjson"))
  var format = TableFormat.csv

  @Flag(help: "Tell on standard error what became of the rows.")
  var summary = false

  @Flag(help: "Print each frame when it was, not at once.")
  var realtime = false

  @Option(
    parsing: .unconditional,
    help: .init("With --realtime: so many times as fast.", valueName: "X"))
  var speed: String?

  @Flag(help: "Begin again at the end; the time goes on.")
  var loop = false

  @Option(help: .init("Take settings from this file.", valueName: "FILE"))
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
      isShown: isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0 && !realtime)
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
    // Replay depends on nothing around it: no default files, no environment.
    var builder =
      config.map {
        ConfigLoader(process: ProcessFacts(userID: 0, variables: [:])).builder(file: $0)
      }
      ?? ConfigurationBuilder()
    builder.set(pipeline)
    do {
      settings.configuration = try builder.build().configuration
    } catch {
      throw CommandFailure(reporting: error)
    }
    settings.reading = try reading.options()
    settings.format = format
    settings.loops = loop
    guard !loop || !traces.contains("-") else {
      throw CommandFailure(
        .usage, "--loop needs a file, which can be begun anew; standard input cannot")
    }
    if realtime {
      settings.realtimeSpeed = try OptionText.number(
        speed ?? "1", in: Pace.speedRange, option: "--speed", allowed: "0.001 to 1000000")
    } else if speed != nil {
      throw CommandFailure(.usage, "--speed goes with --realtime; add it")
    }
    return settings
  }

  /// Tells what happened to each trace, in their order; the first failure decides the exit code.
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
      case .failed(let problem)?:
        if let earlier = failure {
          Console.report(earlier.message)
          failure = CommandFailure(earlier.exit, problem.message)
        } else {
          failure = problem
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
      // With a pipe among them nobody knows.
      guard stat(trace, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
      total += Int(status.st_size)
    }
    return total
  }
}

/// How the work on one trace ended.
private enum Outcome: Sendable {
  case done(ReplaySummary)
  /// Nobody reads the table any more.
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
    } catch {
      self = .failed(CommandFailure(.inputOutput, "\(error)"))
    }
  }
}

extension CommandFailure {
  init(_ error: TraceError) {
    let exit: ToolExit =
      switch error.meaning {
      case .badData: .badData
      case .noInput: .noInput
      case .noPermission: .noPermission
      case .readFailed: .inputOutput
      case .usage: .usage
      }
    self.init(exit, error.description)
  }
}
