// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxMotion
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

  @Option(
    parsing: .unconditional,
    help: .init(
      "Write or draw only from this time on, in seconds from the first sample; filters run from the start.",
      valueName: "S"))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Write or draw only up to this time, in seconds from the first sample.", valueName: "S"))
  var to: String?

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
    parsing: .unconditional,
    help: .init(
      "Number of threads (default: one per core, up to 4 for one trace); the tables do not depend on it.",
      valueName: "N"))
  var jobs: String?

  @Option(
    help: .init("Read settings from this file.", valueName: "FILE"), completion: .path)
  var config: String?

  @Option(
    parsing: .upToNextOption,
    help: .init(
      "Compare smoothings instead: lag and jitter at rest, one row each; after the trace.",
      valueName: "SPEC"),
    completion: .values(ofKey: "motion.smoothing"))
  var compare: [String] = []

  @OptionGroup(title: "Plot options")
  var plots: PlotOptions

  @OptionGroup(title: "Reading options")
  var reading: TraceReadingOptions

  @OptionGroup(title: "Pipeline options")
  var pipeline: PipelineOptions

  func run() throws {
    var settings = try settings()
    let plan = try ReplayPlan(traces: traces, output: output, format: format)
    let plot = try plots.target()
    if let plot { try check(plot, plan) }
    guard compare.isEmpty else { return try runComparison(plot, settings) }
    let progress = Progress(
      totalBytes: settings.loops ? 0 : Self.bytes(of: traces),
      isShown: isatty(STDERR_FILENO) == 1 && !realtime
        && (plot != nil || !plan.printsOnTerminal))
    if let plot { return try draw(plot, of: plan.items[0], settings, progress) }
    let jobs = try jobCount()
    let traceThreads = max(1, min(jobs, plan.items.count))
    settings.threads = self.jobs == nil ? min(jobs / traceThreads, 4) : jobs / traceThreads
    let outcomes = Mutex([Outcome?](repeating: nil, count: plan.items.count))
    WorkerThreads.run(jobs: plan.items.count, threads: traceThreads) { [settings] index in
      let job = ReplayJob(item: plan.items[index], settings: settings, progress: progress)
      let outcome = Outcome { try job.run().summary }
      outcomes.withLock { $0[index] = outcome }
    }
    progress.finish()
    try report(outcomes.withLock { $0 }, settings.span)
  }

  /// Returns the number of threads for all traces.
  private func jobCount() throws(CommandFailure) -> Int {
    guard let jobs else { return WorkerThreads.coreCount }
    let allowed = "1 to \(Self.maxJobs)"
    let count = try OptionText.number(
      jobs, in: 1...Double(Self.maxJobs), option: "--jobs", allowed: allowed)
    guard let whole = Int(exactly: count) else {
      throw CommandFailure(.usage, "--jobs: invalid value '\(jobs)'; use \(allowed)")
    }
    return whole
  }

  /// More threads than any machine has use for.
  private static let maxJobs = 256

  private func runComparison(_ plot: PlotTarget?, _ settings: ReplaySettings) throws {
    let unused = [
      ("-o", output != nil), ("--format", format != .csv), ("--velocity", velocity),
      ("--summary", summary), ("--realtime", realtime), ("--loop", loop),
      ("--from", from != nil), ("--to", to != nil),
    ]
    if let (option, _) = unused.first(where: { $0.1 }) {
      throw CommandFailure(
        .usage, "--compare: prints figures instead of offsets; omit \(option)")
    }
    guard traces.count == 1 else {
      throw CommandFailure(
        .usage, "--compare: measures one trace; compare the \(traces.count) traces one at a time")
    }
    let smoothings = try SmoothingFigures.smoothings(parsing: compare)
    guard plot == nil || smoothings.count <= PlotTheme.maxSignals else {
      throw CommandFailure(
        .usage,
        "--compare: a plot has at most \(PlotTheme.maxSignals) smoothings; name fewer or omit --plot"
      )
    }
    try ReplayComparison(trace: traces[0], smoothings: smoothings, settings: settings)
      .run(plot: plot)
  }

  /// Checks that the options fit a plot.
  private func check(_ plot: PlotTarget, _ plan: ReplayPlan) throws(CommandFailure) {
    guard traces.count == 1 else {
      throw CommandFailure(
        .usage, "--plot: draws one trace; replay the \(traces.count) traces one at a time")
    }
    guard !loop else {
      throw CommandFailure(.usage, "--plot: a loop has no end that could be drawn; omit --loop")
    }
    try plot.checkDiffers(from: traces + plan.items.compactMap(\.output))
  }

  private func draw(
    _ target: PlotTarget, of item: ReplayPlan.Item, _ settings: ReplaySettings, _ progress: Progress
  ) throws {
    var result: ReplayResult?
    let outcome = Outcome {
      let done = try ReplayJob(item: item, settings: settings, progress: progress)
        .run(plot: ReplayPlot(pixels: target.pixels, span: settings.span))
      result = done
      return done.summary
    }
    progress.finish()
    try report([outcome], settings.span)
    if let result, let plot = result.plot {
      try target.draw(plot.figure(result.plotFacts(settings.configuration)))
    }
  }

  private func settings() throws -> ReplaySettings {
    var settings = ReplaySettings()
    settings.configuration = try ReproducibleConfiguration.load(
      file: config, pipeline.assignments)
    for note in notes(settings.configuration.motion) { Console.report(note) }
    settings.reading = try reading.options()
    settings.format = format
    settings.printsVelocity = velocity
    settings.loops = loop
    settings.span = try span()
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

  private func span() throws(CommandFailure) -> ReplaySpan {
    func time(_ text: String?, _ option: String) throws(CommandFailure) -> MotionDuration? {
      guard let text else { return nil }
      let seconds = try OptionText.number(
        text, in: 0...1e9, option: option, allowed: "seconds from the first sample, such as 2.5")
      return MotionDuration(seconds: seconds)
    }
    var span = ReplaySpan()
    span.from = try time(from, "--from") ?? .zero
    span.to = try time(to, "--to")
    if let end = span.to, end <= span.from {
      throw CommandFailure(.usage, "--to: must be greater than --from")
    }
    guard !loop || span.isWhole else {
      throw CommandFailure(
        .usage, "\(from != nil ? "--from" : "--to"): cannot be used with --loop; omit one of them")
    }
    return span
  }

  /// Returns a note for each option that changes nothing.
  private func notes(_ settings: MotionSettings) -> [String] {
    var notes = pipeline.motion.notes(with: settings)
    if let oversample = pipeline.oversample {
      notes.append("\(oversample.option): has no effect on a recording; it asks a gyroscope")
    }
    if velocity, format != .csv {
      notes.append("--velocity: has no effect with --format ndjson, which always has velocities")
    }
    return notes
  }

  /// Reports the result of each trace, in order. The first failure decides the exit status.
  private func report(_ outcomes: [Outcome?], _ span: ReplaySpan) throws {
    var failure: CommandFailure?
    for (trace, outcome) in zip(traces, outcomes) {
      switch outcome {
      case .done(let result)?:
        if span.from > result.duration {
          let end = Figures.short(result.duration.seconds, 3)
          Console.report("\(trace): the recording ends at \(end) s, before --from")
        }
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
