// SPDX-License-Identifier: Apache-2.0

import CSystemd
package import ParallaxBase

/// A one-shot timer on CLOCK_MONOTONIC that costs little each time, from `EventLoop.frameTimer`.
///
/// It has a timerfd of its own, whose expiry epoll reports once, so that nothing has to be read; arming it is
/// one system call. `TimerSource` shares sd-event's timerfd with all other timers, which takes a read(2) and
/// the order of all timers each time.
package final class FrameTimer: EventSource {
  private let timer: TimerDescriptor
  private var handler: (() -> Void)?

  /// The instant of CLOCK_MONOTONIC that it is armed for; nil while it is disarmed.
  package private(set) var deadline: MotionInstant?

  init(
    _ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    timer = try TimerDescriptor()
    super.init(loop)
    try add("sd_event_add_io", priority: priority) {
      sd_event_add_io(
        loop.raw, $0, timer.descriptor, PARALLAX_EPOLLIN | PARALLAX_EPOLLET,
        Self.descriptorCallback, $1)
    }
  }

  // The source must end before the descriptor closes.
  deinit { remove() }

  /// Arms the timer to run the handler once, at that instant or soon after it, never earlier; at once if the
  /// instant has passed. Replaces an earlier deadline.
  package func arm(at deadline: MotionInstant) { set(deadline) }

  /// Disarms the timer, even if it is already due.
  package func disarm() {
    if deadline != nil { set(nil) }
  }

  private func set(_ deadline: MotionInstant?) {
    guard raw != nil else { return }
    self.deadline = deadline
    do throws(SystemError) {
      try timer.arm(at: deadline)
    } catch {
      loop.report(-error.number, error.call)
    }
  }

  override func handle(_ event: Event) {
    // The loop may have taken the event before the timer was armed for a later instant.
    guard let deadline, deadline <= MonotonicClock.now() else { return }
    self.deadline = nil
    handler?()
  }

  package override func cancel() {
    remove()
    deadline = nil
    handler = nil
  }
}
