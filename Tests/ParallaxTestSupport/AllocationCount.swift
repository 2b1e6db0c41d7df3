import CAllocationCount

/// Counts what a piece of code takes from the heap, to show that a hot path takes nothing.
package enum AllocationCount {
  /// False where a sanitizer owns malloc; nothing is counted then, and a test says so.
  package static var isAvailable: Bool { parallax_allocations_are_counted() }

  /// Heap allocations of this thread while `body` runs.
  package static func during<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure)
    -> UInt64
  {
    let before = parallax_allocations_of_this_thread()
    try body()
    return parallax_allocations_of_this_thread() - before
  }
}
