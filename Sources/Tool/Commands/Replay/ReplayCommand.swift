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
        parallax replay walk.csv --from 12 --to 14 --plot turn.svg --html turn.html
      """)

  @Argument(
    help: .init("Traces to replay; '-' is standard input.", valueName: "trace"), completion: .path)
  var traces: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .init(
      "File for the table, '-' for standard output; a folder for several traces.",
      valueName: "FILE"),
    completion: .path)
  var output: String?

  @Option(
    help: .init(
      "Output format: a table, or OFFSET lines as in the stream.", valueName: "csv|ndjson"))
  var format = TableFormat.csv

  @OptionGroup var part: SpanOptions

  @Flag(help: "Add the columns vx and vy (px/s) to a CSV table.")
  var velocity = false

  @Option(
    parsing: .unconditional,
    help: .init(
      "Print the frames that a subscriber with this tolerance gets: up to 60 per second, with vx and vy.",
      valueName: "PX"))
  var onChange: String?

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
    help: .init(
      "Write a page that plays the offsets on a card, to FILE or, with '-', to standard output; it "
        + "needs no other file.", valueName: "FILE"),
    completion: .path)
  var html: String?

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
    try check(plot, plan)
    guard compare.isEmpty else { return try runComparison(plot, settings) }
    let progress = Progress(
      totalBytes: settings.loops ? 0 : Self.bytes(of: traces),
      isShown: isatty(STDERR_FILENO) == 1 && !realtime
        && (plot != nil || html != nil || !plan.printsOnTerminal))
    if plot != nil || html != nil {
      return try draw(plot, of: plan.items[0], settings, progress)
    }
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
      ("--on-change", onChange != nil), ("--summary", summary), ("--realtime", realtime),
      ("--loop", loop), ("--html", html != nil),
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

  /// Checks that the options fit a plot or a page.
  private func check(_ plot: PlotTarget?, _ plan: ReplayPlan) throws(CommandFailure) {
    for (option, isSet) in [("--plot", plot != nil), ("--html", html != nil)] where isSet {
      guard traces.count == 1 else {
        throw CommandFailure(
          .usage, "\(option): draws one trace; replay the \(traces.count) traces one at a time")
      }
      guard !loop else {
        throw CommandFailure(
          .usage, "\(option): a loop has no end that could be drawn; omit --loop")
      }
    }
    let writers = [
      ("-o -", output == "-"), ("--plot -", plot?.isTerminal == true), ("--html -", html == "-"),
    ].filter(\.1).map(\.0)
    guard writers.count < 2 else {
      throw CommandFailure(
        .usage, "\(writers.joined(separator: " and ")) write standard output; use one of them")
    }
    let others = traces + plan.items.compactMap(\.output)
    try plot?.checkDiffers(from: others + (html.map { [$0] } ?? []))
    if let html, html != "-",
      let other = others.first(where: { $0 == html || PlotTarget.isSameFile($0, html) })
    {
      throw CommandFailure(.usage, "--html \(html): this is \(other); name another file")
    }
  }

  private func draw(
    _ target: PlotTarget?, of item: ReplayPlan.Item, _ settings: ReplaySettings,
    _ progress: Progress
  ) throws {
    var result: ReplayResult?
    let outcome = Outcome {
      let done = try ReplayJob(item: item, settings: settings, progress: progress)
        .run(
          plot: target.map { ReplayPlot(pixels: $0.pixels, span: settings.span) },
          frames: html.map { _ in ReplayFrames(span: settings.span) })
      result = done
      return done.summary
    }
    progress.finish()
    try report([outcome], settings.span)
    guard let result else { return }
    if let html { try writePage(result, to: html) }
    if let plot = result.plot {
      try target?.draw(plot.figure(result.plotFacts(settings.configuration)))
    }
  }

  private func writePage(_ result: ReplayResult, to path: String) throws {
    guard result.frames.count <= MotionPage.maxFrames else {
      throw CommandFailure(
        .usage,
        "--html: a page has at most \(MotionPage.maxFrames) frames; add --from and --to, or --rate")
    }
    guard !result.frames.isEmpty else {
      throw CommandFailure(.badData, "\(result.name): no frame for a page")
    }
    let page = MotionPage(name: ReplayResult.title(result.name), frames: result.frames)
    try PlotTarget.write(Array(page.html.utf8), to: path)
  }

  private func settings() throws -> ReplaySettings {
    var settings = ReplaySettings()
    settings.configuration = try ReproducibleConfiguration.load(
      file: config, pipeline.assignments)
    for note in notes(settings.configuration.motion) { Console.report(note) }
    settings.reading = try reading.options()
    settings.format = format
    settings.printsVelocity = velocity
    settings.tolerancePx = try onChange.map { text throws(CommandFailure) in
      try OptionText.number(
        text, in: NeededFrames.tolerancePxRange, option: "--on-change", allowed: "0 to 1000 px")
    }
    settings.loops = loop
    settings.span = try part.span()
    if loop, let option = part.usedOption {
      throw CommandFailure(.usage, "\(option): cannot be used with --loop; omit one of them")
    }
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
  private func report(_ outcomes: [Outcome?], _ span: RecordingSpan) throws {
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
