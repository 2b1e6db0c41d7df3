// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient
import ParallaxMotion
import ParallaxProtocol

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
    do { _ = try InhibitReason(reason) } catch {
      throw CommandFailure(.usage, "--reason: \(error.message)")
    }
    let inhibition: ParallaxInhibition
    do {
      inhibition = try ParallaxInhibition.beginBlocking(
        reason: reason, toFirstOf: connection.paths, onEvent: Self.report)
    } catch {
      throw CommandFailure(error)
    }
    let code = withExtendedLifetime(inhibition) { ChildCommand.run(command) }
    throw ExitCode(code)
  }

  /// What is typed into the command must not move a picture.
  @Sendable private static func report(_ event: ParallaxInhibition.Event) {
    switch event {
    case .lost:
      Console.report("the daemon is gone; the inhibition is renewed when one answers again")
    case .renewed: break
    case .refused(let error): Console.report("the inhibition is not renewed: \(error.message)")
    }
  }
}
