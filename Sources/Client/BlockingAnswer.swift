// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import Synchronization

/// Waits on this thread for a value that another thread delivers: for programs without tasks.
final class BlockingAnswer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let arrival: WakeUp

  /// - Throws: `noResources` if no descriptor is left.
  init() throws(ParallaxError) {
    do {
      arrival = try WakeUp()
    } catch {
      throw .noResources(errno: error.number)
    }
  }

  /// Delivers the value. Call it once.
  func deliver(_ delivered: Value) {
    value.withLock { $0 = delivered }
    arrival.signal()
  }

  /// Waits for the value.
  func wait() -> Value {
    while true {
      if let value = value.withLock({ $0 }) { return value }
      // A signal may interrupt it.
      arrival.wait(atMost: nil)
    }
  }
}
