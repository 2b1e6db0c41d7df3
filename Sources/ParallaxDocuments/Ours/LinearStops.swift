import ParallaxAnimation

/// The points of `linear(...)` as they are written: places may be missing.
///
/// Source: CSS Easing Functions Level 2, "Create a linear easing function".
enum LinearStops {
  struct Stop {
    var output: Double
    /// Shares of the time: none, one, or two (flat between them).
    var inputs: [Double]
  }

  /// - Parameter stops: two or more.
  static func curve(_ stops: [Stop]) -> PointCurve {
    var points: [PointCurve.Point] = []
    // Where those without a place of their own begin.
    var unplaced = 0
    var largest = -Double.infinity
    for (index, stop) in stops.enumerated() {
      var inputs = stop.inputs
      if inputs.isEmpty, index == 0 { inputs = [0] }
      if inputs.isEmpty, index == stops.count - 1 { inputs = [max(1, largest)] }
      if inputs.isEmpty {
        points.append(PointCurve.Point(input: 0, output: stop.output))
        continue
      }
      spread(&points, from: unplaced, to: max(largest, inputs[0]))
      for input in inputs {
        // None is before one that is written before it.
        largest = max(largest, input)
        points.append(PointCurve.Point(input: largest, output: stop.output))
      }
      unplaced = points.count
    }
    return PointCurve(points)
  }

  /// Those from `first` on come evenly between their neighbours.
  private static func spread(
    _ points: inout [PointCurve.Point], from first: Int, to end: Double
  ) {
    guard first > 0, first < points.count else { return }
    let start = points[first - 1].input
    let count = Double(points.count - first + 1)
    for (step, index) in (first..<points.count).enumerated() {
      points[index].input = start + (end - start) * Double(step + 1) / count
    }
  }
}
