import CSystemd
import Glibc

/// The process's one loop: descriptors, timers on CLOCK_MONOTONIC, and signals, on
/// sd-event (epoll, timerfd and signalfd underneath). Nothing to do: no wakeup.
///
/// Confined to the thread that made it, like every source; no handler ever runs on another. A
/// source lives as long as somebody holds it: dropped or cancelled, its handler never runs again,
/// even if its event had already happened in this turn of the loop.
package final class EventLoop {
  /// The `sd_event *`, to attach a bus to. Valid as long as the loop is.
  package let raw: OpaquePointer
  private var failure: SystemError?

  package init() throws(SystemError) {
    var event: OpaquePointer?
    try SystemError.check(sd_event_new(&event), "sd_event_new")
    guard let event else { throw SystemError(number: ENOMEM, call: "sd_event_new") }
    raw = event
  }

  deinit {
    sd_event_unref(raw)
  }

  /// Runs until `exit(code:)` and returns its code. A loop runs once.
  package func run() throws(SystemError) -> Int32 {
    let code = sd_event_loop(raw)
    if let failure { throw failure }
    return try SystemError.check(code, "sd_event_loop")
  }

  /// Ends `run()` after the handler that calls this. Allowed before `run()` too.
  package func exit(code: Int32) {
    precondition(code >= 0, "exit codes are not negative")
    report(sd_event_exit(raw, code), "sd_event_exit")
  }

  /// One turn: waits for an event, unless `waiting` is false, and runs the handlers of one source.
  /// For tests and for programs that drive the loop themselves.
  /// - Returns: whether a handler may have run.
  @discardableResult
  package func turn(waiting: Bool) throws(SystemError) -> Bool {
    let result = sd_event_run(raw, waiting ? UInt64.max : 0)
    if let failure { throw failure }
    return try SystemError.check(result, "sd_event_run") > 0
  }

  /// Runs everything that is due now and comes back without waiting.
  package func drain() throws(SystemError) {
    while sd_event_get_state(raw) != SD_EVENT_FINISHED, try turn(waiting: false) {}
  }

  // -- Sources

  /// Follows a descriptor, level-triggered. `descriptor` must stay open until the source is
  /// cancelled or dropped: cancel first, then close. (`StreamConnection` does both in order.)
  package func watch(
    descriptor: Int32, interest: IOInterest, handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) -> IOSource {
    try IOSource(self, descriptor, interest, handler)
  }

  /// A one-shot timer, disarmed to begin with.
  package func timer(_ handler: @escaping () -> Void) throws(SystemError) -> TimerSource {
    try TimerSource(self, handler)
  }

  /// Takes a signal: blocks it in this thread (a program has to do this before it starts another)
  /// and runs the handler from the loop, where everything is allowed. One that arrives before
  /// `run()` waits and is not lost.
  package func signal(
    _ number: Int32, handler: @escaping () -> Void
  ) throws(SystemError) -> SignalSource {
    try SignalSource(self, number, handler)
  }

  /// A call after every turn in which another source's handler ran; never wakes the loop.
  package func afterEachTurn(_ handler: @escaping () -> Void) throws(SystemError) -> PostSource {
    try PostSource(self, handler)
  }

  // -- Failures of calls that a handler cannot do anything about

  /// Ends the loop where a source could not be changed: `run()` throws. A loop that goes on
  /// without one of its sources would hang without a word. After the loop's end sources may still
  /// be changed, to no effect.
  func report(_ result: Int32, _ call: String) {
    guard result < 0, result != -ESTALE, failure == nil else { return }
    failure = SystemError(number: -result, call: call)
    sd_event_exit(raw, 1)
  }
}

/// Signals outside the loop.
package enum Signals {
  /// Writing to a closed pipe or socket gives EPIPE instead of ending the process.
  package static func ignoreBrokenPipe() {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
  }
}
