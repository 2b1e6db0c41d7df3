// SPDX-License-Identifier: Apache-2.0

import CSystemd
package import ParallaxBase

/// A one-shot timer on CLOCK_MONOTONIC that costs little each time, from `EventLoop.frameTimer`.
///
/// It has a timerfd of its own, whose expiry epoll reports once, so that nothing has to be read; arming it is
/// one system call. `TimerSource` shares sd-event's timerfd with all other timers, which takes a read(2) and
/// the order of all timers each time.
package final class FrameTimer {
  // Declared first: it must end before the descriptor closes.
  private var source: OpaquePointer?
  private let timer: TimerDescriptor
  private let loop: EventLoop
  private var handler: (() -> Void)?

  /// The instant of CLOCK_MONOTONIC that it is armed for; nil while it is disarmed.
  package private(set) var deadline: MotionInstant?

  init(
    _ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.handler = handler
    timer = try TimerDescriptor()
    try SystemError.check(
      sd_event_add_io(
        loop.raw, &source, timer.descriptor, PARALLAX_EPOLLIN | PARALLAX_EPOLLET,
        { _, _, _, userdata in
          guard let userdata else { return 0 }
          let this = Unmanaged<FrameTimer>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to the source.
          withExtendedLifetime(this) { this.expired() }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_io")
    try priority.apply(to: source)
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  /// Arms the timer to run the handler once, at that instant or soon after it, never earlier; at once if the
  /// instant has passed. Replaces an earlier deadline.
  package func arm(at deadline: MotionInstant) { set(deadline) }

  /// Disarms the timer, even if it is already due.
  package func disarm() {
    if deadline != nil { set(nil) }
  }

  private func set(_ deadline: MotionInstant?) {
    guard source != nil else { return }
    self.deadline = deadline
    do throws(SystemError) {
      try timer.arm(at: deadline)
    } catch {
      loop.report(-error.number, error.call)
    }
  }

  private func expired() {
    // The loop may have taken the event before the timer was armed for a later instant.
    guard let deadline, deadline <= MonotonicClock.now() else { return }
    self.deadline = nil
    handler?()
  }

  /// Removes the source and releases the handler. Cancelling again has no effect.
  package func cancel() {
    source = sd_event_source_disable_unref(source)
    deadline = nil
    handler = nil
  }
}
