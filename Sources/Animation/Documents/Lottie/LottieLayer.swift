// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The parts of a layer that are played.
struct LottieLayer: Sendable {
  /// Lottie's `ty`.
  enum Kind: Int, CaseIterable, Sendable {
    case precomposition = 0
    case solid = 1
    case image = 2
    /// A handle for other layers, never drawn.
    case null = 3
    case shape = 4
    case text = 5
    case audio = 6
    case camera = 13
  }

  /// Lottie's `ind`, to which `parent` refers; by default the position in the list.
  var number: Int64
  /// Lottie's `nm`; empty if it has none.
  var name: String
  /// nil: a kind that is not in this list.
  var kind: Kind?
  /// The index of the parent in the layers of the file.
  var parent: Int?
  /// The index of the layer that shows the precomposition with this layer; nil: a layer of the file.
  var container: Int?
  /// The id of the precomposition that this layer shows, and its clock.
  var composition: String?
  var clock: LottieClock?
  /// The first frame in which it is drawn; `outFrame` is the first one in which it is not.
  var inFrame: Double
  var outFrame: Double
  var transform = LottieTransform()
  /// Whether the transform has keyframes, even if their values are equal.
  var hasKeyframes = false
  /// The members of the transform with an expression: `p`, `p.x`.
  var expressions: [String] = []
  /// Other parts of the transform that are not played: `skew`.
  var unsupportedFeatures: [String] = []

  /// The name in messages.
  var title: String { name.isEmpty ? "layer \(number)" : "layer \(QuotedText.of(name))" }
  var shortTitle: String { name.isEmpty ? "\(number)" : name }
}
