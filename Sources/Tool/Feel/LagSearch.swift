// SPDX-License-Identifier: Apache-2.0

/// Finds the lag at which two signals agree most.
enum LagSearch {
  /// The lags that are tried, seconds.
  static let range = -0.10...0.40
  /// A lower score means that nothing was found that the lag could be of.
  private static let minScore = 0.05

  /// Returns the lag with the greatest score, in seconds: in steps of 5 ms, then 1 ms, then by a parabola.
  ///
  /// - Parameter score: A smooth function of the lag, 1 at most.
  /// - Returns: nil if the greatest score is at an end of the range, or low everywhere.
  static func best(_ score: (Double) -> Double) -> Double? {
    let coarse = (0...100).map { range.lowerBound + Double($0) * 0.005 }
    let scores = coarse.map(score)
    guard let at = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[at] > minScore,
      at > 0, at < coarse.count - 1
    else { return nil }
    let fine = (0...12).map { coarse[at] - 0.006 + Double($0) * 0.001 }
    let values = fine.map(score)
    guard let highest = values.indices.max(by: { values[$0] < values[$1] }) else { return nil }
    let top = min(max(highest, 1), fine.count - 2)
    let bend = values[top - 1] - 2 * values[top] + values[top + 1]
    return fine[top] + (bend < 0 ? 0.0005 * (values[top - 1] - values[top + 1]) / bend : 0)
  }
}

/// The correlation of two signals of two axes about their means, both axes together.
struct Correlation {
  /// The sums of products.
  private(set) var both = 0.0
  private(set) var first = 0.0
  private(set) var second = 0.0

  /// Adds a stretch of both signals.
  mutating func add(
    count: Int, _ firstSignal: (Int) -> SIMD2<Double>, _ secondSignal: (Int) -> SIMD2<Double>
  ) {
    guard count > 0 else { return }
    var (firstSum, secondSum) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var seconds: [SIMD2<Double>] = []
    seconds.reserveCapacity(count)
    for index in 0..<count {
      let value = secondSignal(index)
      seconds.append(value)
      firstSum += firstSignal(index)
      secondSum += value
    }
    let (firstMean, secondMean) = (firstSum / Double(count), secondSum / Double(count))
    for index in 0..<count {
      let a = firstSignal(index) - firstMean
      let b = seconds[index] - secondMean
      both += (a * b).sum()
      first += (a * a).sum()
      second += (b * b).sum()
    }
  }

  /// -1...1; 0 if one of the signals is constant.
  var value: Double {
    let square = first * second
    return square > 0 ? both / square.squareRoot() : 0
  }
}
