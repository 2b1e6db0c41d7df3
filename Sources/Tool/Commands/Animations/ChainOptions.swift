// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxDocuments
import ParallaxProtocol

/// How several animations of `parallax play` follow each other.
struct ChainOptions: ParsableArguments {
  @Flag(help: "Play the animations one after the other; the default.")
  var sequence = false

  @Flag(help: "Play the animations together.")
  var parallel = false

  @Option(
    help: .init("Seconds before each animation; with --parallel, before each pass.", valueName: "S")
  )
  var delay: Double = 0

  @Option(
    name: .customLong("repeat"),
    help: .init("How often all of them play; forever repeats without an end.", valueName: "N"))
  var passes: String?

  @Option(help: .init("The most animations to play in all.", valueName: "N"))
  var take: Int?

  func validate() throws {
    if sequence, parallel {
      throw ValidationError("--sequence and --parallel exclude each other; choose one")
    }
    guard (0...86_400).contains(delay) else {
      throw ValidationError("--delay \(delay) is out of range; use 0 to 86400 seconds")
    }
    if let take, take < 1 { throw ValidationError("--take must be at least 1") }
    if let passes, passes != "forever", (Int(passes) ?? 0) < 1 {
      throw ValidationError("'\(passes)' is not a count; write --repeat 3 or --repeat forever")
    }
  }

  /// Whether an option asks for a chain, also of a single animation.
  private var isGiven: Bool {
    sequence || parallel || delay > 0 || passes != nil || take != nil
  }

  /// Returns the PLAY of one animation, or of a chain.
  func request(
    _ subjects: [PlaySubject], layer: String?, variables: VariableValues = .none
  ) throws(CommandFailure) -> PlayRequest {
    let parts = try subjects.map { (subject) throws(CommandFailure) in
      try subject.request(layer: layer, variables: variables)
    }
    guard parts.count > 1 || isGiven else { return parts[0] }
    let passes = passes.map { Int($0) } ?? 1
    return PlayRequest(
      .chain(
        parts,
        ChainRequest(
          order: parallel ? .parallel : .sequence, delaySeconds: delay, passes: passes, take: take))
    )
  }
}
