import CSystemd
import Glibc

/// A one-shot timer on CLOCK_MONOTONIC. Made by `EventLoop.timer`; armed and disarmed as often as
/// needed, without allocation. Disarmed it wakes nobody.
package final class TimerSource {
  private let loop: EventLoop
  private var source: OpaquePointer?
  private var handler: (() -> Void)?

  /// The instant it is armed for, nanoseconds of CLOCK_MONOTONIC; nil while it is disarmed.
  package private(set) var deadlineNanoseconds: Int64?

  init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    self.handler = handler
    // Accuracy is how late it may be to share a wakeup with others: 1 us, since 0 means 250 ms.
    try SystemError.check(
      sd_event_add_time(
        loop.raw, &source, CLOCK_MONOTONIC, UInt64.max, 1,
        { _, _, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<TimerSource>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to its own source.
          withExtendedLifetime(this) {
            this.deadlineNanoseconds = nil
            this.handler?()
          }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_time")
    try SystemError.check(
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  /// Runs the handler once, at that instant of CLOCK_MONOTONIC or up to a few microseconds later,
  /// never earlier; at once for an instant that has passed. Replaces what was armed before. Of
  /// timers that are due in the same turn, the order is that of their priorities only.
  package func arm(atNanoseconds deadline: Int64) {
    guard let source else { return }
    deadlineNanoseconds = deadline
    // Up to the next microsecond, so that it is never early.
    let microseconds = deadline <= 0 ? 0 : (UInt64(deadline) + 999) / 1000
    loop.report(sd_event_source_set_time(source, microseconds), "sd_event_source_set_time")
    loop.report(
      sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)), "sd_event_source_set_enabled")
  }

  /// Takes back what was armed, even if it is due already.
  package func disarm() {
    guard let source, deadlineNanoseconds != nil else { return }
    deadlineNanoseconds = nil
    loop.report(
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
  }

  package var isArmed: Bool { deadlineNanoseconds != nil }

  /// Ends it: the handler never runs again and is let go of. Twice is allowed.
  package func cancel() {
    source = sd_event_source_disable_unref(source)
    deadlineNanoseconds = nil
    handler = nil
  }

  /// Sources with smaller numbers go first when several are due. Default 0.
  package func setPriority(_ priority: Int64) {
    guard let source else { return }
    loop.report(
      sd_event_source_set_priority(source, priority), "sd_event_source_set_priority")
  }
}
