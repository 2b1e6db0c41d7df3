// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig
import ParallaxProtocol

/// `parallax set`: changes a setting of the running daemon.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change a setting of the running daemon until it exits.",
    usage: "parallax set KEY VALUE [--control PATH] [--socket PATH]",
    discussion: """
      A setting survives reloads. auto returns it to the configuration and the desktop.

      """
        + SetChange.keys.map { "  \($0.name): \($0.allowedValues)" }.joined(separator: "\n"))

  // A scale may begin with a minus sign, so unknown options are values too.
  @Argument(
    parsing: .allUnrecognized, help: .init("Setting and its value.", valueName: "KEY VALUE"),
    completion: .setting)
  var words: [String] = []

  @OptionGroup var connection: ControlOptions

  func run() throws {
    guard words.count == 2 else {
      let keys = SetChange.keys.map(\.name).joined(separator: ", ")
      throw CommandFailure(
        .usage,
        "'parallax set' requires a key and a value; keys: \(keys); see 'parallax set --help'")
    }
    try connection.ask(.set(SetRequest(key: words[0], value: .text(words[1])))).reportNote(
      connection.verbosity)
  }
}
