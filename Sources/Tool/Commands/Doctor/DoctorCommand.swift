// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxClient
import ParallaxConfig

/// `parallax doctor`: problems and their fixes.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find problems and suggest fixes.",
    discussion: """
      Prints one line per check and ends with the first thing to do: ok, note (neither good nor bad), \
      warn (it could work better) or FAIL. It changes nothing. Exit 0 if \
      the daemon would work, 77 if only permissions are missing, else 69. As root, it also sees \
      which other user's program holds the gyroscope.
      """)

  @Flag(
    help: """
      Find out how the gyroscope is mounted. Guides you through four poses of the device and \
      prints the line for the configuration.
      """)
  var calibrate = false

  @Flag(name: .shortAndLong, help: "Print only what is not as it should be: warn and FAIL.")
  var quiet = false

  @Flag(help: "Print one JSON object on one line: verdict, exit, first_step and findings.")
  var json = false

  @OptionGroup var options: DeviceOptions

  @OptionGroup var connection: ControlPathOptions

  func run() throws {
    if calibrate { return try runCalibration() }
    let configuration = try options.load().configuration
    let diagnosis = DoctorGatherer(
      configuration: configuration, controlPaths: controlPaths(configuration),
      streamPaths: SocketPath.candidates(
        .stream, explicit: connection.socket ?? configuration.socket.path)
    ).gather().diagnosis
    if json {
      try Console.print(diagnosis.json)
    } else {
      let text = diagnosis.text(
        hasColor: Console.hasColor, showsAll: !quiet)
      try Console.print(text, terminator: "")
    }
    let exit = ToolExit(diagnosis.verdict)
    if exit != .success { throw ExitCode(exit.rawValue) }
  }

  private func controlPaths(_ configuration: Configuration) -> [String] {
    let stream = connection.socket ?? configuration.socket.path
    let control = connection.control ?? configuration.socket.control
    return SocketPath.candidates(.control, explicit: control ?? stream.map(SocketPath.beside))
  }

  // MARK: - Calibration

  private func runCalibration() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandFailure(
        .usage, "--calibrate is interactive; run it on a terminal, without '|', '<' or '>'")
    }
    let (configuration, loader) = try options.load()
    let (calibration, current) = try CalibrationTerminal(
      source: try makeSource(configuration), interruption: try Interruption.begin()
    ).run()
    let file = options.config ?? loader.defaultFile
    for line in CalibrationAdvice.lines(calibration, current: current, file: file) {
      try Console.print(line)
    }
  }

  /// Returns the daemon if one runs, because it holds the gyroscope, else the gyroscope itself.
  private func makeSource(_ configuration: Configuration) throws -> any RecordingSource {
    do {
      return try DaemonRecording(toFirstOf: controlPaths(configuration))
    } catch {
      guard error.isNoDaemon else { throw CommandFailure(error) }
    }
    return try DeviceRecording(configuration, circumstance: "no daemon is running")
  }
}
