// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Calls that may block forever, as calls of a driver do, with a time limit.
package enum TimeLimit {
  /// Runs `work` on a separate thread and waits for its value.
  ///
  /// If no thread can be created, `work` runs on the caller's thread without a limit.
  ///
  /// - Parameter limit: The longest wait.
  /// - Returns: nil if `work` takes longer. Its thread cannot be stopped; it is abandoned and ends with
  ///   the process.
  package static func wait<Value: Sendable>(
    for limit: MotionDuration, _ work: @escaping @Sendable () -> Value
  ) -> Value? {
    do throws(SystemError) {
      let attempt = Attempt<Value>(try WakeUp())
      try DetachedThread.start {
        let value = work()
        attempt.value.withLock { $0 = value }
        attempt.done.signal()
      }
      let end = MonotonicClock.now() + limit
      // A signal may interrupt one wait.
      while true {
        if let value = attempt.value.withLock({ $0 }) { return value }
        let rest = end - MonotonicClock.now()
        guard rest > .zero else { return nil }
        attempt.done.wait(atMost: rest)
      }
    } catch {
      return work()
    }
  }
}

/// The state that both threads hold; an abandoned thread keeps it alive.
private final class Attempt<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
  let done: WakeUp

  init(_ done: consuming WakeUp) {
    self.done = done
  }
}
