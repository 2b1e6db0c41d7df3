import Synchronization

/// A clock that stands still until a test moves it.
///
/// Nothing waits for it: whoever reads it gets the time that was set.
package final class SettableClock: Sendable {
  private let value: Atomic<Int64>

  package init(nanoseconds: Int64 = 0) {
    value = Atomic(nanoseconds)
  }

  /// The time that was set, in nanoseconds.
  package var nanoseconds: Int64 {
    get { value.load(ordering: .sequentiallyConsistent) }
    set { value.store(newValue, ordering: .sequentiallyConsistent) }
  }

  package func advance(nanoseconds: Int64) {
    value.add(nanoseconds, ordering: .sequentiallyConsistent)
  }

  /// Moves the clock by `seconds`, rounded to the nanosecond.
  package func advance(seconds: Double) {
    advance(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// The clock as a function, for what takes one.
  package var reading: @Sendable () -> Int64 {
    { self.nanoseconds }
  }
}
