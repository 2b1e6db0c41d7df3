// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase

/// A histogram of latencies with eight buckets per doubling: a percentile is within 9 % of the true
/// value. Its memory is constant, and adding a value allocates nothing.
package struct LatencyHistogram: Sendable {
  private static let bucketsPerDoubling = 8.0
  /// One bucket below 1 us; the last one begins at 2^26 us, 67 s.
  private static let bucketCount = 1 + 26 * 8 + 1

  private var buckets = [UInt64](repeating: 0, count: bucketCount)
  package private(set) var count: UInt64 = 0
  package private(set) var maximum = MotionDuration.zero

  package init() {}

  package mutating func add(_ latency: MotionDuration) {
    let value = max(.zero, latency)
    count += 1
    maximum = max(maximum, value)
    buckets[Self.bucket(of: value)] += 1
  }

  /// The upper bound of the bucket below which that share of the values lies, or the maximum if that is
  /// smaller; nil while there is no value.
  ///
  /// - Parameter share: 0...1.
  package func percentile(_ share: Double) -> MotionDuration? {
    guard count > 0 else { return nil }
    let rank = max(1, UInt64((Double(count) * min(max(share, 0), 1)).rounded(.up)))
    var seen: UInt64 = 0
    for (index, entries) in buckets.enumerated() {
      seen += entries
      if seen >= rank { return min(Self.upperBound(of: index), maximum) }
    }
    return maximum
  }

  private static func bucket(of latency: MotionDuration) -> Int {
    guard latency >= .microseconds(1) else { return 0 }
    let doublings = log2(Double(latency.nanoseconds) / 1000)
    return min(bucketCount - 1, 1 + Int(doublings * bucketsPerDoubling))
  }

  private static func upperBound(of bucket: Int) -> MotionDuration {
    bucket == bucketCount - 1
      ? MotionDuration(nanoseconds: .max)
      : MotionDuration(nanoseconds: Int64(1000 * exp2(Double(bucket) / bucketsPerDoubling)))
  }
}
