// SPDX-License-Identifier: Apache-2.0

package import ParallaxAnimation

/// An animation from a file, a server or a request, ready to play.
package struct AnimationDocument: Equatable, Sendable {
  /// The id in the document; nil if it has none.
  package var id: String?
  /// The layer to move; nil: all layers.
  package var layer: String?
  package var animation: Animation
  package var reducedMotion: ReducedMotion
  /// Descriptions of the parts that are not played.
  package var unsupportedFeatures: [String]

  /// What plays under reduced motion.
  package enum ReducedMotion: Equatable, Sendable {
    /// Nothing: the animation is at its end at once.
    case none
    /// Another document.
    case document(id: String)
    case animation(Animation)
  }

  package init(
    id: String? = nil, layer: String? = nil, animation: Animation,
    reducedMotion: ReducedMotion = .none, unsupportedFeatures: [String] = []
  ) {
    self.id = id
    self.layer = layer
    self.animation = animation
    self.reducedMotion = reducedMotion
    self.unsupportedFeatures = unsupportedFeatures
  }
}
