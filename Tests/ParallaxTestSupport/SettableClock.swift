// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import Synchronization

/// A clock that moves only when a test sets it.
package final class SettableClock: Sendable {
  private let value: Atomic<Int64>

  package init(_ now: MotionInstant = .zero) {
    value = Atomic(now.nanoseconds)
  }

  package convenience init(nanoseconds: Int64) {
    self.init(MotionInstant(nanoseconds: nanoseconds))
  }

  /// The clock's time.
  package var now: MotionInstant {
    get { MotionInstant(nanoseconds: nanoseconds) }
    set { nanoseconds = newValue.nanoseconds }
  }

  /// The clock's time, in nanoseconds.
  package var nanoseconds: Int64 {
    get { value.load(ordering: .sequentiallyConsistent) }
    set { value.store(newValue, ordering: .sequentiallyConsistent) }
  }

  package func advance(by duration: MotionDuration) {
    value.add(duration.nanoseconds, ordering: .sequentiallyConsistent)
  }

  /// Advances the clock by `seconds`, rounded to the nanosecond.
  package func advance(seconds: Double) {
    advance(by: MotionDuration(seconds: seconds))
  }

  /// The clock as a function.
  package var reading: @Sendable () -> MotionInstant {
    { self.now }
  }
}
