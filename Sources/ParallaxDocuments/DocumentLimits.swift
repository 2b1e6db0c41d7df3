package import ParallaxJSON

/// How much an animation document may ask for.
package enum DocumentLimits {
  /// Bytes of its text.
  package static let bytes = 1 << 20
  /// Animations and keyframes in one document.
  package static let nodes = 10_000
  /// Animations inside one another; in a Lottie file arrays and objects.
  package static let depth = 64

  /// What its text is read with. An animation inside another one takes two levels of JSON
  /// (`{"sequence": [{`), and what stands in the innermost a few more.
  package static let text = JSONLimits(
    bytes: bytes, depth: JSONLimits.document.depth, values: JSONLimits.document.values)

  // What a number may be. Far beyond what anybody sees, and far from what a sum cannot hold.

  /// px.
  static let offset = -1e6...1e6
  /// Degrees.
  static let rotation = -1e6...1e6
  static let scale = -1e3...1e3
  static let opacity = 0.0...1.0
  /// s: a day.
  static let seconds = 0.0...86_400
  static let speed = 0.001...1_000
  static let repeats: ClosedRange<Int64> = 0...1_000_000_000
  /// s.
  static let response = 0.001...1_000
  static let damping = 0.001...1_000
  /// Progress, at the control points of a curve.
  static let progress = -1e3...1e3
  /// Of one `linear()`.
  static let points = 2...10_000
  static let stepCount: ClosedRange<Int64> = 1...1_000_000
}
