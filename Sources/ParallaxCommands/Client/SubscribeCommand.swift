// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxClient
import ParallaxMotion
import ParallaxText

/// `parallax subscribe`: prints the lines of the stream.
struct SubscribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscribe",
    abstract: "Print the lines of the stream.",
    discussion: """
      Each line is a JSON object that starts with its class. The command exits after --count lines, \
      when the daemon exits, or when the reader of its output is gone.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, csv
  }

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
      "Output format: json for the lines, or csv for time,x,y and the x and y of layers.",
      valueName: "F"))
  var format = Format.json

  @OptionGroup var connection: StreamOptions

  func run() throws {
    let watch = try makeWatch()
    let classes = try printedClasses()
    if let count, count < 1 {
      throw CommandFailure(.usage, "--count: must be at least 1")
    }
    do {
      var stream = try LineConnection(toFirstOf: connection.paths)
      if let watch {
        // A daemon that refuses a client says so and closes before the request; that is read below.
        do { try stream.send(watch.line) } catch .closed {}
      }
      try copyLines(from: &stream, classes: classes, watch: watch)
    } catch let error as ParallaxError {
      throw CommandFailure(error)
    }
  }

  private func copyLines(
    from stream: inout LineConnection, classes: Set<String>, watch: WatchMessage?
  ) throws {
    var printer = LinePrinter(format: format, layers: watch?.layers?.map(\.name))
    // Offsets that the daemon sent before it received the WATCH have other layers, or are for another
    // orientation.
    var isAsRequested = watch?.layers == nil && watch?.orientation == nil
    var ending = StreamEnding()
    var left = count ?? .max
    let decoder = MessageDecoder()
    while let line = try stream.readLine(whileReading: STDOUT_FILENO) {
      let name = LineClass.name(of: line)
      if name == "ERROR" || name == "DEVICE" || name == "VERSION" {
        try ending.note(decoder.message(line))
      } else if name == "WATCH" {
        isAsRequested = true
      } else if name == "OFFSET", !isAsRequested {
        continue
      }
      guard classes.isEmpty || classes.contains(name) else { continue }
      guard try printer.print(line, decoder) else { continue }
      // A refusal comes instead of the stream and is not counted.
      if ending.isGreeted { left -= 1 }
      if left == 0 { return }
    }
    if stream.outputWasClosed { throw OutputClosed() }
    try ending.finish(isIncomplete: count != nil)
  }

  /// Returns the request for the options; nil if there is nothing to request.
  private func makeWatch() throws(CommandFailure) -> WatchMessage? {
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
    if let rate {
      guard let hertz = SettingText.number(rate), hertz > 0 else {
        throw CommandFailure(
          .usage, "--rate: invalid value '\(rate)'; use more than 0, up to 60 Hz")
      }
      watch.rateHertz = hertz
    }
    return watch == WatchMessage() ? nil : watch
  }

  private func printedClasses() throws(CommandFailure) -> Set<String> {
    let allowed = SettingText.alternatives(Self.classes)
    if let unknown = classNames.first(where: { !Self.classes.contains($0) }) {
      throw CommandFailure(.usage, "--class: unknown class '\(unknown)'; use \(allowed)")
    }
    guard format == .csv else { return Set(classNames) }
    if let other = classNames.first(where: { $0 != "OFFSET" }) {
      throw CommandFailure(
        .usage, "--class: \(other) has no columns; use OFFSET or --format json")
    }
    return ["OFFSET"]
  }
}

/// How a stream ended, from the lines before its end.
private struct StreamEnding {
  private(set) var isGreeted = false
  private var isShutDown = false
  private var refusal: ErrorMessage?

  mutating func note(_ message: StreamMessage?) throws(CommandFailure) {
    switch message {
    case .version(let version):
      isGreeted = true
      guard version.protoMajor == ParallaxRelease.protocolMajor else {
        throw CommandFailure(
          .incompatible(major: version.protoMajor, release: version.release))
      }
    case .device(let device):
      isShutDown = device.state == .ended && device.reason == "shutdown"
    case .error(let error):
      refusal = error
      // The only request that can be invalid is the WATCH.
      if error.code == .badRequest { throw CommandFailure(error) }
      if isGreeted { Console.report(error.message) }
    default: break
    }
  }

  /// - Parameter isIncomplete: Whether more lines were requested.
  func finish(isIncomplete: Bool) throws(CommandFailure) {
    if let refusal, !isGreeted { throw CommandFailure(refusal) }
    guard isShutDown, !isIncomplete else { throw CommandFailure(.closed) }
  }
}
