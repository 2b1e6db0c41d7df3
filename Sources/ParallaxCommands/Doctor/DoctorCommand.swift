import ArgumentParser
import ParallaxClient

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

  @OptionGroup var options: DeviceOptions

  @OptionGroup var connection: ControlOptions

  func run() throws {
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
}
