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
  /// Its place in the file: `layers[2]`, `assets[0].layers[1]`.
  var path: String
  /// nil: a kind that is not in this list.
  var kind: Kind?
  /// The index of the parent in the layers of the file.
  var parent: Int?
  /// Whether it is drawn, unless it is a null object: neither hidden nor only a matte.
  var isShown = true
  /// The index of the layer that shows the precomposition with this layer; nil: a layer of the file.
  var container: Int?
  /// The id of the precomposition that this layer shows, and its clock.
  var composition: String?
  var clock: LottieClock?
  /// The first frame in which it is drawn; `outFrame` is the first one in which it is not.
  var inFrame: Double
  var outFrame: Double
  var transform = LottieTransform()
  /// The outermost group of its shapes that moves, if its own transform does not.
  var group: LottieGroup?

  /// The name in messages about a part of it, whose path they have.
  var label: String { name.isEmpty ? "layer \(number)" : "layer \(QuotedText.of(name))" }
  /// The name in other messages: `layer "card" (layers[2])`.
  var title: String { "\(label) (\(path))" }
  /// The name in lists: `"card" (layers[2])`.
  var listTitle: String { name.isEmpty ? path : "\(QuotedText.of(name)) (\(path))" }
}

/// A group of shapes with the transform that plays for its layer.
struct LottieGroup: Sendable {
  /// The name in messages: `group "wheel" (layers[2].shapes[0])`.
  var title: String
  var transform: LottieTransform
  /// From the px of its parent to those of the layer.
  var outer: LottieMatrix
}
