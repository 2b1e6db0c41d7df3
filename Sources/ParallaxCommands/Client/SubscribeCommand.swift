import ArgumentParser
import Glibc
import ParallaxClient
import ParallaxMotion

/// `parallax subscribe`: the stream's lines to standard output, as they come.
struct SubscribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscribe",
    abstract: "Print the daemon's lines as they come.",
    discussion: """
      Each line is a JSON object with its class first. The command ends after --count lines, when \
      the daemon ends, or when nobody reads its output any more.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case json, csv
  }

  static let classes = ["VERSION", "DEVICE", "GATE", "OFFSET", "ANIMATION", "WATCH", "ERROR"]

  @Option(
    name: .customLong("class"),
    help: .init("Print lines of this class alone; may stand several times.", valueName: "CLASS"))
  var classNames: [String] = []

  @Option(help: .init("End after so many lines.", valueName: "N"))
  var count: Int?

  @Option(
    help: .init("The layers to ask for, as bg=0.2,fg=1.", valueName: "NAME=DEPTH,..."))
  var layers: String?

  @Option(help: .init("Offsets a second, at most 60.", valueName: "HZ"))
  var rate: String?

  @Option(
    help: .init(
      "How this screen is turned: normal, left-up, bottom-up or right-up.", valueName: "O"))
  var orientation: String?

  @Option(help: .init("json: the lines; csv: time,x,y and the layers' x and y.", valueName: "F"))
  var format = Format.json

  @OptionGroup var connection: StreamOptions

  func run() throws {
    let watch = try makeWatch()
    let wanted = try wantedClasses()
    if let count, count < 1 {
      throw CommandFailure(.usage, "--count: \(count) lines cannot be; use 1 or more")
    }
    do {
      var stream = try LineConnection(toFirstOf: connection.paths)
      if let watch {
        // Whoever is refused is told so before we speak; that is read below.
        do { try stream.send(watch.line) } catch .closed {}
      }
      try copyLines(from: &stream, classes: wanted, watch: watch)
    } catch let error as ParallaxError {
      throw CommandFailure(error)
    }
  }

  private func copyLines(
    from stream: inout LineConnection, classes: Set<String>, watch: WatchMessage?
  ) throws {
    var printer = LinePrinter(format: format, layers: watch?.layers?.map(\.name))
    // Offsets that were on their way before the daemon took the WATCH have other layers, or are
    // those of another screen; they are not what was asked for.
    var isAsAsked = watch?.layers == nil && watch?.orientation == nil
    var ending = StreamEnding()
    var left = count ?? .max
    let decoder = MessageDecoder()
    while let line = try stream.readLine(whileReading: STDOUT_FILENO) {
      let name = LineClass.name(of: line)
      if name == "ERROR" || name == "DEVICE" || name == "VERSION" {
        try ending.note(decoder.message(line))
      } else if name == "WATCH" {
        isAsAsked = true
      } else if name == "OFFSET", !isAsAsked {
        continue
      }
      guard classes.isEmpty || classes.contains(name) else { continue }
      guard try printer.print(line, decoder) else { continue }
      // A refusal comes in place of the stream: it is no line of it.
      if ending.isGreeted { left -= 1 }
      if left == 0 { return }
    }
    if stream.readerHasGone { throw OutputClosed() }
    try ending.finish(isIncomplete: count != nil)
  }

  /// What the options ask of the daemon; nil for nothing.
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
        throw CommandFailure(.usage, "--rate: '\(rate)' is out of place; use more than 0, to 60 Hz")
      }
      watch.rateHertz = hertz
    }
    return watch == WatchMessage() ? nil : watch
  }

  private func wantedClasses() throws(CommandFailure) -> Set<String> {
    let allowed = Self.classes.joined(separator: ", ")
    if let unknown = classNames.first(where: { !Self.classes.contains($0) }) {
      throw CommandFailure(.usage, "--class: '\(unknown)' is no class; use \(allowed)")
    }
    guard format == .csv else { return Set(classNames) }
    if let other = classNames.first(where: { $0 != "OFFSET" }) {
      throw CommandFailure(
        .usage, "--class: \(other) has no columns; use OFFSET or --format json")
    }
    return ["OFFSET"]
  }
}

/// How a stream ended: told by the lines that came before.
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
      // The only request that can be wrong is our WATCH: what was asked for will not come.
      if error.code == .badRequest { throw CommandFailure(error) }
      if isGreeted { Console.report(error.message) }
    default: break
    }
  }

  /// - Parameter isIncomplete: lines were still wanted.
  func finish(isIncomplete: Bool) throws(CommandFailure) {
    if let refusal, !isGreeted { throw CommandFailure(refusal) }
    guard isShutDown, !isIncomplete else { throw CommandFailure(.closed) }
  }
}
