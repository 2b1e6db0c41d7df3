// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// The event loop of the process: descriptors, timers on CLOCK_MONOTONIC and signals, on sd-event
/// (epoll, timerfd and signalfd). An idle loop never wakes the process.
///
/// The loop and its sources are confined to the thread that created them; every handler runs there.
/// Once a source is dropped or cancelled, its handler never runs again, even if its event has already
/// happened in this turn of the loop.
package final class EventLoop {
  /// The `sd_event *`, to attach a bus to. Valid as long as the loop exists.
  package let raw: OpaquePointer
  private var failure: SystemError?
  private var isEnding = false
  /// Called after each turn.
  private var posts: [Post] = []

  private struct Post {
    weak var source: PostSource?
  }

  package init() throws(SystemError) {
    var event: OpaquePointer?
    try SystemError.check(sd_event_new(&event), "sd_event_new")
    guard let event else { throw SystemError(number: ENOMEM, call: "sd_event_new") }
    raw = event
  }

  deinit {
    sd_event_unref(raw)
  }

  /// Runs until `exit(code:)` and returns its code. A loop can run only once.
  package func run() throws(SystemError) -> Int32 {
    while sd_event_get_state(raw) != SD_EVENT_FINISHED { try turn(waiting: true) }
    var code: Int32 = 0
    try SystemError.check(sd_event_get_exit_code(raw, &code), "sd_event_get_exit_code")
    return code
  }

  /// Ends `run()` after the present handler. Also allowed before `run()`.
  package func exit(code: Int32) {
    precondition(code >= 0, "exit codes are not negative")
    isEnding = true
    report(sd_event_exit(raw, code), "sd_event_exit")
  }

  /// Runs one turn: waits for an event unless `waiting` is false, then runs the handler of one source.
  ///
  /// - Returns: Whether a handler may have run.
  @discardableResult
  package func turn(waiting: Bool) throws(SystemError) -> Bool {
    let result = sd_event_run(raw, waiting ? UInt64.max : 0)
    if result > 0 { callPosts() }
    if let failure { throw failure }
    return try SystemError.check(result, "sd_event_run") > 0
  }

  private func callPosts() {
    var index = 0
    while index < posts.count, !isEnding {
      if let source = posts[index].source {
        source.call()
        index += 1
      } else {
        posts.remove(at: index)
      }
    }
  }

  /// Runs every handler that is due now, without waiting.
  package func drain() throws(SystemError) {
    while sd_event_get_state(raw) != SD_EVENT_FINISHED, try turn(waiting: false) {}
  }

  // MARK: - Sources

  /// Watches a descriptor, level-triggered.
  ///
  /// The descriptor must stay open until the source is cancelled or dropped; `StreamConnection` does
  /// both in this order.
  ///
  /// - Parameter isOneOfMany: Whether thousands like it may be ready at a time. Each call of the handler
  ///   then costs one system call more, and none of the time that the others wait.
  package func watch(
    descriptor: Int32, interest: IOInterest, priority: EventPriority = .normal,
    isOneOfMany: Bool = false, handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) -> IOSource {
    try IOSource(self, descriptor, interest, priority, reportsOnce: isOneOfMany, handler)
  }

  /// Creates a one-shot timer, which is not armed yet.
  package func timer(
    priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemError) -> TimerSource {
    try TimerSource(self, priority, handler)
  }

  /// Creates a one-shot timer for what is due at each frame, which is not armed yet.
  package func frameTimer(
    priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemError) -> FrameTimer {
    try FrameTimer(self, priority, handler)
  }

  /// Creates a source that calls the handler in a later turn, once for each request.
  package func deferred(
    priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) -> DeferredSource {
    DeferredSource(self, priority, handler)
  }

  /// Handles a signal in the loop, where every call is allowed.
  ///
  /// Blocks the signal in this thread, so call it before starting other threads. A signal that
  /// arrives before `run()` is handled then.
  package func signal(
    _ number: Int32, priority: EventPriority = .normal, handler: @escaping () -> Void
  ) throws(SystemError) -> SignalSource {
    try SignalSource(self, number, priority, handler)
  }

  /// Calls the handler at the end of every turn in which the handler of another source ran, until the
  /// loop is to exit. Never wakes the loop.
  ///
  /// sd-event's own sources for this (sd_event_add_post(3)) take a turn of their own each time: one call
  /// of epoll_wait, and one of timerfd_settime, for nothing.
  package func afterEachTurn(_ handler: @escaping () -> Void) -> PostSource {
    let source = PostSource(handler)
    posts.append(Post(source: source))
    return source
  }

  // MARK: - Errors that a handler cannot handle

  /// Ends the loop if a source could not be changed, so that `run()` throws: without one of its
  /// sources the loop would hang silently. After the end of the loop, changes of sources have no
  /// effect.
  func report(_ result: Int32, _ call: String) {
    guard result < 0, result != -ESTALE, failure == nil else { return }
    failure = SystemError(number: -result, call: call)
    isEnding = true
    sd_event_exit(raw, 1)
  }
}

/// The rank of an event source: of those whose events have happened, the loop handles the one with the
/// smallest number first, and those of the same rank in turn (sd_event_source_set_priority(3)).
package struct EventPriority: RawRepresentable, Equatable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static let normal = EventPriority(rawValue: 0)
}

/// Signals that the loop does not handle.
package enum Signals {
  /// Ignores SIGPIPE: a write to a closed pipe or socket fails with EPIPE instead of ending the
  /// process.
  package static func ignoreBrokenPipe() {
    _ = Glibc.signal(SIGPIPE, SIG_IGN)
  }

  /// Ignores SIGTTOU: a message from a background job does not stop it, even on a terminal with
  /// `stty tostop`.
  package static func ignoreTerminalStop() {
    _ = Glibc.signal(SIGTTOU, SIG_IGN)
  }
}
