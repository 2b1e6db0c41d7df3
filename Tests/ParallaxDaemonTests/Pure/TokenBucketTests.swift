// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import Testing

struct TokenBucketTests {
  private static func at(_ seconds: Double) -> MotionInstant {
    .zero + MotionDuration(seconds: seconds)
  }

  @Test func aBurstPassesAndThenTheRate() {
    var bucket = TokenBucket(perSecond: 2, burst: 3)
    let taken = [0, 0, 0, 0, 0.4, 0.5, 0.6, 1, 1.1].map { bucket.take(1, at: Self.at($0)) }
    #expect(taken == [true, true, true, false, false, true, false, true, false])
  }

  @Test func itNeverHoldsMoreThanTheBurst() {
    var bucket = TokenBucket(perSecond: 2, burst: 3)
    #expect(bucket.isFull(at: Self.at(1)))
    // The first call sets the time from which tokens come.
    let taken = [0, 1_000, 1_000, 1_001, 1_001.5].map { bucket.take(3, at: Self.at($0)) }
    #expect(taken == [true, true, false, false, true])
    #expect(!bucket.isFull(at: Self.at(1_002)))
    #expect(bucket.isFull(at: Self.at(1_003)))
  }

  @Test func anEarlierTimeGivesNothing() {
    var bucket = TokenBucket(perSecond: 1, burst: 1)
    let taken = [10, 5, 10.5, 11].map { bucket.take(1, at: Self.at($0)) }
    #expect(taken == [true, false, false, true])
  }
}
