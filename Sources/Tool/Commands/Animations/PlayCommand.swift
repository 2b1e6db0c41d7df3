// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxGates
import ParallaxProtocol

/// `parallax play`: plays an animation and waits for its end.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play an animation and wait until it is over.",
    discussion: """
      ID names an animation that the daemon finds: one of your own ([animations] directory and url) or \
      one that is installed with parallax, such as nudge, breathe or swing. A name that ends \
      in .json or contains a slash is a file, a parallax document or a Lottie file, which is sent; \
      '-' is standard input. Ctrl-C cancels the animation, which eases back to where \
      it started. The final pose of an animation stays until 'parallax stop'. A note on standard \
      error says when a gate holds it back, and when it does no longer.

        parallax play nudge
        parallax play shake --set strength=12

      Several animations play one after the other, or together with --parallel; the next one is \
      fetched while one plays, and 'parallax animate ID append' adds more.

        parallax play nudge swing --repeat 3 --delay 0.5
      """)

  @Argument(
    help: .init("Animation to play; several play as a chain.", valueName: "ID|FILE"),
    completion: .playable)
  var animations: [String]

  @Option(
    help: .init(
      "Layer to move, instead of the document's own. For a Lottie file: the layer of the file to "
        + "follow; it moves the layer with the same name, or all layers if there is none.",
      valueName: "L"),
    completion: .layer)
  var layer: String?

  @Flag(help: "Exit as soon as the animation plays.")
  var detach = false

  @Option(
    name: .customLong("as"),
    help: .init(
      "Id for 'parallax animate' and 'parallax stop', instead of the document's.", valueName: "ID"))
  var name: String?

  @Flag(help: "Wait at the start for 'parallax animate'.")
  var paused = false

  @Flag(help: "Pause at an end instead of ending, so that the animation can be reversed.")
  var pauseAtEnd = false

  @OptionGroup var variables: VariableOptions
  @OptionGroup var chain: ChainOptions
  @OptionGroup var connection: ControlOptions

  func run() throws {
    let subjects = try animations.map { (text) throws(CommandFailure) in try PlaySubject(text) }
    var request = try chain.request(subjects, layer: layer, variables: variables.values())
    request.isDetached = detach
    request.name = name
    request.isPaused = paused
    request.pausesAtEnd = pauseAtEnd
    let line = try ControlRequest.play(request).line(withDocumentsTag: Self.tag)
    let interruption = try Interruption.begin()
    var daemon = try connection.connect()
    // For the gate: once, and then at each change while the animation plays.
    daemon.send(ControlRequest.status.line(tag: Self.statusTag))
    daemon.send(line)
    var isAccepted = false
    var held = HeldBack()
    while true {
      switch daemon.next() {
      case nil:
        var user = pollfd(fd: interruption, events: Int16(POLLIN), revents: 0)
        daemon.wait(with: &user)
        guard user.revents != 0 else { continue }
        // The end of the connection cancels the animation.
        throw ExitCode(128 + Interruption.signal(from: interruption))
      case .lost(let error)?, .ended(let error?)?: throw CommandFailure(error)
      case .connecting?, .connected?, .ended(nil)?: continue
      case .line(let line)?:
        switch ControlAnswer(line: line) {
        case .ack(let ack, Self.tag)?:
          isAccepted = true
          if let note = ack.note { connection.verbosity.note(note) }
          if detach { return }
        case .status(let status, Self.statusTag)?: report(held.change(to: status.gate))
        case .gate(let gate)?: report(held.change(to: gate))
        case .error(let error, _)?: throw CommandFailure(error)
        case .animation(let animation, Self.tag)?:
          if try Self.isOver(animation), isAccepted { return }
        default: continue
        }
      }
    }
  }

  private static let tag = RequestTag.integer(1)
  private static let statusTag = RequestTag.integer(2)

  private static func isOver(_ animation: AnimationMessage) throws(CommandFailure) -> Bool {
    switch animation.event {
    case .completed, .cancelled: true
    case .failed:
      throw CommandFailure(.unavailable, "\(animation.id): \(animation.message ?? "failed")")
    case .started, .step, .changed, .partStarted, .partCompleted: false
    }
  }

  private func report(_ notes: [String]) {
    for note in notes { connection.verbosity.note(note) }
  }
}

/// What the gate does to an animation that plays.
struct HeldBack {
  private var notes: [String] = []

  /// Takes the gate's new state and returns what has changed for this user.
  mutating func change(to gate: GateMessage) -> [String] {
    let old = notes
    notes = Self.notes(gate)
    if notes.isEmpty, !old.isEmpty { return ["no longer held back"] }
    return notes.filter { !old.contains($0) }
  }

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
