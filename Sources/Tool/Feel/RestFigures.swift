// SPDX-License-Identifier: Apache-2.0

extension FigureMeasure {
  /// Shorter rests say nothing about jitter, seconds.
  private static var minRestSeconds: Double { 1.5 }
  /// The start of a rest in which the picture still settles, seconds.
  private static var settlingSeconds: Double { 0.3 }
  /// The slow part of a rest is the centred mean over this time, seconds.
  private static var meanSeconds: Double { 0.5 }

  /// Returns the RMS of what is shown at rest less its slow part, and of the step of that signal from picture
  /// to picture, both in 0.001 px.
  func rest() -> (rms: Double?, step: Double?) {
    var (high, step) = (SquareMean(), SquareMean())
    let count = Int(Self.meanSeconds * nominalHertz) | 1
    for segment in segments {
      for rest in segment.motion.rests
      where rest.upperBound - rest.lowerBound >= Self.minRestSeconds {
        let shown = segment.instants.indices.filter {
          segment.instants[$0] >= rest.lowerBound + Self.settlingSeconds
            && segment.instants[$0] <= rest.upperBound
        }.map { segment.shown[$0] }
        guard shown.count >= 2 * count else { continue }
        add(shown, meanCount: count, to: &high, &step)
      }
    }
    return (high.root.map { 1000 * $0 }, step.root.map { 1000 * $0 })
  }

  private func add(
    _ shown: [SIMD2<Double>], meanCount: Int, to high: inout SquareMean, _ step: inout SquareMean
  ) {
    var sum = shown[..<meanCount].reduce(.zero, +)
    var before: SIMD2<Double>?
    for start in 0...(shown.count - meanCount) {
      if start > 0 { sum += shown[start + meanCount - 1] - shown[start - 1] }
      let value = shown[start + meanCount / 2] - sum / Double(meanCount)
      high.add(value)
      if let before { step.add(value - before) }
      before = value
    }
  }
}

/// The root of the mean square of many values of two axes.
private struct SquareMean {
  private var sum = 0.0
  private var count = 0.0

  mutating func add(_ value: SIMD2<Double>) {
    sum += (value * value).sum()
    count += 2
  }

  /// nil without values.
  var root: Double? { count > 0 ? (sum / count).squareRoot() : nil }
}
