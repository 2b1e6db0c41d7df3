// SPDX-License-Identifier: Apache-2.0

/// A cubic Bézier curve in the plane, relative to its start: ((c t + b) t + a) t, t in 0...1.
struct CubicCurve: Sendable {
  private let a, b, c: LottieVector

  /// - Parameters:
  ///   - out: The first control point, relative to `start`.
  ///   - into: The second control point, relative to `end`.
  init(from start: LottieVector, to end: LottieVector, out: LottieVector, into: LottieVector) {
    a = out * 3
    b = (end + into - start - out) * 3 - a
    c = end - start - a - b
  }

  func point(at t: Double) -> LottieVector { ((c * t + b) * t + a) * t }

  func tangent(at t: Double) -> LottieVector { (c * (3 * t) + b * 2) * t + a }

  /// Returns the length in px, by Gauss-Legendre quadrature of the speed with five points.
  func length(from low: Double, to high: Double) -> Double {
    let middle = (low + high) / 2
    let half = (high - low) / 2
    func speed(_ node: Double) -> Double { tangent(at: middle + half * node).length }
    return half
      * (0.568888888888888889 * speed(0)
        + 0.478628670499366468 * (speed(-0.538469310105683091) + speed(0.538469310105683091))
        + 0.236926885056189088 * (speed(-0.906179845938663993) + speed(0.906179845938663993)))
  }
}
