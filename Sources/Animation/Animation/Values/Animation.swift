// SPDX-License-Identifier: Apache-2.0

public import ParallaxMotion

/// What moves, how far and for how long.
///
/// A value, built from steps with ``sequence(_:)``, ``parallel(_:)`` and the modifiers, and played by a
/// ``Timeline``, a ``StreamPlayer`` or a ``PropertyAnimator``. Times follow from the durations of the
/// steps, so that steps can be reordered.
///
///     Animation.move(by: PixelOffset(x: 12, y: 0))
///       .then(.rotate(by: 180), .fade(to: 0.2))
///       .repeated(5)
///
/// Animations nest up to ``maxDepth`` levels.
public struct Animation: Equatable, Sendable {
  /// The parts of an animation.
  package indirect enum Content: Equatable, Sendable {
    /// Ends at once.
    case empty
    case step(AnimationStep)
    /// A pause, in seconds.
    case delay(Double)
    case keyframes(Keyframes)
    /// A pose computed elsewhere, such as a layer of a Lottie file.
    case track(PoseTrackReference)
    /// One after the other. Each starts from the pose that the one before has left.
    case sequence(AppendableList<Animation>)
    /// All from the same start. Their differences add; the longest determines the end.
    case parallel(AppendableList<Animation>)
    /// One after the other, `count` times.
    case repeated(Animation, count: RepeatCount)
    /// Backward in time. Each part runs from its end to its start: `by` in the opposite direction (a
    /// factor divides), `to` from its target back to where it would have started.
    case reversed(Animation)
    /// Forward, then backward: it ends where it starts.
    case autoreversed(Animation)
    /// At `factor` times the speed. Above 0.
    case speed(Animation, factor: Double)
  }

  package let content: Content
  /// In seconds; `.infinity` if a part repeats forever.
  package let durationSeconds: Double
  /// The levels of animations in it; 1 for a step.
  fileprivate let depth: Int

  /// The most levels of animations in each other: 1000. A deeper one ends the program with a message. Parts that
  /// ``then(_:)`` and ``with(_:)`` add are on the same level, as many as there are.
  public static let maxDepth = 1000

  init(_ content: Content) {
    self.init(content, durationSeconds: content.durationSeconds, depth: content.depth)
  }

  private init(_ content: Content, durationSeconds: Double, depth: Int) {
    precondition(
      depth <= Self.maxDepth,
      "an Animation has more than \(Self.maxDepth) levels; put parts into one sequence or parallel")
    self.content = content
    self.durationSeconds = durationSeconds
    self.depth = depth
  }

  /// Returns this sequence with one more part, or a sequence of this animation and that part.
  func followed(by next: Animation) -> Animation {
    guard case .sequence(let parts) = content else { return .sequence([self, next]) }
    return Animation(
      .sequence(parts.appending([next])), durationSeconds: durationSeconds + next.durationSeconds,
      depth: max(depth, next.depth + 1))
  }

  /// Returns this parallel with more parts, or a parallel of this animation and those parts.
  func joined(by others: [Animation]) -> Animation {
    guard case .parallel(let parts) = content else { return .parallel([self] + others) }
    return Animation(
      .parallel(parts.appending(others)),
      durationSeconds: others.reduce(durationSeconds) { max($0, $1.durationSeconds) },
      depth: others.reduce(depth) { max($0, $1.depth + 1) })
  }
}

extension Animation.Content {
  fileprivate var depth: Int {
    switch self {
    case .empty, .step, .delay, .keyframes, .track: 1
    case .sequence(let parts), .parallel(let parts): 1 + parts.reduce(0) { max($0, $1.depth) }
    case .repeated(let part, _), .reversed(let part), .autoreversed(let part), .speed(let part, _):
      1 + part.depth
    }
  }
}

/// The number of times that an animation plays.
public enum RepeatCount: Equatable, Sendable {
  /// That many times; none for 0 or less.
  case times(Int)
  /// Until it is ended.
  case forever
}

/// A change of one property of a pose.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PoseChange: Equatable, Sendable {
  /// Moves by px to the right and down.
  case moveBy(PixelOffset)
  /// Moves to px to the right of, and below, the place of rest.
  case moveTo(PixelOffset)
  /// Rotates by degrees clockwise.
  case rotateBy(Double)
  /// Rotates to degrees clockwise.
  case rotateTo(Double)
  /// Rotates by degrees clockwise about an anchor: px to the right and down from the layer's center, in
  /// the layer. The offset follows, so that this point of the layer stays where it is.
  case pivotBy(Double, anchor: PixelOffset)
  /// Rotates to degrees clockwise about an anchor: px to the right and down from the layer's center, in
  /// the layer. The offset follows, so that this point of the layer stays where it is.
  case pivotTo(Double, anchor: PixelOffset)
  /// Multiplies the current scale.
  case scaleBy(Double)
  /// Scales to a factor; 1 is unscaled.
  case scaleTo(Double)
  /// Multiplies the current scale of each axis by a factor of its own.
  case stretchBy(x: Double, y: Double)
  /// Scales each axis to a factor of its own; 1 is unscaled.
  case stretchTo(x: Double, y: Double)
  /// Fades to an opacity, 0 (invisible) to 1.
  case fadeTo(Double)
}

/// One change of the pose over a duration.
package struct AnimationStep: Equatable, Sendable {
  package var change: PoseChange
  /// In seconds; nil for the duration of the curve, `Curve.naturalSeconds(for:)`.
  package var durationSeconds: Double?
  package var curve: Curve

  package init(_ change: PoseChange, durationSeconds: Double? = nil, curve: Curve = .ease) {
    self.change = change
    self.durationSeconds = durationSeconds
    self.curve = curve
  }
}

/// A pose as a function of time. Implementations are pure, accept times in any order and do not
/// allocate.
package protocol PoseTrack: AnyObject, Sendable {
  /// In seconds; finite.
  var durationSeconds: Double { get }
  var channels: PoseChannels { get }
  /// Returns the difference to add to the pose at a time in 0...durationSeconds.
  func difference(at seconds: Double) -> Pose
  /// Returns the change of the difference per second.
  func velocity(at seconds: Double) -> Pose
}

/// A track, compared by identity.
package struct PoseTrackReference: Equatable, Sendable {
  package let track: any PoseTrack

  package init(_ track: any PoseTrack) {
    self.track = track
  }

  package static func == (left: PoseTrackReference, right: PoseTrackReference) -> Bool {
    left.track === right.track
  }
}
