// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase
import ParallaxClient

/// `parallax record`: a live sensor to a trace.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the gyroscope to a trace.",
    discussion: """
      Records through the daemon, or from the gyroscope itself if no daemon is running, until \
      Ctrl-C or for --duration. However the recording ends, the trace is complete. 'parallax \
      replay FILE' prints what the daemon published during the recording. Until the end, the rows \
      are in FILE.*.part, which survives a power cut.

        parallax record -o walk.csv --duration 60

      --device, --uri and --rate read the gyroscope itself even if a daemon is running.
      """)

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .init("Trace to write; '-' is standard output.", valueName: "FILE"), completion: .path)
  var output: String

  @Option(
    parsing: .unconditional,
    help: .init("Length of the recording in seconds, from the first sample on.", valueName: "S"))
  var duration: String?

  @OptionGroup(title: "Through the daemon")
  var connection: ControlOptions

  @OptionGroup(title: "From the gyroscope")
  var device: DeviceOptions

  @Option(
    parsing: .unconditional,
    help: .init(
      "Samples per second to request from the gyroscope; native keeps its own rate.",
      valueName: "HZ|native"),
    completion: .values(ofKey: "sampling.rate"))
  var rate: String?

  func run() throws {
    guard !output.isEmpty else {
      throw CommandFailure(
        .usage, "-o: the name is empty; name a file, as in -o walk.csv, or '-' for standard output")
    }
    let seconds = try duration.map { text throws(CommandFailure) in
      try OptionText.number(
        text, in: 0.001...100_000_000, option: "--duration", allowed: "0.001 to 100000000 s")
    }
    let source = try makeSource()
    let file = try makeOutput()
    let isTerminal = isatty(STDERR_FILENO) == 1
    let recorder = Recorder(
      source, to: file, duration: seconds.map { MotionDuration(seconds: $0) },
      interruption: try Interruption.begin(), display: RecordingTerminal(connection.verbosity),
      showsProgress: isTerminal && !connection.verbosity.quiet
        && (output != "-" || isatty(STDOUT_FILENO) == 0))
    let tally = try recorder.run()
    if isTerminal {
      connection.verbosity.note("\(file.name): \(RecordingTerminal.text(of: tally, nil))")
    }
  }

  private func makeOutput() throws(CommandFailure) -> OutputFile {
    guard output != "-" else { return OutputFile() }
    do {
      return try OutputFile(path: output, keepsPartialFile: true)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func makeSource() throws -> any RecordingSource {
    let usesDevice = device.device != nil || device.uri != nil || rate != nil
    let usesDaemon = connection.place.control != nil || connection.place.socket != nil
    guard !usesDevice || !usesDaemon else {
      throw CommandFailure(
        .usage,
        "--control and --socket record through a daemon, --device, --uri and --rate without one; "
          + "use one kind only")
    }
    if usesDevice { return try makeDeviceSource() }
    do {
      let daemon = try DaemonRecording(toFirstOf: connection.paths)
      connection.verbosity.detail("connected to \(daemon.path)")
      return daemon
    } catch {
      guard !usesDaemon, error.isNoDaemon else { throw CommandFailure(error) }
      return try makeDeviceSource(circumstance: "no daemon is running")
    }
  }

  private func makeDeviceSource(circumstance: String? = nil) throws -> any RecordingSource {
    // Every sample is kept, so a rate that is named is not multiplied.
    let oversample = rate == nil || rate == "native" ? nil : "1"
    let configuration = try device.load([
      ("sampling.rate", rate, "--rate"), ("sampling.oversample", oversample, "--rate"),
    ]).configuration
    return try DeviceRecording(configuration, circumstance: circumstance)
  }
}

extension ParallaxError {
  /// Whether no daemon is running, as far as this process can see.
  var isNoDaemon: Bool {
    guard case .noDaemon(let attempts) = self else { return false }
    return attempts.allSatisfy { $0.errno == ENOENT || $0.errno == ECONNREFUSED }
  }
}
