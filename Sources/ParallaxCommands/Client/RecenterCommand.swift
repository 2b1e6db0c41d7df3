import ArgumentParser
import ParallaxClient
import ParallaxWire

/// `parallax recenter`: the tilt of now becomes the middle.
struct RecenterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recenter",
    abstract: "Make the present tilt the middle (tilt mode).")

  @OptionGroup var connection: ControlOptions

  func run() throws {
    try connection.ask(.recenter).reportNote()
  }
}

extension ControlClient.Reply {
  /// Tells what the daemon remarked on doing it.
  func reportNote() {
    if case .ack(let ack, _) = answer, let note = ack.note {
      Console.report(note)
    }
  }
}
