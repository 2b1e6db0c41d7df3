// SPDX-License-Identifier: Apache-2.0

/// A timing curve through (0, 0) and (1, 1) with two control points, as CSS `cubic-bezier()`.
///
/// Source: CSS Easing Functions Level 1, "Cubic Bézier easing functions".
public struct CubicBezier: Equatable, Sendable {
  /// The first control point's time, as a share of the duration, 0...1.
  public let x1: Double
  /// The first control point's progress.
  public let y1: Double
  /// The second control point's time, as a share of the duration, 0...1.
  public let x2: Double
  /// The second control point's progress.
  public let y2: Double

  /// `ease-in-out` = cubic-bezier(.42, 0, .58, 1).
  public static let easeInOut = CubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

  /// Creates a curve; x1 and x2 are in 0...1, which makes it a function of x.
  public init(x1: Double, y1: Double, x2: Double, y2: Double) {
    self.x1 = x1
    self.y1 = y1
    self.x2 = x2
    self.y2 = y2
  }

  /// Returns y at x = `progress`; 0 before the start and 1 after the end.
  public func value(at progress: Double) -> Double {
    guard progress > 0 else { return 0 }
    guard progress < 1 else { return 1 }
    return Self.coordinate(y1, y2, at: parameter(forX: progress))
  }

  /// Returns dy/dx at x = `progress`, which is clamped to 0...1. Infinite where the curve is
  /// vertical.
  public func slope(at progress: Double) -> Double {
    let s = parameter(forX: min(max(progress, 0), 1))
    let (dx, dy) = (Self.slope(x1, x2, at: s), Self.slope(y1, y2, at: s))
    return dx == 0 && dy == 0 ? 1 : dy / dx
  }

  /// Returns the curve's parameter at x = `target` by Newton's method within a bracket that
  /// bisection narrows, which converges for all control points.
  private func parameter(forX target: Double) -> Double {
    var low = 0.0
    var high = 1.0
    var parameter = target
    for _ in 0..<64 {
      let error = Self.coordinate(x1, x2, at: parameter) - target
      if error == 0 { return parameter }
      if error > 0 { high = parameter } else { low = parameter }
      let slope = Self.slope(x1, x2, at: parameter)
      var next = parameter - error / slope
      // A slope near 0 sends Newton's step out of the bracket (or to a NaN): halve instead.
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if next == parameter || next == low || next == high { return next }
      if (next - parameter).magnitude < 1e-16 { return next }
      parameter = next
    }
    return parameter
  }

  /// Returns one coordinate of the curve with end points 0 and 1, in Horner's form.
  private static func coordinate(_ p1: Double, _ p2: Double, at s: Double) -> Double {
    let c = 3 * p1
    let b = 3 * (p2 - p1) - c
    let a = 1 - c - b
    return ((a * s + b) * s + c) * s
  }

  private static func slope(_ p1: Double, _ p2: Double, at s: Double) -> Double {
    let c = 3 * p1
    let b = 3 * (p2 - p1) - c
    let a = 1 - c - b
    return (3 * a * s + 2 * b) * s + c
  }
}
