// SPDX-License-Identifier: Apache-2.0

/// A lazy series of animations: each is requested when the previous one has ended. A stream may be
/// endless and may choose each animation when it is requested.
///
///     AnimationStream(nudge, .delay(.seconds(2))).forever().take(10)
///     AnimationStream(there).flat { ending in ending.pose.offset.x > 0 ? back : nil }
///
/// A value that any number of `StreamPlayer`s can play.
public struct AnimationStream: Sendable {
  indirect enum Kind: Sendable {
    case list([Animation])
    /// One stream after the other.
    case concat([AnimationStream])
    /// The first `count` animations.
    case take(AnimationStream, count: Int)
    /// A stream whose first animation starts later.
    case delayed(AnimationStream, seconds: Double)
    /// A stream that restarts whenever it ends.
    case forever(AnimationStream)
    /// A stream, then animations that are chosen one by one.
    case flat(AnimationStream, next: @Sendable (AnimationEnding) -> Animation?)
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

  /// Joins a list of streams.
  public static func concat(_ streams: [AnimationStream]) -> AnimationStream {
    AnimationStream(.concat(streams))
  }

  /// Returns this stream followed by another.
  public func concat(_ other: AnimationStream) -> AnimationStream { .concat([self, other]) }

  /// Returns at most the first `count` animations.
  public func take(_ count: Int) -> AnimationStream { AnimationStream(.take(self, count: count)) }

  /// Delays the first animation. The delay is part of that animation, not another one.
  public func delayed(by duration: Duration) -> AnimationStream {
    AnimationStream(.delayed(self, seconds: duration.inSeconds))
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
