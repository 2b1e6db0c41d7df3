// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxProtocol

/// `parallax reload`: makes the daemon read its configuration again.
struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Make the daemon read its configuration again.",
    discussion: "A configuration with errors changes nothing; the errors are printed, exit 78.")

  @OptionGroup var connection: ControlOptions

  func run() throws {
    try connection.ask(.reload).reportNote(connection.verbosity)
  }
}
