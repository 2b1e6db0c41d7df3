// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase
import ParallaxProtocol

/// The `parallax` command.
package enum ParallaxProgram {
  /// Runs the command line of this process and ends it.
  package static func main() -> Never {
    // A reader that is gone is an error of `write`, which handles it.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that exceeds its size limit (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    StandardStreams.reserve()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs a command line, prints its messages and returns its exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      try UsageMessage.checkHelp(arguments)
      var command = try RootCommand.parseAsRoot(arguments)
      try command.run()
      return ToolExit.success.rawValue
    } catch {
      return finish(after: error, arguments: arguments)
    }
  }

  private static func finish(after error: any Error, arguments: [String]) -> Int32 {
    switch error {
    case is OutputClosed:
      return ToolExit.success.rawValue
    case let failure as CommandFailure:
      Console.report(failure.message)
      return failure.exit.rawValue
    case let code as ExitCode:
      return code.rawValue
    default:
      break
    }
    guard RootCommand.exitCode(for: error) != .success else {
      // Help, version and completion scripts are requested, so they go to standard output.
      do {
        try Console.print(RootCommand.fullMessage(for: error))
        return ToolExit.success.rawValue
      } catch {
        return finish(after: error, arguments: arguments)
      }
    }
    Console.report(UsageMessage.text(for: error, arguments: arguments))
    return ToolExit.usage.rawValue
  }
}

/// `parallax`: its subcommands.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parallax",
    abstract: "Gyroscope motion as offsets for layered pictures.",
    discussion: """
      To see it, run 'parallax demo'; it needs no sensor.
      """,
    version: "parallax \(ParallaxRelease.version)",
    groupedSubcommands: Subcommands.groups)

  @Flag(name: .customShort("V"), help: "Show the version.")
  var version = false

  func run() throws {
    guard version else { throw CleanExit.helpRequest(self) }
    try Console.print(Self.configuration.version)
  }
}

/// The message for an invalid command line: one line with what is wrong and where the help is.
enum UsageMessage {
  /// Returns ArgumentParser's sentences in the form of other messages, with a reference to the help.
  static func text(for error: any Error, arguments: [String]) -> String {
    let (command, path) = deepestCommand(in: arguments)
    let subcommands = command.configuration.subcommands.map { $0._commandName }
    if !subcommands.isEmpty, let name = arguments.dropFirst(path.count - 1).first,
      name.first != "-"
    {
      return unknownSubcommand(name, of: subcommands, path)
    }
    var message = RootCommand.message(for: error)
    if message.last == "." { message.removeLast() }
    if let first = message.first, message.dropFirst().first?.isLowercase == true {
      message = first.lowercased() + message.dropFirst()
    }
    let help = "'\((path + ["--help"]).joined(separator: " "))'"
    return message.last == "?" ? "\(message) See \(help)" : "\(message); see \(help)"
  }

  /// Checks that `help` is followed by subcommands: ArgumentParser ignores other words.
  static func checkHelp(_ arguments: [String]) throws(CommandFailure) {
    guard arguments.first == "help" else { return }
    var command: any ParsableCommand.Type = RootCommand.self
    var path = ["parallax"]
    for word in arguments.dropFirst() where !word.hasPrefix("-") {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0._commandName == word }) else {
        guard path.count > 1 || word != "help" else { return }
        let names = subcommands.map { $0._commandName }
        throw CommandFailure(
          .usage,
          names.isEmpty
            ? "'\(path.joined(separator: " "))' has no subcommands; see 'parallax --help'"
            : unknownSubcommand(word, of: names, path))
      }
      command = next
      path.append(word)
    }
  }

  private static func unknownSubcommand(
    _ name: String, of names: [String], _ path: [String]
  ) -> String {
    let guess = NearestName.of(name, among: names).map { " did you mean '\($0)'? Subcommands:" }
    return
      "unknown subcommand '\(name)';\(guess ?? " use one of") \(names.joined(separator: ", ")); "
      + "see '\((path + ["--help"]).joined(separator: " "))'"
  }

  /// Returns the subcommand that the arguments name, and the path to it.
  private static func deepestCommand(
    in arguments: [String]
  ) -> (command: any ParsableCommand.Type, path: [String]) {
    var command: any ParsableCommand.Type = RootCommand.self
    var path = ["parallax"]
    for argument in arguments {
      guard
        let next = command.configuration.subcommands.first(where: { $0._commandName == argument })
      else { break }
      command = next
      path.append(argument)
    }
    return (command, path)
  }
}
