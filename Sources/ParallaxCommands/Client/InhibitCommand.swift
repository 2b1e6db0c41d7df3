import ArgumentParser
import ParallaxClient
import ParallaxMotion

/// `parallax inhibit -- COMMAND`: nothing moves while a command runs, as while a password is typed.
struct InhibitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inhibit",
    abstract: "Keep every offset at 0 while a command runs.",
    usage: "parallax inhibit [--reason WORD] -- COMMAND [ARGUMENT...]",
    discussion: """
      The exit status is the command's (128 + N where signal N ended it, 127 where there is no such \
      command). The command is not started where the daemon refuses.
      """)

  @Option(
    help: .init("Why, for 'parallax status': 1 to 32 of a-z, 0-9 and -.", valueName: "WORD"))
  var reason = InhibitReason.command.text

  @Argument(parsing: .postTerminator, help: .init("What to run.", valueName: "COMMAND"))
  var command: [String] = []

  @OptionGroup var connection: ControlOptions

  func run() throws {
    guard !command.isEmpty else {
      throw CommandFailure(
        .usage, "no command to run; write it behind --, as in 'parallax inhibit -- pinentry'")
    }
    let request: ControlRequest
    do {
      request = .inhibit(try InhibitReason(reason))
    } catch {
      throw CommandFailure(.usage, "--reason: \(error.message)")
    }
    do {
      var client = try ControlClient(toFirstOf: connection.paths)
      _ = try client.ask(request).accepted()
      InhibitKeeper.keep(client, request: request, paths: connection.paths)
    } catch let error as ParallaxError {
      throw CommandFailure(error)
    }
    throw ExitCode(ChildCommand.run(command))
  }
}
