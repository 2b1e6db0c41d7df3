// SPDX-License-Identifier: Apache-2.0

import CAllocationCount

/// Counts heap allocations, to show that a hot path makes none.
package enum AllocationCount {
  /// False if a sanitizer replaces malloc: then nothing is counted.
  package static var isAvailable: Bool { parallax_allocations_are_counted() }

  /// Returns the number of heap allocations of this thread while `body` runs.
  package static func during<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure)
    -> UInt64
  {
    let before = parallax_allocations_of_this_thread()
    try body()
    return parallax_allocations_of_this_thread() - before
  }
}
