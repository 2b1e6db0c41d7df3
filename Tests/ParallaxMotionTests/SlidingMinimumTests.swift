// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite struct SlidingMinimumTests {
  @Test(arguments: [1, 7, 50] as [Int64])
  func isTheSmallestOfTheSpanExceptForCandidatesCloserThanTheSpacing(spacing: Int64) {
    var generator = SeededGenerator.forTest()
    var minimum = SlidingMinimum(span: 100, spacing: .nanoseconds(spacing))
    var all: [(time: MotionInstant, value: MotionDuration)] = []
    var time: MotionInstant = -500
    for _ in 0..<5000 {
      let isPause = Int.random(in: 0..<50, using: &generator) == 0
      time += .nanoseconds(.random(in: 1...(isPause ? 300 : 8), using: &generator))
      all.append((time, .nanoseconds(.random(in: -1000...1000, using: &generator))))
      let found = minimum.add(all[all.count - 1].value, at: time)
      let whole = all.suffix(101).filter { $0.time >= time - 100 }
      let nearer = whole.filter { $0.time >= time - 101 + .nanoseconds(spacing) }
      #expect(whole.contains { $0.value == found }, "\(generator.note)")
      #expect(nearer.allSatisfy { $0.value >= found }, "\(generator.note)")
    }
  }

  @Test func removeAllForgetsEverything() {
    var minimum = SlidingMinimum(span: 100, spacing: 1)
    #expect(minimum.add(-5, at: 0) == -5)
    #expect(minimum.add(3, at: 100) == -5)
    #expect(minimum.add(3, at: 101) == 3)
    minimum.removeAll()
    #expect(minimum.add(7, at: 102) == 7)
  }
}
