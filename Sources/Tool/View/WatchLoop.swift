// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxProtocol

/// Why a view has ended.
enum WatchEnd: Equatable, Sendable {
  /// By a key.
  case quit
  /// By a signal with this number.
  case signal(Int32)
  /// The terminal is gone.
  case terminalGone
  /// The daemon that belongs to the view has ended.
  case daemonEnded
}

/// What a view shows besides the motion.
struct ViewOptions {
  var streamPaths: [String]
  var controlPaths: [String]
  /// For `parallax tune`.
  var tune: TuneModel?
  /// Writes settings, as keys of SET and their values, to a file. Returns what to show, and whether it was
  /// written.
  var write: ([(key: String, value: String)]) -> (text: String, isWritten: Bool) = { _ in
    ("", false)
  }
  /// Lines below the figures, about the daemon's device.
  var hints: (DeviceMessage?) -> [String] = { _ in [] }
  /// Whether the daemon, if it belongs to the view, has ended for good.
  var daemonHasEnded: () -> Bool = { false }
}

/// The loop of a view on a terminal: waits for keys, signals, the daemon and the clock, and draws.
///
/// It draws at most 30 times per second and sleeps while nothing moves, except for one STATUS per second.
struct WatchLoop: ~Copyable {
  private static let framePeriod = MotionDuration.nanoseconds(33_333_333)
  private static let statusPeriod = MotionDuration.seconds(1)

  private let capabilities: TerminalCapabilities
  private let ports: DaemonPorts
  private let options: ViewOptions
  /// What is known at the end, for the command.
  private(set) var model = WatchModel()
  private var tune: TuneModel?
  private var encoder: GridEncoder
  private var keys = KeyDecoder()
  private var size = TerminalSize(columns: 80, rows: 24)
  private var nextStatus = MotionInstant.zero
  private var nextFrame = MotionInstant.zero
  /// Whether something arrived that a screen may show.
  private var isChanged = true

  init(_ capabilities: TerminalCapabilities, _ options: ViewOptions) {
    self.capabilities = capabilities
    self.options = options
    tune = options.tune
    ports = DaemonPorts(
      streamPaths: options.streamPaths, controlPaths: options.controlPaths)
    encoder = GridEncoder(capabilities)
  }

  /// Connects, shows the screen and returns when the user or a signal ends it.
  ///
  /// - Throws: `ParallaxError` if there is no daemon, `SystemError` without a terminal or descriptors. The
  ///   terminal is then unchanged.
  mutating func run() throws -> WatchEnd {
    try ports.connect(&model)
    let signals = try SignalReader([
      SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH,
    ])
    let session = try TerminalSession(capabilities)
    size = session.size ?? size
    let end = loop(session, signals)
    session.end()
    return end
  }

  private mutating func loop(
    _ session: borrowing TerminalSession, _ signals: borrowing SignalReader
  ) -> WatchEnd {
    while true {
      var now = MonotonicClock.now()
      work(at: now)
      if !ports.isConnected, options.daemonHasEnded() { return .daemonEnded }
      if isChanged, now >= nextFrame {
        let grid = WatchScreen.draw(
          model, tune: tune, hints: options.hints(model.device), size: size, capabilities,
          at: now)
        guard session.write(encoder.encode(grid)) else { return .terminalGone }
        isChanged = false
        nextFrame = now + Self.framePeriod
      }
      let isReady = wait(signals.descriptor, until: wakeUp(at: now))
      now = MonotonicClock.now()
      while let signal = signals.next() {
        if let end = handle(signal, session) { return end }
      }
      if isReady, let end = readKeys(at: now) { return end }
    }
  }

  /// Does what is due: reads, connects, requests STATUS.
  private mutating func work(at now: MotionInstant) {
    if ports.update(&model, at: now) {
      isChanged = true
      if ports.isConnected {
        model.show("connected again", at: now)
        nextStatus = now
      }
    }
    if ports.isConnected, ports.hasControl, now >= nextStatus {
      nextStatus = now + Self.statusPeriod
      ports.send(.status, &model, at: now)
      isChanged = true
    }
    if let end = model.noticeEnd, end <= now {
      model.removeOldNotice(at: now)
      isChanged = true
    }
    if model.isMoving(at: now) { isChanged = true }
  }

