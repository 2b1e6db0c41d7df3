// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A value that several threads use in turns, in the order of their numbers 0, 1, 2 and so on.
package final class OrderedAccess<Value: ~Copyable & Sendable>: @unchecked Sendable {
  // unchecked: only the thread whose turn it is uses `value`.
  private var value: Value
  private var turn = 0
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ value: consuming Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Waits until it is a number's turn and calls `body` with the value.
  ///
  /// - Parameter endsTurn: Whether it is the next number's turn afterwards. Each number must end its turn.
  package func use<Result: ~Copyable>(
    turn number: Int, endsTurn: Bool = true, _ body: (inout Value) -> Result
  ) -> Result {
    pthread_mutex_lock(mutex)
    while turn != number { pthread_cond_wait(changed, mutex) }
    pthread_mutex_unlock(mutex)
    defer {
      if endsTurn {
        pthread_mutex_lock(mutex)
        turn += 1
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
      }
    }
    return body(&value)
  }

  /// Calls `body` with the value after the last turn, when no other thread uses it.
  package func afterwards<Result, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(value)
  }
}
