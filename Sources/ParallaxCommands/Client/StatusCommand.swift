import ArgumentParser
import ParallaxClient

/// `parallax status`: how the daemon is.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how the daemon is.")

  @Flag(help: "Print the daemon's answer as it is, one JSON object on a line.")
  var json = false

  @OptionGroup var connection: ControlOptions

  func run() throws {
    let reply = try connection.ask(.status)
    if json {
      try Console.write(reply.line + [UInt8(ascii: "\n")])
    } else if case .status(let status, _) = reply.answer {
      try Console.print(StatusText.text(of: status), terminator: "")
    } else {
      throw CommandFailure(
        .unavailable,
        "the daemon's answer is no STATUS that this release knows; use 'parallax status --json'")
    }
  }
}
