// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient
import ParallaxRecording
import ParallaxWire

/// `parallax play`: plays an animation and waits for its end.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play an animation and wait until it is over.",
    discussion: """
      ID names an animation that the daemon finds ([animations] directory and url). A name that ends \
      in .json or contains a slash is a file, a parallax document or a Lottie file, which is read \
      here and sent; '-' is standard input. Ctrl-C cancels the animation, which eases back to where \
      it started. The final pose of an animation stays until 'parallax stop'.

        parallax play examples/animations/nudge.json
      """)

  @Argument(
    help: .init("Animation to play.", valueName: "ID|FILE"),
    completion: .playable)
  var animation: String

  @Option(
    help: .init(
      "Layer to move, instead of the document's own. For a Lottie file: the layer of the file to "
        + "follow; it moves the layer with the same name, or all layers if there is none.",
      valueName: "L"),
    completion: .layer)
  var layer: String?

  @Flag(help: "Exit as soon as the animation plays.")
  var detach = false

  @OptionGroup var connection: ControlOptions

  func run() throws {
    let subject = try PlaySubject(animation)
    let request = try subject.request(layer: layer, isDetached: detach)
    let interruption = try Interruption.begin()
    var link = try PlayLink(toFirstOf: connection.paths)
    try link.play(request)
    var isAccepted = false
    while let event = try link.next(until: interruption) {
      switch event {
      case .accepted(let ack):
        isAccepted = true
        subject.report(note: ack.note)
        if detach { return }
      case .ended:
        if isAccepted { return }
      }
    }
    // The end of the connection cancels the animation.
    throw ExitCode(128 + Interruption.signal(from: interruption))
  }
}

extension PlaySubject {
  /// Prints the daemon's note, unless it repeats what this command printed about a file.
  fileprivate func report(note: String?) {
    guard let note else { return }
    if case .file = self, note.hasPrefix("left out") { return }
    Console.report(note)
  }
}
