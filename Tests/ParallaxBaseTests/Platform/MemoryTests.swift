// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import Testing

@Suite struct MemoryTests {
  @Test func aReleasedHeapWorksAsBefore() {
    let pieces = (0..<10_000).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 100) }
    HeapMemory.release()
    #expect(pieces.enumerated().allSatisfy { $1.last == UInt8(truncatingIfNeeded: $0) })
  }
}
