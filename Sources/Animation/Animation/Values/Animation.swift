// SPDX-License-Identifier: Apache-2.0

/// What changes, how far and for how long.
///
/// A value, built from steps with ``sequence(_:)``, ``parallel(_:)`` and the modifiers, and played by a
/// ``Timeline``, a ``StreamPlayer`` or a ``PropertyAnimator``. Times follow from the durations of the
/// steps, so that steps can be reordered. Any ``Animatable`` value can be animated; an ``Animation`` animates a pose.
///
///     Animation.move(by: PixelOffset(x: 12, y: 0))
///       .then(.rotate(by: 180), .fade(to: 0.2))
///       .repeated(5)
///
/// Animations nest up to ``maxDepth`` levels.
public struct ValueAnimation<Value: Animatable>: Equatable, Sendable {
  /// The parts of an animation.
  package indirect enum Content: Equatable, Sendable {
    /// Ends at once.
    case empty
    case step(ValueStep<Value>)
    /// A pause, in seconds.
    case delay(Double)
    case keyframes(ValueKeyframes<Value>)
    /// A value computed elsewhere, such as a layer of a Lottie file.
    case track(AnimationTrackReference<Value>)
    /// One after the other. Each starts from the value that the one before has left.
    case sequence(AppendableList<ValueAnimation>)
    /// All from the same start. Their differences add; the longest determines the end.
    case parallel(AppendableList<ValueAnimation>)
    /// One after the other, `count` times.
    case repeated(ValueAnimation, count: RepeatCount)
    /// Backward in time. Each part runs from its end to its start: `by` in the opposite direction (a
    /// factor divides), `to` from its target back to where it would have started.
    case reversed(ValueAnimation)
    /// Forward, then backward: it ends where it starts.
    case autoreversed(ValueAnimation)
    /// At `factor` times the speed. Above 0.
    case speed(ValueAnimation, factor: Double)
  }

  package let content: Content
  /// The name of the position; nil unless it is a label.
  let label: String?
  /// In seconds; `.infinity` if a part repeats forever.
  package let durationSeconds: Double
  /// The levels of animations in it; 1 for a step.
  fileprivate let depth: Int

  /// The most levels of animations in each other: 1000. A deeper one ends the program with a message. Parts that
  /// ``then(_:)`` and ``with(_:)`` add are on the same level, as many as there are.
  public static var maxDepth: Int { 1000 }

  init(_ content: Content) {
    self.init(content, durationSeconds: content.durationSeconds, depth: content.depth)
  }

  /// Creates a label, which is empty.
  init(label: String) {
    (content, self.label, durationSeconds, depth) = (.empty, label, 0, 1)
  }

  private init(_ content: Content, durationSeconds: Double, depth: Int) {
    precondition(
      depth <= Self.maxDepth,
      "an Animation has more than \(Self.maxDepth) levels; put parts into one sequence or parallel")
    self.content = content
    label = nil
    self.durationSeconds = durationSeconds
    self.depth = depth
  }

  /// Returns this sequence with one more part, or a sequence of this animation and that part.
  func followed(by next: ValueAnimation) -> ValueAnimation {
    guard case .sequence(let parts) = content else { return .sequence([self, next]) }
    return ValueAnimation(
      .sequence(parts.appending([next])), durationSeconds: durationSeconds + next.durationSeconds,
      depth: max(depth, next.depth + 1))
  }

  /// Returns this parallel with more parts, or a parallel of this animation and those parts.
  func joined(by others: [ValueAnimation]) -> ValueAnimation {
    guard case .parallel(let parts) = content else { return .parallel([self] + others) }
    return ValueAnimation(
      .parallel(parts.appending(others)),
      durationSeconds: others.reduce(durationSeconds) { max($0, $1.durationSeconds) },
      depth: others.reduce(depth) { max($0, $1.depth + 1) })
  }
}

extension ValueAnimation.Content {
  fileprivate var depth: Int {
    switch self {
    case .empty, .step, .delay, .keyframes, .track: 1
    case .sequence(let parts), .parallel(let parts): 1 + parts.reduce(0) { max($0, $1.depth) }
    case .repeated(let part, _), .reversed(let part), .autoreversed(let part), .speed(let part, _):
      1 + part.depth
    }
  }
}

/// An animation of a pose: the position, rotation, scale and opacity of a layer.
public typealias Animation = ValueAnimation<Pose>

/// The number of times that an animation plays.
public enum RepeatCount: Equatable, Sendable {
  /// That many times; none for 0 or less.
  case times(Int)
  /// Until it is ended.
  case forever
}

/// One change of the value over a duration.
package struct ValueStep<Value: Animatable>: Equatable, Sendable {
  package var change: Value._Model.Change
  /// In seconds; nil for the duration of the curve, `naturalSeconds`.
  package var durationSeconds: Double?
  package var curve: Curve

  package init(
    _ change: Value._Model.Change, durationSeconds: Double? = nil, curve: Curve = .ease
  ) {
    self.change = change
    self.durationSeconds = durationSeconds
    self.curve = curve
  }

  /// The duration of the curve, in seconds.
  var naturalSeconds: Double {
    curve.naturalSeconds(ofWay: Value._Model.way(of: change))
  }
}

/// One change of a pose over a duration.
package typealias AnimationStep = ValueStep<Pose>

/// A value as a function of time. Implementations are pure, accept times in any order and do not
/// allocate.
package protocol AnimationTrack<Value>: AnyObject, Sendable {
  associatedtype Value: Animatable
  /// In seconds; finite.
  var durationSeconds: Double { get }
  /// The channels of a pose that it changes. Default: all.
  var channels: PoseChannels { get }
  /// Returns the difference to add to the value at a time in 0...durationSeconds.
  func difference(at seconds: Double) -> Value
  /// Returns the change of the difference per second.
  func velocity(at seconds: Double) -> Value
}

extension AnimationTrack {
  package var channels: PoseChannels { .all }
}

/// A pose as a function of time.
package protocol PoseTrack: AnimationTrack where Value == Pose {}

/// A track, compared by identity.
package struct AnimationTrackReference<Value: Animatable>: Equatable, Sendable {
  package let track: any AnimationTrack<Value>

  package init(_ track: any AnimationTrack<Value>) {
    self.track = track
  }

  package static func == (left: Self, right: Self) -> Bool { left.track === right.track }
}

/// A track of a pose, compared by identity.
package typealias PoseTrackReference = AnimationTrackReference<Pose>
