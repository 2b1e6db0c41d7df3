// SPDX-License-Identifier: Apache-2.0

// Numbers are clamped to bounds that no screen reaches, so that the pose of any animation can be
// drawn and printed. Without them an overflow becomes an infinity, and the difference of two
// infinities NaN.

extension Double {
  /// The largest number in a pose or a velocity: px, degrees, factors. A layer at one turn per
  /// second reaches it after 88 years.
  package static var poseBound: Double { 1e12 }
  /// The bound for intermediate results. The product of two such numbers is finite.
  static var partBound: Double { 1e100 }

  /// Returns the number clamped to -bound...bound; 0 for NaN.
  @inline(__always)
  package func clamped(to bound: Double) -> Double {
    if magnitude <= bound { return self }
    return self > 0 ? bound : self < 0 ? -bound : 0
  }
}

extension Pose {
  @inline(__always)
  func clamped(to bound: Double) -> Pose {
    combined(with: .zero) { value, _ in value.clamped(to: bound) }
  }
}
