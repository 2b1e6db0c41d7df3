// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Limits for an animation document.
package enum DocumentLimits {
  /// The length of the text, in bytes.
  package static let bytes = 1 << 20
  /// The number of animations and keyframes in one document.
  package static let nodes = 10_000
  /// The levels of nested animations; in a Lottie file, of arrays and objects.
  package static let depth = 64

  /// The limits of its JSON. A nested animation takes two levels (`{"sequence": [{`), the content
  /// of the innermost one a few more.
  package static let text = JSONLimits(
    bytes: bytes, depth: JSONLimits.document.depth, values: JSONLimits.document.values)

  // Ranges of numbers: far beyond any screen, and small enough for sums to stay finite.

  /// In px.
  static let offset = -1e6...1e6
  /// In degrees.
  static let rotation = -1e6...1e6
  static let scale = -1e3...1e3
  static let opacity = 0.0...1.0
  /// A day.
  static let seconds = 0.0...86_400
  static let speed = 0.001...1_000
  static let repeats: ClosedRange<Int64> = 0...1_000_000_000
  /// In seconds.
  static let response = 0.001...1_000
  static let damping = 0.001...1_000
  /// Progress, at the control points of a curve.
  static let progress = -1e3...1e3
  /// The number of points in one `linear()`.
  static let points = 2...10_000
  /// The number of layers in one `stagger`, as many as a stream may have.
  static let layers = 1...16
  /// The number of variables, and the length of the text of one, in bytes.
  static let variables = 64
  static let variableBytes = 4096
  /// The size of all values that are inserted for variables, as many as a text may have.
  static let insertedSize = JSONLimits.document.values
  static let stepCount: ClosedRange<Int64> = 1...1_000_000
}
