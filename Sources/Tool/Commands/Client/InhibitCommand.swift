// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient
import ParallaxMotion

/// `parallax inhibit -- COMMAND`: nothing moves while a command runs, for example while it asks for a
/// password.
struct InhibitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inhibit",
    abstract: "Keep every offset at 0 while a command runs.",
    usage: "parallax inhibit [--reason WORD] -- COMMAND [ARGUMENT...]",
    discussion: """
      The exit status is the command's: 128 + N if signal N ended it, 127 if there is no such \
      command. If the daemon refuses, the command is not started.
      """)

  @Option(
    help: .init(
      "Reason to show in 'parallax status': 1 to 32 of a-z, 0-9 and -.", valueName: "WORD"))
  var reason = InhibitReason.command.text

  @Argument(parsing: .postTerminator, help: .init("Command to run.", valueName: "COMMAND"))
  var command: [String] = []

  @OptionGroup var connection: ControlOptions

  func run() throws {
    guard !command.isEmpty else {
      throw CommandFailure(
        .usage, "no command to run; write it after --, as in 'parallax inhibit -- pinentry'")
    }
    let request: ControlRequest
    do {
      request = .inhibit(try InhibitReason(reason))
    } catch {
      throw CommandFailure(.usage, "--reason: \(error.message)")
    }
    var daemon = try connection.connect(policy: InhibitKeeper.reconnection)
    _ = try daemon.accepted(request)
    try InhibitKeeper.keep(daemon, request: request)
    throw ExitCode(ChildCommand.run(command))
  }
}
