// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// A one-shot timer on CLOCK_MONOTONIC, by timerfd_create(2).
package struct TimerDescriptor: ~Copyable {
  private let timer: FileDescriptor

  /// - Throws: `SystemError` if the process or the system has no descriptor left.
  package init() throws(SystemError) {
    let raw = parallax_timer()
    guard raw >= 0 else { throw .last("timerfd_create") }
    timer = FileDescriptor(owning: raw)
  }

  /// The descriptor, for an event loop; it becomes readable when the timer expires.
  package var descriptor: Int32 { timer.raw }

  /// Makes the descriptor unreadable until that instant; until the next call if it is nil.
  package borrowing func arm(at instant: MotionInstant?) throws(SystemError) {
    // 0 would disarm it.
    let nanoseconds = instant.map { max(1, $0.nanoseconds) } ?? 0
    guard parallax_timer_arm(timer.raw, nanoseconds) == 0 else { throw .last("timerfd_settime") }
  }
}
