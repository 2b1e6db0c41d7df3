// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxProtocol

/// The view where there is no terminal: one line per second.
struct PlainLoop: ~Copyable {
  private static let period = MotionDuration.seconds(1)

  private let ports: DaemonPorts
  private var model = WatchModel()

  private let options: ViewOptions

  init(_ options: ViewOptions) {
    self.options = options
    ports = DaemonPorts(
      streamPaths: options.streamPaths, controlPaths: options.controlPaths, wantsRates: false)
  }

  /// Connects and prints until a signal.
  ///
  /// - Throws: `ParallaxError` if there is no daemon, and whatever `print` throws.
  mutating func run(print: (String) throws -> Void) throws -> WatchEnd {
    try ports.connect(&model)
    let signals = try SignalReader([SIGINT, SIGTERM, SIGHUP])
    let start = MonotonicClock.now()
    ports.send(.status, &model, at: start)
    var next = start + Self.period
    while true {
      if let signal = wait(signals, until: next) { return .signal(signal) }
      if outputIsClosed { return .terminalGone }
      if !ports.isConnected, options.daemonHasEnded() { return .daemonEnded }
      let now = MonotonicClock.now()
      _ = ports.update(&model, at: now)
      guard now >= next else { continue }
      next = next + Self.period > now ? next + Self.period : now + Self.period
      try print(model.line(at: now))
      if ports.isConnected { ports.send(.status, &model, at: now) }
    }
  }

  /// Waits for a signal, the reader's end, the daemon or the clock. Returns the signal.
  private func wait(_ signals: borrowing SignalReader, until instant: MotionInstant) -> Int32? {
    var entries = [
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      // POLLERR, which a pipe without a reader sets, is reported without being requested.
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    SystemRecordingClock().poll(&entries, until: instant)
    return signals.next()
  }

  private var outputIsClosed: Bool {
    var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR) != 0
  }
}

extension WatchModel {
  /// The state in a line: time in s, offset in px, gate, rates in Hz.
  func line(at now: MotionInstant) -> String {
    let time = Figures.fixed(now.seconds, 1)
    switch connection {
    case .connecting: return "\(time)  connecting"
    case .waiting(let reason): return "\(time)  no connection: \(reason)"
    case .connected: break
    }
    let offset = offset(at: now)
    let hertz = [
      status?.measuredRateHertz.map { "sensor \(Figures.fixed($0, 1)) Hz" },
      frameHertz.map { "frames \(Figures.fixed($0, 1)) Hz" },
    ].compactMap { $0 }
    let parts =
      [
        time, "x \(Figures.signed(offset.x, 2))", "y \(Figures.signed(offset.y, 2)) px",
        "gate \(gate.map(GateText.line) ?? "unknown")",
      ] + hertz
    return parts.joined(separator: "  ")
  }
}
