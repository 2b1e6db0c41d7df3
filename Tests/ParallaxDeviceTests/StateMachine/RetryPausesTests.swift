// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import Testing

@testable import ParallaxDevice

@Suite struct RetryPausesTests {
  @Test func growTo30Seconds() {
    var pauses = RetryPauses()
    var next: [MotionDuration] = []
    for _ in 0..<9 {
      next.append(pauses.next)
      pauses.countFailure()
    }
    #expect(next == [0, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    pauses.reset()
    #expect(pauses.next == .zero)
  }
}
