// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct LatencyHistogramTests {
  @Test func emptyHistogramHasNoPercentile() {
    let histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    #expect(histogram.maximum == .zero)
  }

  @Test(arguments: [
    MotionDuration.zero, 1, 999, 1000, 1001, 123_456, 5_000_000, 67_000_000_000,
    .nanoseconds(.max), -5,
  ])
  func aSingleValueIsItsOwnPercentile(_ value: MotionDuration) {
    var histogram = LatencyHistogram()
    histogram.add(value)
    #expect(histogram.percentile(0.5) == max(.zero, value))
    #expect(histogram.maximum == max(.zero, value))
  }

  /// Within the bucket's width, a factor of 2^(1/8).
  @Test func percentilesAreWithinABucket() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<200 {
      var histogram = LatencyHistogram()
      var values: [MotionDuration] = []
      for _ in 0..<Int.random(in: 1...300, using: &generator) {
        let value = MotionDuration.nanoseconds(
          Int64.random(in: 1_000...1_000_000_000, using: &generator))
        values.append(value)
        histogram.add(value)
      }
      values.sort()
      for share in [0.5, 0.99] {
        let exact = values[max(0, Int((Double(values.count) * share).rounded(.up)) - 1)]
        let found = histogram.percentile(share) ?? .zero
        let ratio: Double = found / exact
        #expect(
          ratio >= 0.999 && ratio <= 1.0906,
          generator.commented((share, exact, found)))
      }
      #expect(histogram.maximum == values.last)
    }
  }
}
