import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct LatencyHistogramTests {
  @Test func emptyHasNone() {
    let histogram = LatencyHistogram()
    #expect(histogram.percentileNanoseconds(0.5) == nil)
    #expect(histogram.maximumNanoseconds == 0)
  }

  @Test(arguments: [
    Int64(0), 1, 999, 1000, 1001, 123_456, 5_000_000, 67_000_000_000, .max, -5,
  ])
  func aSingleValueIsItsOwnPercentile(_ value: Int64) {
    var histogram = LatencyHistogram()
    histogram.add(nanoseconds: value)
    #expect(histogram.percentileNanoseconds(0.5) == max(0, value))
    #expect(histogram.maximumNanoseconds == max(0, value))
  }

  /// Within the bucket's width, a factor of 2^(1/8).
  @Test func percentilesOfRandomValues() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<200 {
      var histogram = LatencyHistogram()
      var values: [Int64] = []
      for _ in 0..<Int.random(in: 1...300, using: &generator) {
        let value = Int64.random(in: 1_000...1_000_000_000, using: &generator)
        values.append(value)
        histogram.add(nanoseconds: value)
      }
      values.sort()
      for share in [0.5, 0.99] {
        let exact = values[max(0, Int((Double(values.count) * share).rounded(.up)) - 1)]
        let found = histogram.percentileNanoseconds(share) ?? 0
        #expect(
          Double(found) >= Double(exact) * 0.999 && Double(found) <= Double(exact) * 1.0906,
          generator.commented((share, exact, found)))
      }
      #expect(histogram.maximumNanoseconds == values.last)
    }
  }
}
