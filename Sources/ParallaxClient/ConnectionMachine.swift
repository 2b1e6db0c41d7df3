import ParallaxWire

/// When to connect, to wait and to give up. A pure value: it is told what happened, the time and a
/// random number, and says what to do next; `StreamCore` does it.
struct ConnectionMachine {
  private enum State: Equatable {
    /// Between two tries; `failures` were in vain since the last connection that lasted.
    case connecting(failures: Int)
    /// Connected since this instant, after so many tries in vain.
    case connected(since: MonotonicInstant, failures: Int)
    /// Nothing more will happen.
    case finished
  }

  enum Action: Equatable {
    case connect
    /// Read and write until something ends it.
    case serve
    /// Wait until then, and call `waited`.
    case wait(until: MonotonicInstant)
    /// The stream has ended, by itself or, with nil, because nobody wants it any more.
    case finish(ParallaxError?)
  }

  private let policy: ReconnectionPolicy
  private var state = State.connecting(failures: 0)

  init(policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// The first action.
  func start() -> Action { .connect }

  mutating func connected(at now: MonotonicInstant) -> Action {
    guard case .connecting(let failures) = state else { return .finish(nil) }
    state = .connected(since: now, failures: failures)
    return .serve
  }

  /// The daemon introduced itself. Nil: go on; another generation of the protocol ends the stream.
  mutating func greeted(by version: VersionMessage) -> Action? {
    guard version.protoMajor != ParallaxRelease.protocolMajor else { return nil }
    state = .finished
    return .finish(.incompatible(major: version.protoMajor, release: version.release))
  }

  /// A try was in vain, or the connection has ended.
  ///
  /// - Parameter random: in 0..<1, for the length of the wait.
  mutating func lost(
    _ error: ParallaxError, at now: MonotonicInstant, random: Double
  ) -> Action {
    var failures = 0
    switch state {
    case .connecting(let count):
      failures = count
    case .connected(let since, let count):
      // A daemon that takes us in and throws us out again is no better than none.
      failures = since.duration(to: now) > policy.longestDelay ? 0 : count
    case .finished:
      return .finish(nil)
    }
    guard let first = policy.firstDelay else {
      state = .finished
      return .finish(error)
    }
    state = .connecting(failures: failures + 1)
    // 2^30 times the shortest first wait, 1 ms, is 12 days; the limit decides long before.
    let bound = min(first * (1 << min(failures, 30)), policy.longestDelay)
    return .wait(until: now.advanced(by: bound * (0.5 + 0.5 * random)))
  }

  /// The wait is over.
  mutating func waited() -> Action {
    state == .finished ? .finish(nil) : .connect
  }

  /// Nobody wants the stream any more.
  mutating func stop() -> Action {
    state = .finished
    return .finish(nil)
  }
}
