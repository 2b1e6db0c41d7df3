// SPDX-License-Identifier: Apache-2.0

public import ParallaxAnimation

/// An animation from a file, a server or a request, ready to play.
///
///     let document = try AnimationDocument(bytes, name: "nudge.json")
///     let timeline = Timeline(document.animation)
public struct AnimationDocument: Equatable, Sendable {
  /// The id in the document; nil if it has none.
  public var id: String?
  /// The layer to move; nil: all layers.
  public var layer: String?
  /// The layers to move one after the other, instead of ``layer``.
  public var stagger: Stagger?
  /// The animation.
  public var animation: Animation
  /// What plays instead under reduced motion.
  public var reducedMotion: ReducedMotion
  /// The layer of a Lottie file that plays, for messages: `layer "card" (layers[0])`; nil for other
  /// documents.
  public var lottieLayer: String?
  /// Descriptions of the parts that are not played.
  public var unsupportedFeatures: [String]

  /// Several layers that play the same animation, each a little later than the one before.
  public struct Stagger: Equatable, Sendable {
    /// The layers, in the order in which they start.
    public var layers: [String]
    /// The time between two layers.
    public var delay: Duration { .seconds(delaySeconds) }
    /// `delay` in seconds.
    package var delaySeconds: Double

    /// Creates layers that start one after the other.
    ///
    /// - Parameters:
    ///   - layers: 1 to 16 layers, in the order in which they start.
    ///   - delay: The time between two layers.
    public init(layers: [String], delay: Duration) {
      self.init(layers: layers, delaySeconds: delay / .seconds(1))
    }

    package init(layers: [String], delaySeconds: Double) {
      self.layers = layers
      self.delaySeconds = delaySeconds
    }
  }

  /// What plays instead of an animation under reduced motion.
  public enum ReducedMotion: Equatable, Sendable {
    /// Nothing: the animation is at its end at once.
    case none
    /// Another document, by its id.
    case document(id: String)
    /// An animation in the document.
    case animation(Animation)
  }

  package init(
    id: String? = nil, layer: String? = nil, stagger: Stagger? = nil, animation: Animation,
    reducedMotion: ReducedMotion = .none, lottieLayer: String? = nil,
    unsupportedFeatures: [String] = []
  ) {
    self.id = id
    self.layer = layer
    self.stagger = stagger
    self.animation = animation
    self.reducedMotion = reducedMotion
    self.lottieLayer = lottieLayer
    self.unsupportedFeatures = unsupportedFeatures
  }

  /// What plays on each layer, with the pauses before and after it, so that all last equally long. In the
  /// pause before it, a layer already has the values `from` which it starts.
  public var parts: [(layer: String?, animation: Animation)] {
    guard let stagger else { return [(layer, animation)] }
    let start = Timeline(animation).settings
    let last = stagger.layers.count - 1
    return stagger.layers.enumerated().map { place, layer in
      (
        layer,
        animation.between(
          Double(place) * stagger.delaySeconds, Double(last - place) * stagger.delaySeconds,
          from: start)
      )
    }
  }
}

extension Animation {
  /// Returns this animation between two pauses. The parts of a sequence stay parts.
  fileprivate func between(
    _ before: Double, _ after: Double, from start: (pose: Pose, channels: PoseChannels)
  ) -> Animation {
    var parts = [self]
    if case .sequence(let own) = content { parts = Array(own) }
    if before > 0 {
      let held = [0.0, 1].map {
        Keyframes.Frame(share: $0, pose: start.pose, channels: start.channels)
      }
      parts.insert(
        start.channels.isEmpty
          ? .delay(seconds: before) : .keyframes(Keyframes(held, durationSeconds: before)), at: 0)
    }
    if after > 0 { parts.append(.delay(seconds: after)) }
    return before > 0 || after > 0 ? .sequence(parts) : self
  }
}
