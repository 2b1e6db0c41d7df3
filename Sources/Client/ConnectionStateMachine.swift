// SPDX-License-Identifier: Apache-2.0

/// One connection to one of the daemon's sockets: when to connect, wait and give up, lines in, bytes out.
///
/// Pure: instants and random numbers are arguments. `LineConnection` performs the actions and reports their
/// results.
struct ConnectionStateMachine {
  private enum State: Equatable {
    /// The next attempt is due at that instant; `failures` counts failed attempts since the last
    /// connection that lasted.
    case waiting(until: MonotonicInstant, failures: Int)
    /// An attempt is being made.
    case connecting(failures: Int)
    /// Connected since an instant, after that many failed attempts.
    case connected(since: MonotonicInstant, failures: Int)
    /// Final.
    case ended
  }

  enum Action: Equatable {
    /// Report the event, and ask for the next action.
    case report(LineConnection.Event)
    /// Connect, and call `connected` or `lost`.
    case connect
    /// Read what has arrived, and call `received` or `lost`.
    case read
    /// Call `lost` with this error.
    case lose(ParallaxError)
    /// Wait until the deadline, if there is one.
    case wait
  }

  private let policy: ReconnectionPolicy
  private var state = State.waiting(until: .distantPast, failures: 0)
  private var splitter = LineSplitter()
  /// Bytes to send, on the next connection if there is none. They are lost with their connection.
  private(set) var output: [UInt8] = []

  init(policy: ReconnectionPolicy) {
    self.policy = policy
  }

  var isConnected: Bool { if case .connected = state { true } else { false } }

  /// When the next attempt is due; nil if none is.
  var deadline: MonotonicInstant? {
    if case .waiting(let instant, _) = state { instant } else { nil }
  }

  /// Returns what to do now.
  mutating func next(at now: MonotonicInstant) -> Action {
    switch state {
    case .waiting(let instant, let failures):
      guard instant <= now else { return .wait }
      state = .connecting(failures: failures)
      return .report(.connecting)
    case .connecting: return .connect
    case .connected:
      if let line = splitter.next() { return .report(.line(line)) }
      return splitter.isOverlong ? .lose(.malformed) : .read
    case .ended: return .wait
    }
  }

  mutating func connected(at now: MonotonicInstant) -> LineConnection.Event {
    guard case .connecting(let failures) = state else { return .ended(nil) }
    state = .connected(since: now, failures: failures)
    splitter = LineSplitter()
    return .connected
  }

  /// Takes bytes from the daemon.
  mutating func received(_ bytes: UnsafeRawBufferPointer) { splitter.append(bytes) }

  mutating func send(_ bytes: [UInt8]) { output += bytes }

  /// Removes bytes that were sent.
  mutating func sent(_ count: Int) { output.removeFirst(count) }

  /// Handles a failed attempt or the end of a connection.
  ///
  /// - Parameter random: In 0..<1, for the length of the wait.
  mutating func lost(
    _ error: ParallaxError, at now: MonotonicInstant, random: Double
  ) -> LineConnection.Event {
    let failures: Int
    switch state {
    case .waiting(_, let count), .connecting(let count): failures = count
    case .connected(let since, let count):
      // A daemon that accepts a connection and ends it at once counts as a failed attempt.
      failures = since.duration(to: now) > policy.maxDelay ? 0 : count
    case .ended: return .ended(nil)
    }
    output.removeAll()
    guard let first = policy.firstDelay else {
      state = .ended
      return .ended(error)
    }
    // 2^30 times the minimum first wait, 1 ms, is 12 days: the limit applies long before.
    let bound = min(first * (1 << min(failures, 30)), policy.maxDelay)
    state = .waiting(
      until: now.advanced(by: bound * (0.5 + 0.5 * random)), failures: failures + 1)
    return .lost(error)
  }

  /// Leaves the daemon until an instant; nil: for good.
  mutating func leave(until instant: MonotonicInstant?) {
    output.removeAll()
    state = instant.map { .waiting(until: $0, failures: 0) } ?? .ended
  }
}
