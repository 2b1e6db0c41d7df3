// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Wakes a thread that waits for a descriptor, by eventfd(2).
package struct WakeUp: ~Copyable, Sendable {
  private let event: FileDescriptor

  /// - Throws: `SystemError` if the process or the system has no descriptor left.
  package init() throws(SystemError) {
    let raw = parallax_eventfd()
    guard raw >= 0 else { throw .last("eventfd") }
    event = FileDescriptor(owning: raw)
  }

  /// The descriptor, for poll() or an event loop; readable between `signal()` and `clear()`.
  package var descriptor: Int32 { event.raw }

  /// Makes the descriptor readable. Allowed on any thread.
  package borrowing func signal() { parallax_event_signal(event.raw) }

  /// Makes the descriptor unreadable again.
  package borrowing func clear() { parallax_event_clear(event.raw) }

  /// Waits for a signal and clears it.
  ///
  /// - Parameter limit: The longest wait; nil waits without a limit.
  package borrowing func wait(atMost limit: MotionDuration?) {
    parallax_wait_readable(event.raw, limit.map { max(0, $0.nanoseconds) } ?? -1)
    clear()
  }
}
