// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// Decides when to connect, wait and give up. A pure value: `StreamCore` reports each event with the
/// time and a random number, and performs the action that is returned.
struct ConnectionStateMachine {
  private enum State: Equatable {
    /// Before the first attempt or between two; `failures` counts failed attempts since the last
    /// connection that lasted.
    case connecting(failures: Int)
    /// Connected since an instant, after that many failed attempts.
    case connected(since: MonotonicInstant, failures: Int)
    /// Final: the stream has ended.
    case finished
  }

  enum Action: Equatable {
    case connect
    /// Read and write until the connection or the stream ends.
    case serve
    /// Wait until then, and call `waited`.
    case wait(until: MonotonicInstant)
    /// End the stream, with an error or, if nil, because it was closed.
    case finish(ParallaxError?)
  }

  private let policy: ReconnectionPolicy
  private var state = State.connecting(failures: 0)

  init(policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// Returns the first action.
  func start() -> Action { .connect }

  mutating func connected(at now: MonotonicInstant) -> Action {
    guard case .connecting(let failures) = state else { return .finish(nil) }
    state = .connected(since: now, failures: failures)
    return .serve
  }

  /// Handles the daemon's VERSION. Returns nil to continue; another major version ends the stream.
  mutating func greeted(by version: VersionMessage) -> Action? {
    guard version.protoMajor != ParallaxRelease.protocolMajor else { return nil }
    state = .finished
    return .finish(.incompatible(major: version.protoMajor, release: version.release))
  }

  /// Handles a failed attempt or the end of a connection.
  ///
  /// - Parameter random: In 0..<1, for the length of the wait.
  mutating func lost(
    _ error: ParallaxError, at now: MonotonicInstant, random: Double
  ) -> Action {
    var failures = 0
    switch state {
    case .connecting(let count):
      failures = count
    case .connected(let since, let count):
      // A daemon that accepts a connection and ends it at once counts as a failed attempt.
      failures = since.duration(to: now) > policy.maxDelay ? 0 : count
    case .finished:
      return .finish(nil)
    }
    guard let first = policy.firstDelay else {
      state = .finished
      return .finish(error)
    }
    state = .connecting(failures: failures + 1)
    // 2^30 times the minimum first wait, 1 ms, is 12 days: the limit applies long before.
    let bound = min(first * (1 << min(failures, 30)), policy.maxDelay)
    return .wait(until: now.advanced(by: bound * (0.5 + 0.5 * random)))
  }

  /// Handles the end of a wait.
  mutating func waited() -> Action {
    state == .finished ? .finish(nil) : .connect
  }

  /// Ends the stream.
  mutating func stop() -> Action {
    state = .finished
    return .finish(nil)
  }
}