  /// When something is due even if nothing arrives.
  private func wakeUp(at now: MotionInstant) -> MotionInstant {
    var wakeUp = ports.stream.deadline ?? nextStatus
    if isChanged || model.isMoving(at: now) { wakeUp = min(wakeUp, nextFrame) }
    if let end = model.noticeEnd { wakeUp = min(wakeUp, end) }
    return wakeUp
  }

  /// Waits for keys, a signal or the daemon. Returns whether there are keys.
  ///
  /// While the picture moves, lines of the stream wait for the next frame, and samples always do.
  private mutating func wait(_ signals: Int32, until instant: MotionInstant) -> Bool {
    let isMoving = model.isMoving(at: MonotonicClock.now())
    var entries = [
      STDIN_FILENO, signals, isMoving ? -1 : ports.stream.descriptor,
      ports.controlDescriptor,
    ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    SystemRecordingClock().poll(&entries, until: instant)
    if entries[2].revents != 0 || entries[3].revents != 0 { isChanged = true }
    return entries[0].revents != 0
  }

  private mutating func handle(
    _ signal: Int32, _ session: borrowing TerminalSession
  ) -> WatchEnd? {
    switch signal {
    case SIGWINCH:
      size = session.size ?? size
    case SIGTSTP:
      session.stop()
      encoder.invalidate()
    case SIGCONT:
      // Stopped by SIGSTOP, before which a program cannot do anything.
      session.enter()
      size = session.size ?? size
      encoder.invalidate()
    default:
      return .signal(signal)
    }
    isChanged = true
    return nil
  }

  private mutating func readKeys(at now: MotionInstant) -> WatchEnd? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count == 0 { return .terminalGone }
    guard count > 0 else { return errno == EINTR || errno == EAGAIN ? nil : .terminalGone }
    for key in keys.keys(in: buffer[..<count]) {
      if key == .control("z") {
        kill(getpid(), SIGTSTP)
      } else if key == .control("l") {
        encoder.invalidate()
      } else if turn(key, at: now) {
        // Taken by the settings.
      } else if let action = model.action(for: key) {
        if action == .quit { return .quit }
        perform(action, at: now)
      } else if model.isHelpShown {
        model.isHelpShown = false
      }
      isChanged = true
    }
    return nil
  }

  /// Handles a key of `parallax tune`. Returns false if it has no meaning there.
  private mutating func turn(_ key: Key, at now: MotionInstant) -> Bool {
    guard let (action, isTaken) = tune?.handle(key, model) else { return false }
    switch action {
    case .set(let key, let value)?: perform(.set(key: key, value: value), at: now)
    case .write?: write(at: now)
    case nil: break
    }
    return isTaken
  }

  /// Writes the settings that differ; the daemon then has them from its configuration.
  private mutating func write(at now: MotionInstant) {
    let settings = model.changedSettings
    let (text, isWritten) = options.write(settings)
    model.show(text, isError: !isWritten, at: now)
    guard isWritten else { return }
    ports.send(.reload, &model, at: now)
    for (key, _) in settings {
      ports.send(.set(SetRequest(key: key, value: .text("auto"))), &model, at: now)
    }
    nextStatus = now
  }

  private mutating func perform(_ action: WatchAction, at now: MotionInstant) {
    switch action {
    case .quit: break
    case .toggleHelp: model.isHelpShown.toggle()
    case .recenter: ports.send(.recenter, &model, at: now)
    case .set(let key, let value):
      ports.send(.set(SetRequest(key: key, value: .text(value))), &model, at: now)
      guard ports.hasControl else { return }
      model.request(key, value, at: now)
      if tune == nil {
        model.show(value == "auto" ? "\(key): as configured" : "\(key) \(value)", at: now)
      }
      // The next STATUS shows what came of it.
      nextStatus = now
    }
  }
}
