// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient
import ParallaxDocuments
import ParallaxProtocol

/// `parallax stop`: ends animations and removes the final poses of ended ones.
struct StopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop animations and remove the final poses of ended ones.",
    discussion: "Each eases back to where it started.")

  @Argument(
    help: .init("Stop only the animations with this id.", valueName: "ID"),
    completion: .runningAnimation)
  var id: String?

  @OptionGroup var connection: ControlOptions

  func run() throws {
    if let id {
      do { _ = try DocumentID(id) } catch { throw CommandFailure(.usage, error.message) }
    }
    try connection.ask(.stop(id: id)).reportNote(connection.verbosity)
  }
}
