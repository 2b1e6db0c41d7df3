import ArgumentParser
import Glibc
import ParallaxClient
import ParallaxDevice

/// `parallax record`: a live sensor to a trace.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the gyroscope to a trace.",
    discussion: """
      Records through the daemon, or where none runs from the gyroscope itself, until Ctrl-C or \
      for --duration; whatever ends it, what was recorded is a whole trace. 'parallax replay FILE' \
      gives what the daemon published meanwhile. While it runs the rows stand in FILE.*.part, \
      where they are even if the machine goes down.

        parallax record -o walk.csv --duration 60

      --device, --uri and --rate read the gyroscope itself, whether a daemon runs or not.
      """)

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .init("The trace; '-' is standard output.", valueName: "FILE"))
  var output: String

  @Option(
    parsing: .unconditional,
    help: .init("End after so many seconds, counted from the first sample.", valueName: "S"))
  var duration: String?

  @OptionGroup(title: "Through the daemon")
  var connection: ControlOptions

  @OptionGroup(title: "From the gyroscope")
  var device: DeviceOptions

  @Option(
    parsing: .unconditional,
    help: .init(
      "Samples a second to ask the gyroscope for, or native for its own rate.",
      valueName: "HZ|native"))
  var rate: String?

  func run() throws {
    guard !output.isEmpty else {
      throw CommandFailure(
        .usage,
        "an empty name is no file's; name a file, as in -o walk.csv, or '-' for standard "
          + "output")
    }
    let seconds = try duration.map { text throws(CommandFailure) in
      try OptionText.number(
        text, in: 0.001...100_000_000, option: "--duration", allowed: "0.001 to 100000000 s")
    }
    let source = try makeSource()
    let file = output == "-" ? OutputFile() : try OutputFile(path: output, growsUnderAName: true)
    let isWatched = isatty(STDERR_FILENO) == 1
    let recorder = Recorder(
      source, to: file, durationNanoseconds: seconds.map { Int64(($0 * 1e9).rounded()) },
      interruption: try Interruption.watch(),
      showsProgress: isWatched && (output != "-" || isatty(STDOUT_FILENO) == 0))
    let tally = try recorder.run()
    if isWatched { Console.report("\(file.name): \(RecordingProgress.text(of: tally, nil))") }
  }

  private func makeSource() throws -> any RecordingSource {
    let asksForDevice = device.device != nil || device.uri != nil || rate != nil
    let asksForDaemon = connection.control != nil || connection.socket != nil
    guard !asksForDevice || !asksForDaemon else {
      throw CommandFailure(
        .usage,
        "--control and --socket record through a daemon, --device, --uri and --rate without one; "
          + "leave one of them out")
    }
    if asksForDevice { return try makeDeviceSource() }
    do {
      return try DaemonRecording(toFirstOf: connection.paths)
    } catch {
      guard !asksForDaemon, error.isNobodyThere else { throw CommandFailure(error) }
      return try makeDeviceSource(circumstance: "no daemon runs")
    }
  }

  private func makeDeviceSource(circumstance: String? = nil) throws -> any RecordingSource {
    // Every sample is kept, so none are asked for beyond the rate that is named.
    let oversample = rate == nil || rate == "native" ? nil : "1"
    let configuration = try device.load([
      ("sampling.rate", rate, "--rate"), ("sampling.oversample", oversample, "--rate"),
    ]).configuration
    return try DeviceRecording(configuration, circumstance: circumstance)
  }
}

extension ParallaxError {
  /// Whether no daemon runs, as far as one can see from here.
  var isNobodyThere: Bool {
    guard case .noDaemon(let attempts) = self else { return false }
    return attempts.allSatisfy { $0.errno == ENOENT || $0.errno == ECONNREFUSED }
  }
}
