// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// When to ask a question again that another program has not answered: after 1, 2, 4 ... 60 s, until it
/// answers or is gone.
///
/// Pure: time is an argument, on CLOCK_MONOTONIC. `BusQuestion` performs the actions.
package struct QuestionSchedule: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    case ask
    /// Nothing is known of the answer yet: it failed, or it takes longer than usual.
    case reportSilence
  }

  private enum State: Equatable, Sendable {
    /// Nothing is asked.
    case idle
    /// The question is on its way.
    case asked(since: MotionInstant)
    /// The question failed. It is asked again at that instant.
    case pausing(until: MotionInstant)
  }

  /// How long an answer may take before the program counts as silent.
  private let patience: MotionDuration
  private var backoff: Backoff
  private var state = State.idle
  /// Whether the present silence has been reported.
  private var isReported = false

  package init(patience: MotionDuration, firstPause: MotionDuration) {
    self.patience = patience
    backoff = Backoff(first: firstPause)
  }

  /// When to call `advance`; nil if only an answer or a failure can come.
  package var deadline: MotionInstant? {
    switch state {
    case .idle: nil
    case .asked(let since): isReported ? nil : since + patience
    case .pausing(let end): end
    }
  }

  /// Asks now, and again until there is an answer.
  package mutating func start(at now: MotionInstant) -> [Action] {
    backoff.reset()
    isReported = false
    state = .asked(since: now)
    return [.ask]
  }

  /// Handles an answer, or the end of the program that was asked.
  package mutating func stop() {
    state = .idle
  }

  /// Handles the lack of an answer.
  package mutating func failed(at now: MotionInstant) -> [Action] {
    guard case .asked = state else { return [] }
    state = .pausing(until: now + backoff.next())
    return reportOnce()
  }

  /// Does what is due.
  package mutating func advance(at now: MotionInstant) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    switch state {
    case .idle: return []
    case .asked: return reportOnce()
    case .pausing:
      state = .asked(since: now)
      return [.ask]
    }
  }

  private mutating func reportOnce() -> [Action] {
    defer { isReported = true }
    return isReported ? [] : [.reportSilence]
  }
}
