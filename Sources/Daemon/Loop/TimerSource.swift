// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// A one-shot timer on CLOCK_MONOTONIC, from `EventLoop.timer`.
///
/// Arming and disarming allocate nothing. A disarmed timer never wakes the process.
package final class TimerSource {
  private let loop: EventLoop
  private var source: OpaquePointer?
  private var handler: (() -> Void)?

  /// The instant of CLOCK_MONOTONIC that it is armed for; nil while it is disarmed.
  package private(set) var deadline: MotionInstant?

  init(
    _ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.handler = handler
    // Accuracy is how late it may fire to share a wakeup: 1 us, because 0 means 250 ms.
    try SystemError.check(
      sd_event_add_time(
        loop.raw, &source, CLOCK_MONOTONIC, UInt64.max, 1,
        { _, _, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<TimerSource>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to the source.
          withExtendedLifetime(this) {
            this.deadline = nil
            this.handler?()
          }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_time")
    try SystemError.check(
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
    try priority.apply(to: source)
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  /// Arms the timer to run the handler once, at that instant or a few microseconds later, never
  /// earlier; at once if the instant has passed. Replaces an earlier deadline.
  package func arm(at deadline: MotionInstant) {
    guard let source else { return }
    self.deadline = deadline
    // Rounded up to the next microsecond: a timer is never early.
    let microseconds = deadline <= .zero ? 0 : (UInt64(deadline.nanoseconds) + 999) / 1000
    loop.report(sd_event_source_set_time(source, microseconds), "sd_event_source_set_time")
    loop.report(
      sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)), "sd_event_source_set_enabled")
  }

  /// Disarms the timer, even if it is already due.
  package func disarm() {
    guard let source, deadline != nil else { return }
    deadline = nil
    loop.report(
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
  }

  /// Removes the source and releases the handler. Cancelling again has no effect.
  package func cancel() {
    source = sd_event_source_disable_unref(source)
    deadline = nil
    handler = nil
  }
}
