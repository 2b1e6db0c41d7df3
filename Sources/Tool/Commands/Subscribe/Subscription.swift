// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient

/// Decides what `parallax subscribe` prints, reports and waits for. Time is an argument.
struct Subscription {
  struct Options: Equatable {
    var format = LineFormat.json
    /// The classes to print with `json`; empty for all.
    var classes: Set<String> = []
    /// The number of lines after which the command ends; nil: it does not.
    var count: Int?
    var watch: WatchMessage?
    /// The longest wait for a line.
    var timeout: MotionDuration?
    var reconnects = false
  }

  /// How the command ends.
  enum Ending: Error, Equatable {
    case complete
    case failed(CommandFailure)
  }

  /// The least time between two lines of a bar: polybar shows a line that comes with another only when
  /// the next one comes.
  static let barSpacing: MotionDuration = .milliseconds(50)

  /// How long nothing may move before the reason is reported.
  static let patience: MotionDuration = .seconds(1)

  private let options: Options
  private var printer: LinePrinter
  private var view = StreamView()
  /// The state of this connection; nil without one.
  private var ending: StreamEnding?
  /// Whether offsets are those of the request: the daemon sent the first before it received the WATCH,
  /// and these have other layers, or are for another orientation.
  private var isAsRequested = false
  /// Whether the view has changed since the last line.
  private var isChanged = false
  private var lastLine: String?
  private var linesLeft: Int
  private var lastMotion: MotionInstant
  private var lastPrinted: MotionInstant
  /// The reasons that have been reported: each once.
  private var reported: Set<String> = []

  /// Bytes for standard output. The caller takes them, as it does the messages.
  var output: [UInt8] = []
  /// Errors of the daemon, for standard error.
  var errors: [String] = []
  /// Why nothing comes, for standard error.
  var notes: [String] = []

  init(_ options: Options, at now: MotionInstant) {
    self.options = options
    printer = LinePrinter(layers: options.watch?.layers?.map(\.name))
    linesLeft = options.count ?? .max
    lastMotion = now
    lastPrinted = now
    if case .bar(let bar) = options.format { output += bar.header.utf8 }
    if options.format == .csv { output += printer.header }
  }

  // MARK: - Events

  /// A daemon has accepted the connection.
  mutating func connected(at now: MotionInstant) {
    ending = StreamEnding()
    isAsRequested = options.watch?.layers == nil && options.watch?.orientation == nil
    lastMotion = now
  }

  /// Handles a line of the stream.
  mutating func receive(_ line: ArraySlice<UInt8>, at now: MotionInstant) throws(Ending) {
    let name = LineClass.name(of: line)
    var message: StreamMessage?
    switch name {
    case "ERROR", "DEVICE", "VERSION", "GATE":
      message = StreamMessage(line: line)
      do { try ending?.note(message) } catch { throw .failed(error) }
      if case .error(let error) = message, isGreeted {
        errors.append(error.message)
      }
      // A daemon that shuts down ends the connection next, and that is what is shown.
      if let message, ending?.isShutDown == false {
        view.update(message)
        isChanged = isChanged || name == "DEVICE" || name == "GATE"
      }
    case "WATCH":
      isAsRequested = true
    case "OFFSET":
      lastMotion = now
      guard isAsRequested else { return }
      if options.format.showsState, let offset = StreamMessage(line: line) {
        view.update(offset)
        try show(at: now)
        return
      }
    default: break
    }
    switch options.format {
    case .json:
      guard options.classes.isEmpty || options.classes.contains(name) else { return }
      printer.append(json: line, to: &output)
    case .csv:
      guard name == "OFFSET", printer.append(csv: StreamMessage(line: line), to: &output) else {
        return
      }
    case .bar, .template: return
    }
    try printed(at: now)
  }

  /// Handles that every line that has arrived was received: what changed is shown as one line.
  mutating func caughtUp(at now: MotionInstant) throws(Ending) {
    if isDue { try show(at: now) }
  }

  /// Handles the end of a connection, or an attempt to connect that failed.
  mutating func lost(_ error: ParallaxError, at now: MotionInstant) throws(Ending) {
    let last = ending
    ending = nil
    let failure: CommandFailure?
    if let last, error == .closed {
      failure = last.failure(isIncomplete: options.count != nil)
    } else {
      failure = CommandFailure(error)
    }
    // A path that is too long stays so.
    if !options.reconnects || failure?.exit == .usage {
      if isDue { try show(at: .distantFuture) }
      throw failure.map { .failed($0) } ?? .complete
    }
    view.disconnect(last?.admissionError?.code?.rawValue ?? "no daemon")
    isChanged = true
    let note = "waiting: \(failure?.message ?? error.description)"
    if reported.insert(note).inserted { notes.append(note) }
    try caughtUp(at: now)
  }

  /// Handles that time has passed. Call it after every other event.
  mutating func tick(at now: MotionInstant) throws(Ending) {
    if let timeout = options.timeout, now >= lastPrinted + timeout {
      let cause = view.cause.map { " (\($0))" } ?? ""
      throw .failed(
        CommandFailure(
          .unavailable,
          "no line within \(FormatSpec().text((timeout.seconds * 1000).rounded() / 1000)) s\(cause); see 'parallax doctor'"
        ))
    }
    try caughtUp(at: now)
    guard let cause = waitingCause, now >= lastMotion + Self.patience else { return }
    reported.insert(cause)
    notes.append("waiting: \(cause); see 'parallax doctor'")
    if ending?.isGreeted == false {
      view.disconnect("no answer")
      isChanged = true
      try caughtUp(at: now)
    }
  }

  /// The time of the next `tick`; nil if none is needed.
  var deadline: MotionInstant? {
    let patience = waitingCause.map { _ in lastMotion + Self.patience }
    let timeout = options.timeout.map { lastPrinted + $0 }
    let line = isDue ? lastPrinted + Self.barSpacing : nil
    return MotionInstant.earlier(line, MotionInstant.earlier(patience, timeout))
  }

  /// Whether the daemon has admitted this client.
  var isGreeted: Bool { ending?.isGreeted == true }

  // MARK: - Lines

  private var text: String {
    switch options.format {
    case .bar(let bar): bar.line(of: view)
    case .template(let template): template.line(of: view)
    case .json, .csv: ""
    }
  }

  /// Whether there is a line to print that differs from the last.
  private var isDue: Bool {
    options.format.showsState && isChanged && view.isComplete
      && (isAsRequested || view.offline != nil) && text != lastLine
  }

  /// Prints the view. A bar needs no line that is the same, and no second one at once.
  private mutating func show(at now: MotionInstant) throws(Ending) {
    let text = text
    if options.format.isBar {
      isChanged = lastLine != nil && now < lastPrinted + Self.barSpacing
      if isChanged || text == lastLine { return }
    }
    isChanged = false
    lastLine = text
    output += text.utf8
    output.append(UInt8(ascii: "\n"))
    try printed(at: now)
  }

  private mutating func printed(at now: MotionInstant) throws(Ending) {
    lastPrinted = now
    // A refusal comes instead of the stream and is not counted, and neither is the line about it.
    guard isGreeted else { return }
    linesLeft -= 1
    if linesLeft == 0 { throw .complete }
  }

  /// The reason to report after a second without motion; nil if there is none or it has been reported.
  private var waitingCause: String? {
    guard let ending, options.classes.isEmpty || options.classes.contains("OFFSET") else {
      return nil
    }
    let cause =
      ending.isGreeted
      ? view.cause.map { "no motion (\($0))" } : "no answer from the daemon"
    return cause.flatMap { reported.contains($0) ? nil : $0 }
  }
}
