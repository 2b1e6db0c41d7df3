import ArgumentParser
import Glibc
import ParallaxClient
import ParallaxConfig

/// `parallax doctor`: what is in the way, and what mends it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what is wrong and what mends it; exit 0 only if the daemon would work.",
    discussion: """
      A line a check, the first thing to do at the end. Changes nothing. Exit 77 where permissions \
      alone are in the way, else 69. As root it also sees which other user's program holds the \
      gyroscope.
      """)

  @Flag(
    help: """
      Find out how the gyroscope is built in: four poses of the device, guided on the terminal; \
      prints the line for the configuration.
      """)
  var calibrate = false

  @OptionGroup var options: DeviceOptions

  @OptionGroup var connection: ControlOptions

  func run() throws {
    if calibrate { return try runCalibration() }
    let configuration = try options.load().configuration
    let stream = connection.socket ?? configuration.socket.path
    let control = connection.control ?? configuration.socket.control
    let facts = DoctorGatherer(
      configuration: configuration,
      controlPaths: SocketPath.candidates(
        .control, explicit: control ?? stream.map(SocketPath.beside)),
      streamPaths: SocketPath.candidates(.stream, explicit: stream)
    ).gather()
    let diagnosis = facts.diagnosis
    try Console.print(diagnosis.text, terminator: "")
    if diagnosis.exit != .success { throw ExitCode(diagnosis.exit.rawValue) }
  }

  private func runCalibration() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandFailure(
        .usage,
        "--calibrate leads a person from pose to pose; run it on a terminal, without '|', '<' or '>'"
      )
    }
    let (configuration, loader) = try options.load()
    let source = try calibrationSource(configuration)
    let (calibration, current) = try Calibrator(
      source: source, interruption: try Interruption.watch()
    ).run()
    let file = options.config ?? loader.defaultFile
    for line in Calibrator.advice(calibration, current: current, file: file) {
      try Console.print(line)
    }
  }

  /// The daemon where one runs, for it has the gyroscope; else the gyroscope itself.
  private func calibrationSource(
    _ configuration: Configuration
  ) throws -> any RecordingSource {
    let stream = connection.socket ?? configuration.socket.path
    let control = connection.control ?? configuration.socket.control
    let paths = SocketPath.candidates(
      .control, explicit: control ?? stream.map(SocketPath.beside))
    do {
      return try DaemonRecording(toFirstOf: paths)
    } catch {
      guard error.isNobodyThere else { throw CommandFailure(error) }
      return try DeviceRecording(configuration, circumstance: "no daemon runs")
    }
  }
}
