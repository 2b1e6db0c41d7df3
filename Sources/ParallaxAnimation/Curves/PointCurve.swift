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

  /// A point as it is written: `0.25 75%`, or `0.25` alone, which lies evenly between its neighbours.
  package struct Stop: Equatable, Sendable {
    package var output: Double
    /// Share of the time: 0.75 for 75 %.
    package var input: Double?

    package init(output: Double, input: Double? = nil) {
      self.output = output
      self.input = input
    }
  }

  /// One or more, inputs not falling.
  package let points: [Point]

  /// - Parameter points: an input below one before it counts as that one. None at all is `linear`.
  package init(_ points: [Point]) {
    var last = -Double.infinity
    self.points =
      points.isEmpty
      ? [Point(input: 0, output: 0), Point(input: 1, output: 1)]
      : points.map { point in
        last = max(last, point.input.held(within: .poseBound))
        return Point(input: last, output: point.output.held(within: .poseBound))
      }
  }

  /// The points of what CSS writes: the first without an input is at 0, the last at 1, those between
  /// two that have one are spread evenly; none lies before the one in front of it.
  package init(stops: [Stop]) {
    var inputs = stops.map(\.input)
    if !inputs.isEmpty {
      inputs[0] = inputs[0] ?? 0
      inputs[inputs.count - 1] = inputs[inputs.count - 1] ?? 1
    }
    var last = -Double.infinity
    for (index, input) in inputs.enumerated() {
      guard let input else { continue }
      last = max(last, input)
      inputs[index] = last
    }
    var known = 0
    for (index, input) in inputs.enumerated() {
      guard let input, let from = inputs[known] else { continue }
      for between in known..<index where between > known {
        inputs[between] = from + (input - from) * Double(between - known) / Double(index - known)
      }
      known = index
    }
    self.init(zip(stops, inputs).map { Point(input: $1 ?? 0, output: $0.output) })
  }

  /// Before the first point and behind the last the lines go on.
  package func value(at share: Double) -> Double {
    let (from, to) = line(at: share)
    // Two points at one place: in front of them the first counts, from there on the last.
    guard to.input > from.input else { return share < from.input ? from.output : to.output }
    // Exactly the point's own where one is.
    if share == to.input { return to.output }
    return from.output
      + (to.output - from.output) * ((share - from.input) / (to.input - from.input))
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
