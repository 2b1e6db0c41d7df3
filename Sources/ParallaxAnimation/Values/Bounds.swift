// Whatever an animation is made of, what comes out of it can be computed with and printed: numbers are
// held within bounds that no screen reaches, where an overflow would make infinities, and of these NaN.

extension Double {
  /// The largest number of a pose, and of a change a second: px, degrees, factors. A spinning layer
  /// gets there after 88 years of one turn a second.
  package static var poseBound: Double { 1e12 }
  /// Between two parts of an animation. The product of two such numbers is still one.
  static var partBound: Double { 1e100 }

  /// Itself, or the nearer end of -bound...bound; 0 where it is no number.
  @inline(__always)
  package func held(within bound: Double) -> Double {
    if magnitude <= bound { return self }
    return self > 0 ? bound : self < 0 ? -bound : 0
  }
}

extension Pose {
  @inline(__always)
  func held(within bound: Double) -> Pose {
    combined(with: .zero) { value, _ in value.held(within: bound) }
  }
}
