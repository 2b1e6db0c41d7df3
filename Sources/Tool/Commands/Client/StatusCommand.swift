// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxClient

/// `parallax status`: shows the daemon's status.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the daemon's status.")

  @Flag(help: "Print the daemon's answer unchanged, as one JSON object on one line.")
  var json = false

  @OptionGroup var connection: ControlOptions

  func run() throws {
    let reply = try connection.ask(.status)
    if json {
      var line: [UInt8] = []
      PrintableText.append(json: reply.line[...], to: &line)
      try Console.write(line + [UInt8(ascii: "\n")])
    } else if case .status(let status, _) = reply.answer {
      try Console.print(StatusText.text(of: status), terminator: "")
    } else {
      throw CommandFailure(
        .unavailable,
        "the answer is not a STATUS that this release knows; use 'parallax status --json'")
    }
  }
}
