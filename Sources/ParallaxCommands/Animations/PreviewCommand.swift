// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion

/// `parallax preview`: prints an animation frame by frame, without a daemon.
struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Print an animation frame by frame.",
    discussion: """
      Reads a parallax document or a Lottie file and prints t (seconds from the start), x and y (px), \
      rotation (degrees clockwise), scale and opacity, up to the first frame after its end. Features \
      of a Lottie file that are not supported are reported on standard error.

        parallax preview examples/animations/nudge.json --rate 60
      """)

  @Argument(
    help: .init("Document to read; '-' is standard input.", valueName: "DOC"),
    completion: .document)
  var document: String

  @Option(help: .init("Frames per second (default: 30).", valueName: "HZ"))
  var rate: String?

  @Option(
    help: .init("Layer of a Lottie file to follow, instead of the first.", valueName: "L"))
  var layer: String?

  @Flag(help: "Print the transforms of every animated or parented layer of a Lottie file.")
  var tracks = false

  @Option(
    parsing: .unconditional,
    help: .init(
      "Seconds to print at most (default: 10 for an endless animation, else all).",
      valueName: "S"))
  var duration: String?

  func run() throws {
    let rateHertz = try OptionText.number(
      rate ?? "30", in: FrameRate.range, option: "--rate", allowed: "0.1 to 1000 Hz")
    let seconds = try duration.map { text throws(CommandFailure) in
      try OptionText.number(text, in: 0...86_400, option: "--duration", allowed: "0 to 86400 s")
    }
    if tracks { return try printTracks(rateHertz: rateHertz, upTo: seconds ?? .infinity) }
    let document = try LoadedDocument(path: document, driver: layer)
    document.reportLeftOut()
    let timeline = Timeline(document.document.animation)
    let table = PoseTable(timeline: timeline, rateHertz: rateHertz)
    try table.print(upTo: seconds ?? limit(of: timeline, name: document.name))
  }

  private func printTracks(rateHertz: Double, upTo seconds: Double) throws {
    let lottie = try LoadedLottie(path: document)
    guard let file = lottie.file else {
      throw CommandFailure(
        .usage,
        "\(lottie.name): --tracks requires a Lottie file, and this is not one; omit it"
      )
    }
    lottie.reportLeftOut()
    try TrackTable.print(file.tracks(rateHertz: rateHertz), upTo: seconds)
  }

  /// The seconds to print if the user did not say.
  private func limit(of timeline: Timeline, name: String) -> Double {
    guard timeline.durationSeconds == .infinity else { return .infinity }
    Console.report("\(name): plays forever; these are the first 10 s (--duration S for more)")
    return 10
  }
}
