import ArgumentParser
import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion

/// `parallax preview`: what an animation does, frame by frame, without a daemon.
struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Print what an animation does, frame by frame.",
    discussion: """
      Reads a parallax document or a Lottie file and prints t (s from its start), x and y (px), \
      rotation (degrees clockwise), scale and opacity, from the first frame to the first at which it \
      is over. What of a Lottie file does not play is told on standard error.

        parallax preview examples/animations/nudge.json --rate 60
      """)

  @Argument(
    help: .init("The document; '-' is standard input.", valueName: "DOC"),
    completion: .file(extensions: ["json"]))
  var document: String

  @Option(help: .init("Frames a second, 30 unless told.", valueName: "HZ"))
  var rate: String?

  @Option(
    help: .init("The layer of a Lottie file that drives, instead of the first.", valueName: "L"))
  var layer: String?

  @Flag(help: "Print the transforms of every animated or parented layer of a Lottie file.")
  var tracks = false

  @Option(
    parsing: .unconditional,
    help: .init(
      "No more than its first S seconds; 10 unless told where it plays forever.", valueName: "S"))
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
        "\(lottie.name): --tracks shows the layers of a Lottie file, and this is none; leave it out"
      )
    }
    lottie.reportLeftOut()
    try TrackTable.print(file.tracks(rateHertz: rateHertz), upTo: seconds)
  }

  /// s; what never ends is shown for a while.
  private func limit(of timeline: Timeline, name: String) -> Double {
    guard timeline.durationSeconds == .infinity else { return .infinity }
    Console.report("\(name): plays forever; these are its first 10 s (--duration S for more)")
    return 10
  }
}
