// SPDX-License-Identifier: Apache-2.0

/// The depths of a map, divided into classes at the gaps of their histogram. Each class becomes a layer.
///
/// The classes have the least squares of the differences to their means, found by dynamic programming: W. D. Fisher,
/// "On grouping for maximum homogeneity", JASA 53 (1958); H. Wang and M. Song, "Ckmeans.1d.dp", The R Journal
/// 3/2 (2011). Each limit costs in addition what the smoothed histogram has there, so that it lies in a gap.
struct DepthClasses: Equatable {
  /// The most classes.
  static let maxCount = 8
  /// There are as many classes as it takes for 98 % of each to lie within this share of the whole range.
  private static let spread = 0.06
  /// The weight of the histogram at a limit, against squares of shares of the range.
  private static let limitCost = 0.03
  private static let bins = 256
  /// Depths that differ by less are one: three of 256 steps.
  private static let leastRange = 3 * 257

  /// A value is in the class of the first limit that is above it, or else in the last.
  let limits: [UInt16]
  /// The mean of each class, from far to near, as shares of the way from the first to the last.
  let depths: [Double]
  /// The range of all depths but the rarest, at least 1.
  let range: UInt16

  /// Creates the classes of a map.
  init(_ map: Plane<UInt16>) {
    var counts = [Int](repeating: 0, count: 1 << 16)
    counts.withUnsafeMutableBufferPointer { counts in
      for y in 0..<map.height {
        let row = map.row(y)
        for x in 0..<map.width { counts[Int(row[x])] += 1 }
      }
    }
    let total = map.width * map.height
    func value(at share: Double) -> Int {
      var left = Int(share * Double(total - 1))
      for (value, count) in counts.enumerated() {
        if left < count { return value }
        left -= count
      }
      return counts.count - 1
    }
    let (low, high) = (value(at: 0.0005), value(at: 0.9995))
    guard high - low >= Self.leastRange else {
      limits = []
      // A single image moves with the offset.
      depths = [1]
      range = UInt16(max(1, high - low))
      return
    }
    let histogram = Self.histogram(counts, low, high, total: total)
    let ends = Self.ends(histogram)
    func edge(_ bin: Int) -> Int { low + (high - low + 1) * bin / Self.bins }
    let found = ends.dropLast().map { UInt16(edge($0)) }
    var means: [Double] = []
    for (start, end) in zip([0] + found.map(Int.init), found.map(Int.init) + [counts.count]) {
      let members = (start..<end).reduce(into: (count: 0, sum: 0)) { result, value in
        result.count += counts[value]
        result.sum += counts[value] * value
      }
      means.append(Double(members.sum) / Double(max(1, members.count)))
    }
    let (first, last) = (means[0], means[means.count - 1])
    limits = found
    depths = means.count == 1 ? [1] : means.map { ($0 - first) / (last - first) }
    range = UInt16(high - low)
  }

  /// Returns the share of the values in each bin.
  private static func histogram(
    _ counts: [Int], _ low: Int, _ high: Int, total: Int
  ) -> [Double] {
    var histogram = [Double](repeating: 0, count: bins)
    for (value, count) in counts.enumerated() where count > 0 {
      let bin = (min(max(low, value), high) - low) * bins / (high - low + 1)
      histogram[bin] += Double(count) / Double(total)
    }
    return histogram
  }

  /// Returns the end of each class among the bins.
  private static func ends(_ histogram: [Double]) -> [Int] {
    // Sums of the shares, of the values and of their squares up to each bin.
    var sums: [SIMD3<Double>] = [.zero]
    for (bin, share) in histogram.enumerated() {
      let value = (Double(bin) + 0.5) / Double(bins)
      sums.append(sums[bin] + share * SIMD3(1, value, value * value))
    }
    func squares(_ start: Int, _ end: Int) -> Double {
      let part = sums[end] - sums[start]
      return part.x > 0 ? max(0, part.z - part.y * part.y / part.x) : 0
    }
    let smooth = (0...bins).map { limit in
      (-4..<4).reduce(0) { sum, step in
        let bin = limit + step
        let weight = Double(step < 0 ? 5 + step : 4 - step) / 20
        return sum + (histogram.indices.contains(bin) ? weight * histogram[bin] : 0)
      }
    }
    var costs = (0...bins).map { squares(0, $0) }
    var starts: [[Int]] = []
    var best: [Int] = [bins]
    for count in 1...maxCount {
      if count > 1 {
        var next = [Double](repeating: .infinity, count: bins + 1)
        var from = [Int](repeating: 0, count: bins + 1)
        for end in count...bins {
          for start in (count - 1)..<end {
            let cost = costs[start] + squares(start, end) + limitCost * smooth[start]
            if cost < next[end] { (next[end], from[end]) = (cost, start) }
          }
        }
        costs = next
        starts.append(from)
      }
      best = [bins]
      for from in starts.reversed() { best.insert(from[best[0]], at: 0) }
      if zip([0] + best, best).allSatisfy({ isNarrow(sums, $0, $1) }) { break }
    }
    // A class without a value would have no mean.
    return best.enumerated().filter { index, end in
      sums[end].x > sums[index == 0 ? 0 : best[index - 1]].x
    }.map(\.element)
  }

  private static func isNarrow(_ sums: [SIMD3<Double>], _ start: Int, _ end: Int) -> Bool {
    let share = sums[end].x - sums[start].x
    let low = (start..<end).first { sums[$0 + 1].x - sums[start].x > 0.01 * share } ?? start
    let high = (start..<end).last { sums[end].x - sums[$0].x > 0.01 * share } ?? start
    return Double(high - low + 1) / Double(bins) <= spread
  }

  /// Returns the class of a value.
  func index(_ value: UInt16) -> UInt8 { UInt8(limits.count { $0 <= value }) }
}
