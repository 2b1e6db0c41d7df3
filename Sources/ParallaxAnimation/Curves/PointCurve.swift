/// `linear(...)`: straight lines between points.
///
/// Source: CSS Easing Functions Level 2, "The linear easing function".
package struct PointCurve: Equatable, Sendable {
  package struct Point: Equatable, Sendable {
    /// Share of the time.
    package var input: Double
    /// Progress.
    package var output: Double

    package init(input: Double, output: Double) {
      self.input = input
      self.output = output
    }
  }

  /// Two or more, inputs not falling.
  package let points: [Point]

  package init(_ points: [Point]) {
    self.points = points
  }

  package func value(at share: Double) -> Double {
    let (from, to) = line(at: share)
    // Two points at one place: the last counts.
    guard to.input > from.input else { return to.output }
    return from.output
      + (to.output - from.output) * (share - from.input) / (to.input - from.input)
  }

  package func slope(at share: Double) -> Double {
    let (from, to) = line(at: share)
    guard to.input > from.input else { return 0 }
    return (to.output - from.output) / (to.input - from.input)
  }

  private func line(at share: Double) -> (Point, Point) {
    var low = 0
    var high = points.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if points[middle].input <= share { low = middle } else { high = middle }
    }
    let first = min(low, max(0, points.count - 2))
    return (points[first], points[min(first + 1, points.count - 1)])
  }
}
