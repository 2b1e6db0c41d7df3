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
      rotation (degrees clockwise), scale and opacity, up to the first frame after its end; scale_y \
      too if it ever differs from scale. The layer of a Lottie file that plays, and its features that \
      are not supported, are reported on standard error.

        parallax preview examples/animations/nudge.json --rate 60
        parallax preview examples/animations/nudge.json --html nudge.html --watch
      """)

  @Argument(
    help: .init("Document to read; '-' is standard input.", valueName: "DOC"),
    completion: .document)
  var document: String

  @Option(help: .init("Frames per second (default: 30).", valueName: "HZ"))
  var rate: String?

  @Option(
    help: .init(
      "Layer of a Lottie file to follow, instead of the one that moves most of the picture.",
      valueName: "L"))
  var layer: String?

  @Flag(help: "Print the transforms of every animated or parented layer of a Lottie file.")
  var tracks = false

  @Option(
    parsing: .unconditional,
    help: .init(
      "Seconds to print at most (default: 10 for an endless animation, else all).",
      valueName: "S"))
  var duration: String?

  @Option(
    help: .init(
      "Write a page that plays the animation on a card, to FILE or, with '-', to standard output; it "
        + "needs no other file.",
      valueName: "FILE"),
    completion: .path)
  var html: String?

  @OptionGroup var variables: VariableOptions

  @Flag(help: "Repeat whenever the document changes, until Ctrl-C.")
  var watch = false

  @OptionGroup(title: "Plot options")
  var plots: PlotOptions

  func run() throws {
    let options = try options()
    guard watch else { return try render(options) }
    guard document != "-" else {
      throw CommandFailure(.usage, "--watch: standard input does not change; name a file")
    }
    let isOnScreen = if case .file? = options.plot { false } else { html == nil }
    try DocumentWatch.run(path: document, clearsScreen: isOnScreen) { try render(options) }
  }

  /// The options that have been checked.
  private struct Checked {
    var rateHertz = 30.0
    var seconds: Double?
    var plot: PlotTarget?
    var variables = VariableValues.none
  }

  private func options() throws(CommandFailure) -> Checked {
    var checked = Checked()
    // A page is drawn by a browser, at 60 Hz on most displays.
    checked.rateHertz = try OptionText.number(
      rate ?? (html == nil ? "30" : "60"), in: FrameRate.range, option: "--rate",
      allowed: "0.1 to 1000 Hz")
    if let duration {
      checked.seconds = try OptionText.number(
        duration, in: 0...86_400, option: "--duration", allowed: "0 to 86400 s")
    }
    checked.plot = try plots.target()
    checked.variables = try variables.values()
    for (option, isSet) in [("--plot", checked.plot != nil), ("--html", html != nil)]
    where tracks && isSet {
      throw CommandFailure(.usage, "\(option): shows one layer; omit --tracks")
    }
    try checked.plot?.checkDiffers(from: [document] + (html.map { [$0] } ?? []))
    if let html, PlotTarget.isSameFile(html, document) {
      throw CommandFailure(.usage, "--html \(html): this is the document; name another file")
    }
    return checked
  }

  private func render(_ options: Checked) throws {
    if tracks {
      return try printTracks(
        rateHertz: options.rateHertz, upTo: options.seconds ?? .infinity, options.variables)
    }
    let document = try LoadedDocument(
      path: document, driver: layer, mustHaveDriver: true, variables: options.variables)
    document.report()
    let parts = document.document.parts.map { (layer: $0.layer, timeline: Timeline($0.animation)) }
    let timeline = parts[0].timeline
    let limit = options.seconds ?? limit(of: timeline, name: document.name)
    let end = min(limit, timeline.durationSeconds)
    if let html {
      if parts.count > 1 {
        Console.report(
          "\(document.name): the page shows the first of its \(parts.count) layers; --plot shows more"
        )
      }
      guard end * options.rateHertz <= Double(MotionPage.maxFrames) else {
        throw CommandFailure(
          .usage,
          "--html: a page has at most \(MotionPage.maxFrames) frames; add --duration or --rate")
      }
      let page = MotionPage(
        name: Self.fileName(document.name), timeline: timeline, seconds: end,
        rateHertz: options.rateHertz)
      try PlotTarget.write(Array(page.html.utf8), to: html)
    }
    try options.plot?.draw(
      AnimationPlot.figure(
        name: Self.fileName(document.name), parts: parts, seconds: end,
        pixels: options.plot?.pixels ?? 0))
    guard html == nil, options.plot == nil else { return }
    try PoseTable(parts: parts, rateHertz: options.rateHertz).print(upTo: limit)
  }

  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func printTracks(
    rateHertz: Double, upTo seconds: Double, _ variables: VariableValues
  ) throws {
    let lottie = try LoadedLottie(path: document, variables: variables)
    guard let file = lottie.file else {
      throw CommandFailure(
        .usage,
        "\(lottie.name): --tracks requires a Lottie file, and this is not one; omit it"
      )
    }
    lottie.reportLeftOut()
    try TrackTable.print(file.tracks(rateHertz: rateHertz, hasNested: true), upTo: seconds)
  }

  /// The seconds to print if the user did not say.
  private func limit(of timeline: Timeline<Pose>, name: String) -> Double {
    guard timeline.durationSeconds == .infinity else { return .infinity }
    Console.report("\(name): plays forever; these are the first 10 s (--duration S for more)")
    return 10
  }
}
