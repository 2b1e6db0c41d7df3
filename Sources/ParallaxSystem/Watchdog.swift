/// When to ping the service manager's watchdog: twice a period while somebody is served, and not at
/// all while nobody is. The manager is then told to expect nothing, so that an idle daemon sleeps.
///
/// A value without a clock: time comes in as an argument, nanoseconds of CLOCK_MONOTONIC. What it
/// answers is to be told by `ServiceManager.notify`, from the loop that is to be proved alive.
package struct Watchdog: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// The manager has counted since it was told READY: nothing was said to it yet.
    case untold
    /// Switched off.
    case asleep
    /// The next ping is due at this instant.
    case awake(dueNanoseconds: Int64)
  }

  private let periodNanoseconds: Int64
  private var state = State.untold

  /// - Parameter period: what the manager waits between two pings, nanoseconds; above 0
  ///   (`ServiceManager.watchdogNanoseconds`).
  package init(periodNanoseconds period: Int64) {
    periodNanoseconds = max(1, period)
  }

  /// When `update` is wanted without anything having happened; nil while nobody is served.
  package var deadlineNanoseconds: Int64? {
    if case .awake(let due) = state { due } else { nil }
  }

  /// To be asked after every turn of the loop, from READY on.
  ///
  /// - Parameter isServing: whether there is anybody for whom a hanging daemon would matter.
  /// - Returns: what to tell the manager, if anything.
  package mutating func update(
    isServing: Bool, atNanoseconds now: Int64
  ) -> ServiceManager.Notice? {
    switch (state, isServing) {
    case (.untold, true), (.asleep, true):
      state = .awake(dueNanoseconds: next(now))
      // Counts as a ping, too.
      return .watchdogTime(nanoseconds: periodNanoseconds)
    case (.untold, false), (.awake, false):
      state = .asleep
      return .watchdogTime(nanoseconds: 0)
    case (.awake(let due), true) where now >= due:
      state = .awake(dueNanoseconds: next(now))
      return .watchdogPing
    case (.awake, true), (.asleep, false):
      return nil
    }
  }

  /// Half a period on, as sd_watchdog_enabled(3) recommends.
  private func next(_ now: Int64) -> Int64 {
    let (due, overflow) = now.addingReportingOverflow(periodNanoseconds / 2)
    return overflow ? .max : due
  }
}
