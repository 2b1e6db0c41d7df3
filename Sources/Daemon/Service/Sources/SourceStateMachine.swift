// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Decides when the source of motion runs: from the first subscriber to the last, except while the
/// gate is closed for all of them.
package struct SourceStateMachine: Equatable, Sendable {
  /// What the subscribers and the recordings together need.
  package enum Demand: Int, Comparable, Sendable {
    /// There is none.
    case noSubscriber
    /// The gate is closed for all of them.
    case gated
    /// One would receive motion.
    case needed

    package static func < (left: Demand, right: Demand) -> Bool { left.rawValue < right.rawValue }
  }

  package enum Action: Equatable, Sendable {
    /// Start the source. `fromIdle`: there was no subscriber before, so no gate reopens.
    case start(fromIdle: Bool)
    /// Stop the source.
    case stop
  }

  package enum State: Equatable, Sendable {
    /// Off, without subscribers.
    case idle
    /// Off, because the gate is closed for all subscribers.
    case gated
    /// On.
    case running
    /// On without subscribers: one may return before this instant.
    case lingering(until: MotionInstant)
    /// Needed, but the source has ended or failed to start. It is tried again the next time it is
    /// switched on.
    case finished
  }

  /// How long a source stays on after its last subscriber has left.
  package static let lingerDuration: MotionDuration = .seconds(5)

  package private(set) var state = State.idle

  package init() {}

  package var isRunning: Bool {
    switch state {
    case .running, .lingering: true
    case .idle, .gated, .finished: false
    }
  }

  /// Whether the source is needed, even if it gives nothing.
  package var isOn: Bool { isRunning || state == .finished }

  /// Takes note that another source has replaced this one, which may have finished.
  package mutating func sourceWasReplaced() {
    if state == .finished { state = .running }
  }

  /// When `update` must be called even if the demand has not changed.
  package var deadline: MotionInstant? {
    if case .lingering(let until) = state { until } else { nil }
  }

  /// Takes note that the source gives no more samples.
  package mutating func sourceHasFinished() {
    if isRunning { state = .finished }
  }

  package mutating func update(_ demand: Demand, at now: MotionInstant) -> Action? {
    switch (state, demand) {
    case (.idle, .needed):
      state = .running
      return .start(fromIdle: true)
    case (.gated, .needed):
      state = .running
      return .start(fromIdle: false)
    case (.idle, .gated):
      state = .gated
      return nil
    case (.gated, .noSubscriber):
      state = .idle
      return nil
    case (.running, .noSubscriber):
      state = .lingering(until: now + Self.lingerDuration)
      return nil
    case (.lingering, .needed):
      state = .running
      return nil
    case (.lingering(let until), .noSubscriber):
      guard now >= until else { return nil }
      state = .idle
      return .stop
    case (.finished, .noSubscriber):
      state = .idle
      return .stop
    case (.running, .gated), (.lingering, .gated), (.finished, .gated):
      state = .gated
      return .stop
    case (.idle, .noSubscriber), (.gated, .gated), (.running, .needed), (.finished, .needed):
      return nil
    }
  }
}
