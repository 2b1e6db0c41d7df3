// SPDX-License-Identifier: Apache-2.0

/// A lazy series of animations: each is requested when the previous one has ended. A stream may be
/// endless and may choose each animation when it is requested.
///
///     AnimationStream(nudge, .delay(.seconds(2))).forever().take(10)
///     AnimationStream(there).flat { ending in ending.pose.offset.x > 0 ? back : nil }
///
/// A value that any number of `StreamPlayer`s can play. The operators have the names of Rx.
public struct AnimationStream: Sendable {
  indirect enum Kind: Sendable {
    case list([Animation])
    /// One stream after the other.
    case concat(AppendableList<AnimationStream>)
    /// All streams at once, as one element.
    case merge([AnimationStream])
    /// The animations of both, in pairs.
    case zip(AnimationStream, AnimationStream)
    /// The first `count` animations.
    case take(AnimationStream, count: Int)
    /// The animations before whose start a condition holds.
    case takeWhile(AnimationStream, condition: @Sendable (AnimationEnding) -> Bool)
    /// A stream whose first animation starts later.
    case delayed(AnimationStream, seconds: Double)
    /// A stream that restarts whenever it ends.
    case forever(AnimationStream)
    /// A stream, then animations that are chosen one by one.
    case flat(AnimationStream, next: @Sendable (AnimationEnding) -> Animation?)
    /// A stream with a stream in place of each animation.
    case flatMap(AnimationStream, transform: @Sendable (Animation) -> AnimationStream)
  }

  let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// Creates a stream of animations that play one after the other. Without animations it ends at
  /// once.
  public init(_ animations: Animation...) {
    self.init(.list(animations))
  }

  /// Creates a stream of animations that play one after the other.
  public init(_ animations: [Animation]) {
    self.init(.list(animations))
  }

  // MARK: - Several streams

  /// Joins a list of streams.
  public static func concat(_ streams: [AnimationStream]) -> AnimationStream {
    AnimationStream(.concat(AppendableList(streams)))
  }

  /// Returns this stream followed by another.
  public func concat(_ other: AnimationStream) -> AnimationStream {
    guard case .concat(let streams) = kind else { return .concat([self, other]) }
    return AnimationStream(.concat(streams.appending([other])))
  }

  /// Plays streams at once, from the same pose; their differences add. The last one to end ends it. For `take`, `flat` and
  /// events, they are one animation.
  public static func merge(_ streams: [AnimationStream]) -> AnimationStream {
    AnimationStream(.merge(streams))
  }

  /// Plays this stream and another at once, from the same pose; their differences add.
  public func merge(_ other: AnimationStream) -> AnimationStream { .merge([self, other]) }

  /// Pairs the animations of two streams: the first ones play at once, then the second ones. It ends with the shorter
  /// stream.
  public static func zip(_ first: AnimationStream, _ second: AnimationStream) -> AnimationStream {
    AnimationStream(.zip(first, second))
  }

  // MARK: - A part

  /// Returns at most the first `count` animations.
  public func take(_ count: Int) -> AnimationStream { AnimationStream(.take(self, count: count)) }

  /// Returns the animations up to the first before whose start a condition fails.
  ///
  /// - Parameter condition: It receives the ending of the animation before.
  public func take(
    while condition: @escaping @Sendable (AnimationEnding) -> Bool
  ) -> AnimationStream {
    AnimationStream(.takeWhile(self, condition: condition))
  }

  /// Returns the animations that start before an event. The one that plays then plays on to its end.
  public func take(until event: StreamEvent) -> AnimationStream {
    take { _ in !event.hasOccurred }
  }

  // MARK: - Other animations

  /// Puts another animation in place of each.
  public func map(
    _ transform: @escaping @Sendable (Animation) -> Animation
  ) -> AnimationStream {
    flatMap { AnimationStream(transform($0)) }
  }

  /// Puts a stream in place of each animation. The next one is requested when that stream has ended.
  public func flatMap(
    _ transform: @escaping @Sendable (Animation) -> AnimationStream
  ) -> AnimationStream {
    AnimationStream(.flatMap(self, transform: transform))
  }

  /// Delays the first animation. The delay is part of that animation, not another one.
  public func delayed(by duration: Duration) -> AnimationStream {
    delayed(seconds: duration.inSeconds)
  }

  func delayed(seconds: Double) -> AnimationStream {
    AnimationStream(.delayed(self, seconds: seconds))
  }

  /// Restarts the stream whenever it ends, until it is cancelled. A stream without a duration, or
  /// one that a closed gate moves to its end, ends after one pass.
  public func forever() -> AnimationStream { AnimationStream(.forever(self)) }

  /// Appends animations chosen by `next`, which receives the ending of the previous animation and
  /// returns nil to end the stream.
  public func flat(
    _ next: @escaping @Sendable (AnimationEnding) -> Animation?
  ) -> AnimationStream {
    AnimationStream(.flat(self, next: next))
  }
}

/// How the previous animation of a stream ended.
public struct AnimationEnding: Equatable, Sendable {
  /// `end`; `start` before the first animation.
  public var position: AnimationPosition
  /// The pose that it left.
  public var pose: Pose
  /// Its duration; 0 before the first animation.
  public var duration: Duration { Duration(clampingSeconds: seconds) }
  /// `duration` in seconds.
  package var seconds: Double
  /// Whether it was moved to its end at once, as a closed gate does.
  public var isSkipped: Bool

  package init(
    position: AnimationPosition, pose: Pose, seconds: Double = 0, isSkipped: Bool = false
  ) {
    self.position = position
    self.pose = pose
    self.seconds = seconds
    self.isSkipped = isSkipped
  }
}
