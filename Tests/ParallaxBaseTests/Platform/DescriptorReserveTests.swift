// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import ParallaxBase

@Suite struct DescriptorReserveTests {
  @Test(arguments: [
    (Int32(1007), UInt64(1024), false), (1008, 1024, true), (1023, 1024, true), (0, 1024, false),
    (-1, 1024, false), (5, 20, true), (1_000_000, .max, false),
  ])
  func theLastSixteenAreKept(_ descriptor: Int32, _ limit: UInt64, _ isKept: Bool) {
    #expect(DescriptorReserve.contains(descriptor, limit: limit) == isKept)
  }

  @Test func theLimitIsThatOfTheProcess() {
    #expect(!DescriptorReserve.contains(0))
    #expect(DescriptorReserve.contains(Int32.max - 1) == (sysconf(Int32(_SC_OPEN_MAX)) < Int32.max))
  }
}
