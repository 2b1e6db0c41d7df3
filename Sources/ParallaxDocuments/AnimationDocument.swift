package import ParallaxAnimation

/// An animation as it comes from a file, a server or a request, ready to play.
package struct AnimationDocument: Equatable, Sendable {
  /// What it calls itself; nil: whoever plays it knows.
  package var id: String?
  /// The layer that it moves; nil: all of them.
  package var layer: String?
  package var animation: Animation
  package var reducedMotion: ReducedMotion
  /// What of it cannot be played, for a person to read.
  package var leftOut: [String]

  /// What plays instead where someone wants less motion.
  package enum ReducedMotion: Equatable, Sendable {
    /// Nothing: it is at its end at once.
    case none
    /// Another document.
    case document(id: String)
    case animation(Animation)
  }

  package init(
    id: String? = nil, layer: String? = nil, animation: Animation,
    reducedMotion: ReducedMotion = .none, leftOut: [String] = []
  ) {
    self.id = id
    self.layer = layer
    self.animation = animation
    self.reducedMotion = reducedMotion
    self.leftOut = leftOut
  }
}
