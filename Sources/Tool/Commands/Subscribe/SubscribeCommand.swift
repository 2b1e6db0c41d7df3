// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxClient
import ParallaxMotion

/// `parallax subscribe`: prints the stream, as lines, columns or a text of the user's.
struct SubscribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscribe",
    abstract: "Print the stream, for scripts and status bars.",
    discussion: """
      By default, each line is a JSON object that starts with its class. The command exits after \
      --count lines, when the daemon exits, or when the reader of its output is gone.

      --format takes json, csv (time,x,y and the x and y of layers), waybar, polybar, i3bar, or a \
      template such as '{x:+.1f} {y:+.1f} {bg.x} {gate}'. Its fields are time, seq, x, y, nx, ny, vx, \
      vy, rotation, scale, scale_y, opacity, dropped, gate (open, reduced, closed or offline), gain, reasons, \
      device, name, and of a layer NAME.x, y, vx, vy, rotation, scale, scale_y and opacity. A format after the \
      colon is [<>^][+- ][0][WIDTH][.Nf] as in Python; {{ and }} are braces.

      A template and a bar print a line at once, for each offset and at each change of the device or \
      the gate. A bar asks for 10 offsets per second that differ, and waits for the daemon.
      """)

  static let classes = ["VERSION", "DEVICE", "GATE", "OFFSET", "ANIMATION", "WATCH", "ERROR"]

  @Option(
    name: .customLong("class"),
    help: .init("Print only lines of this class; repeatable.", valueName: "CLASS"),
    completion: .streamClass)
  var classNames: [String] = []

  @Option(help: .init("Number of lines to print before exiting.", valueName: "N"))
  var count: Int?

  @Option(
    help: .init("Layers to request, as in bg=0.2,fg=1.", valueName: "NAME=DEPTH,..."),
    completion: .layerDepth)
  var layers: String?

  @Option(help: .init("Offsets per second, at most 60.", valueName: "HZ"))
  var rate: String?

  @Option(
    help: .init(
      "Orientation of this screen: normal, left-up, bottom-up or right-up.", valueName: "O"),
    completion: .list(Orientation.allCases.map(\.rawValue)))
  var orientation: String?

  @Option(
    help: .init(
      "Output format: json, csv, waybar, polybar, i3bar or a template (default: json).",
      valueName: "F"),
    completion: .list(LineFormat.names))
  var format = "json"

  @Option(
    defaultAsFlag: "true", parsing: .next,
    help: .init(
      "Print an offset only if it differs from the last, or by at least PX px from where a display is.",
      valueName: "PX"))
  var onChange: String? = nil

  @Option(
    help: .init("Seconds without a line after which the command fails, exit 69.", valueName: "S"))
  var timeout: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Wait for a daemon, and for the next after its end (default for bars).")
  var reconnect: Bool?

  @OptionGroup var connection: StreamOptions

  func run() throws {
    let format = try LineFormat(parsing: format)
    var options = Subscription.Options(format: format)
    options.watch = try makeWatch(format)
    options.classes = try printedClasses(format)
    if let count, count < 1 {
      throw CommandFailure(.usage, "--count: must be at least 1")
    }
    options.count = count
    options.timeout = try timeout.map { text throws(CommandFailure) in
      MotionDuration(
        seconds: try OptionText.number(
          text, in: 0.001...86_400, option: "--timeout", allowed: "0.001 to 86400 s"))
    }
    options.reconnects = reconnect ?? format.isBar
    var loop = SubscribeLoop(
      paths: connection.paths, options: options, verbosity: connection.verbosity)
    try loop.run()
  }

  /// Returns the request for the options; nil if there is nothing to request.
  private func makeWatch(_ format: LineFormat) throws(CommandFailure) -> WatchMessage? {
    var watch = WatchMessage()
    do {
      if let layers {
        watch.layers = try LayerSet(parsing: layers).layers.map {
          WatchMessage.LayerDepth(name: $0.name, depth: $0.depth)
        }
      }
    } catch {
      throw CommandFailure(.usage, "--layers: \(error.message)")
    }
    do {
      if let orientation { watch.orientation = try Orientation(parsing: orientation) }
    } catch {
      throw CommandFailure(.usage, "--orientation: \(error.message)")
    }
    if format.isBar {
      watch.rateHertz = BarFormat.defaultRateHertz
      watch.onChange = .anyChange
    }
    if let rate {
      guard let hertz = SettingText.number(rate), hertz > 0 else {
        throw CommandFailure(
          .usage, "--rate: invalid value '\(rate)'; use more than 0, up to 60 Hz")
      }
      watch.rateHertz = hertz
    }
    if let onChange {
      watch.onChange =
        onChange == "true"
        ? .anyChange
        : .atLeastPixels(
          try OptionText.number(
            onChange, in: 0...1_000_000, option: "--on-change", allowed: "0 px or more"))
    }
    if case .template(let template) = format, let names = watch.layers?.map(\.name),
      let unknown = template.layers.first(where: { !names.contains($0) })
    {
      throw CommandFailure(
        .usage,
        "--format: '\(unknown)' is not in --layers, which has \(names.joined(separator: ", "))")
    }
    return watch == WatchMessage() ? nil : watch
  }

  private func printedClasses(_ format: LineFormat) throws(CommandFailure) -> Set<String> {
    let allowed = SettingText.alternatives(Self.classes)
    if let unknown = classNames.first(where: { !Self.classes.contains($0) }) {
      throw CommandFailure(.usage, "--class: unknown class '\(unknown)'; use \(allowed)")
    }
    if format == .json { return Set(classNames) }
    if format.showsState, !classNames.isEmpty {
      throw CommandFailure(.usage, "--class: requires --format json; omit one of the two")
    }
    if let other = classNames.first(where: { $0 != "OFFSET" }) {
      throw CommandFailure(
        .usage, "--class: \(other) has no columns; use OFFSET or --format json")
    }
    return ["OFFSET"]
  }
}
