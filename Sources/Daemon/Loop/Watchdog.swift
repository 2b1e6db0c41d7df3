// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The schedule of pings for the service manager's watchdog: two per period while clients are served.
/// While there are none, the watchdog is off and an idle daemon sleeps.
///
/// Pure: time is an argument, on CLOCK_MONOTONIC. Send its notices with `ServiceManager.notify` from
/// the loop that the watchdog supervises.
package struct Watchdog: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// The manager has counted since READY; no notice has been sent yet.
    case initial
    /// The watchdog is off.
    case off
    /// The watchdog is on; the next ping is due at `due`.
    case on(due: MotionInstant)
  }

  private let period: MotionDuration
  private var state = State.initial

  /// - Parameter period: the time limit between two pings, above zero (`ServiceManager.watchdog`).
  package init(period: MotionDuration) {
    self.period = max(.nanoseconds(1), period)
  }

  /// When to call `update` if nothing else happens; nil while no client is served.
  package var deadline: MotionInstant? {
    if case .on(let due) = state { due } else { nil }
  }

  /// Returns the notice to send, if any. Call it after every turn of the loop once READY is sent.
  ///
  /// - Parameter isServing: whether a client would notice a hanging daemon.
  package mutating func update(
    isServing: Bool, at now: MotionInstant
  ) -> ServiceManager.Notice? {
    switch (state, isServing) {
    case (.initial, true), (.off, true):
      state = .on(due: next(now))
      // Also counts as a ping.
      return .watchdogTime(period)
    case (.initial, false), (.on, false):
      state = .off
      return .watchdogTime(.zero)
    case (.on(let due), true) where now >= due:
      state = .on(due: next(now))
      return .watchdogPing
    case (.on, true), (.off, false):
      return nil
    }
  }

  /// Returns half a period after `now`, as sd_watchdog_enabled(3) recommends.
  private func next(_ now: MotionInstant) -> MotionInstant {
    now.addingSaturated(period / 2)
  }
}
