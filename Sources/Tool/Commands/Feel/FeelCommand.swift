// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxConfig
import ParallaxMotion
import ParallaxTrace

/// `parallax feel`: measures how the picture follows the hand of a recording.
struct FeelCommand: ParsableCommand {
  /// The form of the figures.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// Words, or a table of several smoothings.
    case text
    /// One JSON object per smoothing.
    case json
  }

  static let configuration = CommandConfiguration(
    commandName: "feel",
    abstract: "Measure lag, error and jitter on a recorded trace.",
    discussion: """
      Replays a gyroscope trace, draws its frames as a client does on a display, and compares what \
      is drawn with an ideal that knows the whole recording. Reads the same files as replay. \
      docs/feel.md explains the figures.

        parallax feel walk.csv
        parallax feel walk.csv --mode tilt --compare none ema:0.1 one-euro:1,0.2
        parallax feel walk.csv --from 12 --to 14 --plot turn.svg
      """)

  @Argument(
    help: .init("Trace to measure; '-' is standard input.", valueName: "trace"), completion: .path)
  var trace: String

  @Option(
    parsing: .upToNextOption,
    help: .init("Smoothings to compare, one row each; after the trace.", valueName: "SPEC"),
    completion: .values(ofKey: "motion.smoothing"))
  var compare: [String] = []

  @Option(
    parsing: .unconditional,
    help: .init("Pictures per second of the display (default: 120).", valueName: "HZ"))
  var display: String?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Time from drawing a picture until it is seen (default: one picture of the display).",
      valueName: "MS"))
  var ahead: String?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Tolerance of the client, for which it gets up to 60 frames per second; off: it gets each frame of --rate (default: 0.01).",
      valueName: "PX|off"))
  var onChange: String?

  @Option(
    parsing: .unconditional,
    help: .init("Lose every N-th frame on the way to the client (default: none).", valueName: "N"))
  var lose: String?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Apply a low-pass with this delay to the samples, as a sensor does (default: 0).",
      valueName: "MS"))
  var sensorDelay: String?

  @Option(
    help: .init(
      "How the client draws: along the velocity, along the last two positions, or the newest frame.",
      valueName: ClientKind.allCases.map(\.rawValue).joined(separator: "|")))
  var client = ClientKind.velocity

  @Flag(help: "Choose the scale so that the motion seldom reaches the end of the range.")
  var fit = false

  @Flag(help: "Measure frames with all decimals instead of the stream's 0.01 px.")
  var unrounded = false

  @Option(
    help: .init(
      "File for every picture: its time (s), offset and ideal offset (px).", valueName: "FILE"),
    completion: .path)
  var pictures: String?

  @OptionGroup var part: SpanOptions

  @Option(help: .init("Output format.", valueName: "text|json"))
  var format = Format.text

  @Option(
    help: .init("Read settings from this file.", valueName: "FILE"), completion: .path)
  var config: String?

  @OptionGroup(title: "Plot options")
  var plots: PlotOptions

  @OptionGroup(title: "Reading options")
  var reading: TraceReadingOptions

  @OptionGroup(title: "Pipeline options")
  var motion: MotionOptions

  func run() throws {
    let configuration = try ReproducibleConfiguration.load(file: config, motion.assignments)
    let smoothings =
      compare.isEmpty
      ? [configuration.motion.smoothing] : try SmoothingFigures.smoothings(parsing: compare)
    guard pictures == nil || compare.isEmpty else {
      throw CommandFailure(.usage, "--pictures: writes one smoothing; omit --compare")
    }
    let options = try options()
    let span = try part.span()
    let plot = try plots.target()
    if let plot {
      try plot.checkDiffers(from: [trace] + (pictures.map { [$0] } ?? []))
      guard smoothings.count <= FeelPlot.maxSmoothings else {
        throw CommandFailure(
          .usage,
          "--compare: a plot has at most \(FeelPlot.maxSmoothings) smoothings; name fewer or omit --plot"
        )
      }
    }
    let loaded = try LoadedRecording(
      trace, settings: configuration.motion, orientation: configuration.orientation.source,
      reading: try reading.options())
    for warning in loaded.warnings { Console.report(warning) }
    let bench = try loaded.bench(options, span)
    if let pictures {
      let segments = bench.pictures(smoothing: configuration.motion.smoothing)
      try write(Array(segments.joined()), to: pictures)
    }
    let stops = StopBench(loaded.recording.settings, options: options)
    let figures = SmoothingFigures.measure(smoothings, bench, stops: stops)
    let report = FeelReport(
      name: loaded.name, recording: loaded.recording, bench: bench, options: options,
      rows: zip(smoothings, figures).map { ($0, $1) })
    try plot?.draw(report.plot(bench, pixels: plot?.pixels ?? 0))
    switch format {
    case .json: try Console.print(report.json, terminator: "")
    case .text:
      try Console.print(
        compare.isEmpty ? report.words : report.table(FeelColumn.all), terminator: "")
    }
  }

  private func write(_ pictures: [FeelBench.Picture], to path: String) throws {
    do throws(OutputFileError) {
      let output = try OutputFile(path: path)
      var lines = OutputBuffer()
      lines.append("t,x,y,ideal-x,ideal-y\n")
      for picture in pictures {
        lines.append(picture.seconds, fixedDecimals: 6)
        for value in [picture.shown.x, picture.shown.y, picture.ideal.x, picture.ideal.y] {
          lines.append(byte: UInt8(ascii: ","))
          lines.append(value, fixedDecimals: 6)
        }
        lines.append("\n")
      }
      try output.write(&lines)
      try output.finish()
    } catch {
      throw error.commandError
    }
  }

  private func options() throws(CommandFailure) -> FeelOptions {
    var options = FeelOptions()
    if let display {
      options.displayHertz = try OptionText.number(
        display, in: FeelOptions.displayRange, option: "--display", allowed: "24 to 1000")
    }
    options.aheadSeconds = try ahead.map { text throws(CommandFailure) in
      try OptionText.number(
        text, in: FeelOptions.aheadMillisecondsRange, option: "--ahead", allowed: "0 to 100 ms")
        / 1000
    }
    if let sensorDelay {
      options.sensorDelaySeconds =
        try OptionText.number(
          sensorDelay, in: FeelOptions.sensorDelayMillisecondsRange, option: "--sensor-delay",
          allowed: "0 to 100 ms") / 1000
    }
    if onChange == "off" {
      options.tolerancePx = nil
    } else if let onChange {
      options.tolerancePx = try OptionText.number(
        onChange, in: NeededFrames.tolerancePxRange, option: "--on-change",
        allowed: "off or 0 to 1000 px")
    }
    options.losesEvery = try lose.map { text throws(CommandFailure) in
      Int(
        try OptionText.number(
          text, in: FeelOptions.losesEveryRange, option: "--lose", allowed: "2 to 1000"))
    }
    options.client = client
    options.fitsScale = fit
    options.roundsFrames = !unrounded
    return options
  }
}

extension ClientKind: ExpressibleByArgument {}
