// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// A one-shot timer on CLOCK_MONOTONIC, from `EventLoop.timer`.
///
/// Arming and disarming allocate nothing. A disarmed timer never wakes the process.
package final class TimerSource: EventSource {
  private var handler: (() -> Void)?

  /// The instant of CLOCK_MONOTONIC that it is armed for; nil while it is disarmed.
  package private(set) var deadline: MotionInstant?

  init(
    _ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    super.init(loop)
    // Accuracy is how late it may fire to share a wakeup: 1 us, because 0 means 250 ms.
    try add("sd_event_add_time", priority: priority) {
      sd_event_add_time(loop.raw, $0, CLOCK_MONOTONIC, UInt64.max, 1, Self.timeCallback, $1)
    }
    try SystemError.check(
      sd_event_source_set_enabled(raw, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
  }

  override func handle(_ event: Event) {
    deadline = nil
    handler?()
  }

  /// Arms the timer to run the handler once, at that instant or a few microseconds later, never
  /// earlier; at once if the instant has passed. Replaces an earlier deadline.
  package func arm(at deadline: MotionInstant) {
    guard let raw else { return }
    self.deadline = deadline
    // Rounded up to the next microsecond: a timer is never early.
    let microseconds = deadline <= .zero ? 0 : (UInt64(deadline.nanoseconds) + 999) / 1000
    loop.report(sd_event_source_set_time(raw, microseconds), "sd_event_source_set_time")
    loop.report(
      sd_event_source_set_enabled(raw, Int32(SD_EVENT_ONESHOT)), "sd_event_source_set_enabled")
  }

  /// Disarms the timer, even if it is already due.
  package func disarm() {
    guard let raw, deadline != nil else { return }
    deadline = nil
    loop.report(
      sd_event_source_set_enabled(raw, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
  }

  package override func cancel() {
    remove()
    deadline = nil
    handler = nil
  }
}
