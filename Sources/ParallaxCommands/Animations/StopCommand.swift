import ArgumentParser
import ParallaxClient
import ParallaxDocuments
import ParallaxWire

/// `parallax stop`: ends animations and takes back what they left.
struct StopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop animations and take back what ended ones have left.",
    discussion: "Each eases back to where it began.")

  @Argument(help: .init("The animations of this id alone, instead of all.", valueName: "ID"))
  var id: String?

  @OptionGroup var connection: ControlOptions

  func run() throws {
    if let id {
      do { _ = try DocumentID(id) } catch { throw CommandFailure(.usage, error.message) }
    }
    try connection.ask(.stop(id: id)).reportNote()
  }
}
