// SPDX-License-Identifier: Apache-2.0

import CAllocationCount

/// Counts heap allocations, to show that a hot path makes none. Only a build with optimization counts
/// (`scripts/test --release`): without it, every iterator allocates.
package enum AllocationCount {
  /// False if a sanitizer replaces malloc: then nothing is counted.
  package static var isAvailable: Bool { parallax_allocations_are_counted() }

  #if DEBUG
    package static let isOptimized = false
  #else
    package static let isOptimized = true
  #endif

  /// Returns the number of heap allocations of this thread while `body` runs; 0 without optimization.
  package static func during<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure)
    -> UInt64
  {
    let before = parallax_allocations_of_this_thread()
    try body()
    return isOptimized ? parallax_allocations_of_this_thread() - before : 0
  }
}
