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
      it started. The final pose of an animation stays until 'parallax stop'. A note on standard \
      error says if a gate holds it back.

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
    connection.verbosity.detail("connected to \(link.path)")
    try link.play(request)
    var isAccepted = false
    while let event = try link.next(until: interruption) {
      switch event {
      case .gate(let gate):
        for note in HeldBack.notes(gate) { connection.verbosity.note(note) }
      case .accepted(let ack):
        isAccepted = true
        subject.report(note: ack.note, connection.verbosity)
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
  fileprivate func report(note: String?, _ verbosity: Verbosity) {
    guard let note else { return }
    if case .file = self, note.hasPrefix("left out") { return }
    verbosity.note(note)
  }
}

/// What a gate does to an animation.
enum HeldBack {
  /// Returns a note for each kind of reason that changes what this user sees.
  static func notes(_ gate: GateMessage) -> [String] {
    let kinds: [(GateReason.Kind, String)] = [
      (.stop, "it jumps to its end and nothing is shown"),
      (.inactiveUser, "it is not shown to you while your session is in the background"),
      (.reduceMotion, "it plays in its reduced form, if it has one"),
    ]
    return kinds.compactMap { kind, effect in
      // A device without motion holds nothing back; a reason of a later release may.
      let reasons = gate.reasons.filter { (GateReason(rawValue: $0)?.kind ?? .stop) == kind }
      guard !reasons.isEmpty else { return nil }
      return "held back by \(reasons.joined(separator: ", ")): \(effect); see 'parallax status'"
    }
  }
}
