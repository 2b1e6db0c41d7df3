import ArgumentParser
import ParallaxClient
import ParallaxWire

/// `parallax play`: an animation from its beginning to its end.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play an animation and wait until it is over.",
    discussion: """
      ID names an animation that the daemon finds ([animations] directory and url); what ends in \
      .json or has a slash is a file, which is read here and sent, a parallax document or a Lottie \
      file; '-' is standard input. Ctrl-C cancels it: it eases back to where it began. What an \
      animation leaves stays until 'parallax stop'.

        parallax play examples/animations/nudge.json
      """)

  @Argument(
    help: .init("What to play.", valueName: "ID|FILE"),
    completion: .file(extensions: ["json"]))
  var animation: String

  @Option(
    help: .init(
      "The layer that moves, instead of the document's own. Of a Lottie file the layer in it that "
        + "drives; it moves ours of that name, all where there is none.", valueName: "L"))
  var layer: String?

  @Flag(help: "Do not wait: return once it plays.")
  var detach = false

  @OptionGroup var connection: ControlOptions

  func run() throws {
    let subject = try PlaySubject(animation)
    let request = try subject.request(layer: layer, isDetached: detach)
    let interruption = try Interruption.watch()
    var link = try PlayLink(toFirstOf: connection.paths)
    try link.play(request)
    var isAccepted = false
    while let news = try link.next(until: interruption) {
      switch news {
      case .accepted(let ack):
        isAccepted = true
        subject.report(note: ack.note)
        if detach { return }
      case .ended:
        if isAccepted { return }
      }
    }
    // The end of the connection cancels it.
    throw ExitCode(128 + Interruption.taken(from: interruption))
  }
}

extension PlaySubject {
  /// What the daemon remarks. What of a file is left out has been told already.
  fileprivate func report(note: String?) {
    guard let note else { return }
    if case .file = self, note.hasPrefix("left out") { return }
    Console.report(note)
  }
}
