// SPDX-License-Identifier: Apache-2.0

/// `linear(...)`: straight lines between points.
///
/// Source: CSS Easing Functions Level 2, "The linear easing function".
public struct PointCurve: Equatable, Sendable {
  /// A point of the curve.
  public struct Point: Equatable, Sendable {
    /// The share of the duration.
    public var input: Double
    /// The progress there.
    public var output: Double

    /// Creates a point.
    public init(input: Double, output: Double) {
      self.input = input
      self.output = output
    }
  }

  /// A point as written: `0.25 75%`, or `0.25` alone, which is placed evenly between its neighbors.
  public struct Stop: Equatable, Sendable {
    /// The progress there.
    public var output: Double
    /// The share of the duration: 0.75 for 75 %. nil: evenly between its neighbors.
    public var input: Double?

    /// Creates a stop. Without an input it is placed evenly between its neighbors.
    public init(output: Double, input: Double? = nil) {
      self.output = output
      self.input = input
    }
  }

  /// At least one, in ascending order of inputs.
  public let points: [Point]

  /// Creates a curve through points.
  ///
  /// - Parameter points: An input below the previous one is raised to it. No points mean `linear`.
  public init(_ points: [Point]) {
    var last = -Double.infinity
    self.points =
      points.isEmpty
      ? [Point(input: 0, output: 0), Point(input: 1, output: 1)]
      : points.map { point in
        last = max(last, point.input.clamped(to: .poseBound))
        return Point(input: last, output: point.output.clamped(to: .poseBound))
      }
  }

  /// Creates a curve from CSS stops. Without an input, the first is at 0, the last at 1, and those
  /// between are spread evenly. An input below the previous one is raised to it.
  public init(stops: [Stop]) {
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

  /// Returns the progress at a share of the duration. The first and the last line extend beyond
  /// their points.
  public func value(at share: Double) -> Double {
    let (from, to) = line(at: share)
    // With two points at one input, the first counts before it, the last from it on.
    guard to.input > from.input else { return share < from.input ? from.output : to.output }
    // Exact at a point.
    if share == to.input { return to.output }
    return from.output
      + (to.output - from.output) * ((share - from.input) / (to.input - from.input))
  }

  /// Returns the progress per share of the duration.
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
