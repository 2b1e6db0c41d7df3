// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxProtocol

/// `parallax recenter`: makes the current tilt the center.
struct RecenterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recenter",
    abstract: "Make the current tilt the center (tilt mode).")

  @OptionGroup var connection: ControlOptions

  func run() throws {
    try connection.ask(.recenter).reportNote(connection.verbosity)
  }
}
