import Glibc

/// How long frames took, in buckets that grow with the value: eight to a doubling, so that a
/// percentile is right to within 9 %. Constant memory, no allocation when a value is added.
package struct LatencyHistogram: Sendable {
  private static let bucketsPerDoubling = 8.0
  /// Below 1 us everything is one bucket; the last one begins at 2^26 us, 67 s.
  private static let bucketCount = 1 + 26 * 8 + 1

  private var buckets = [UInt64](repeating: 0, count: bucketCount)
  package private(set) var count: UInt64 = 0
  package private(set) var maximumNanoseconds: Int64 = 0

  package init() {}

  package mutating func add(nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    count += 1
    maximumNanoseconds = max(maximumNanoseconds, value)
    buckets[Self.bucket(of: value)] += 1
  }

  /// The upper bound of the bucket that holds the given share (0...1) of all values, but never more
  /// than the maximum; nil while there is none.
  package func percentileNanoseconds(_ share: Double) -> Int64? {
    guard count > 0 else { return nil }
    let rank = max(1, UInt64((Double(count) * min(max(share, 0), 1)).rounded(.up)))
    var seen: UInt64 = 0
    for (index, entries) in buckets.enumerated() {
      seen += entries
      if seen >= rank { return min(Self.upperBound(of: index), maximumNanoseconds) }
    }
    return maximumNanoseconds
  }

  private static func bucket(of nanoseconds: Int64) -> Int {
    guard nanoseconds >= 1000 else { return 0 }
    let doublings = log2(Double(nanoseconds) / 1000)
    return min(bucketCount - 1, 1 + Int(doublings * bucketsPerDoubling))
  }

  private static func upperBound(of bucket: Int) -> Int64 {
    bucket == bucketCount - 1
      ? Int64.max : Int64(1000 * exp2(Double(bucket) / bucketsPerDoubling))
  }
}
