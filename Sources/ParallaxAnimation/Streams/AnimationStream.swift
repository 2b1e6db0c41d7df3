/// Animations that are asked for one after the other, each when the one before has ended. A stream may
/// be endless, and need not know beforehand what comes: nothing is made before it is pulled.
///
///     AnimationStream(nudge, .delay(2)).forever().take(10)
///     AnimationStream(there).flat { ending in ending.pose.offset.x > 0 ? back : nil }
///
/// A value: how often it is played, and by whom, is nothing to it. A `StreamPlayer` plays it.
package struct AnimationStream: Sendable {
  indirect enum Kind: Sendable {
    case list([Animation])
    /// One stream after the other.
    case concat([AnimationStream])
    /// The first so many animations.
    case take(AnimationStream, count: Int)
    /// The first animation after so many s.
    case delayed(AnimationStream, seconds: Double)
    /// From the beginning again, and again.
    case forever(AnimationStream)
    /// Then animations that are chosen one by one.
    case flat(AnimationStream, next: @Sendable (AnimationEnding) -> Animation?)
  }

  let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// A list of animations, one after the other; none is a stream that ends at once.
  package init(_ animations: Animation...) {
    self.init(.list(animations))
  }

  package init(_ animations: [Animation]) {
    self.init(.list(animations))
  }

  /// All animations of a list of streams.
  package static func concat(_ streams: [AnimationStream]) -> AnimationStream {
    AnimationStream(.concat(streams))
  }

  /// This one, then another.
  package func concat(_ other: AnimationStream) -> AnimationStream { .concat([self, other]) }

  /// No more than the first `count` animations.
  package func take(_ count: Int) -> AnimationStream { AnimationStream(.take(self, count: count)) }

  /// Its first animation begins so much later. The delay is a part of that animation, not one more.
  package func delayed(by seconds: Double) -> AnimationStream {
    AnimationStream(.delayed(self, seconds: seconds))
  }

  /// From the beginning again whenever it is over, until it is cancelled. One that takes no time is
  /// over after one pass; so is one that a closed gate takes to its end.
  package func forever() -> AnimationStream { AnimationStream(.forever(self)) }

  /// Behind its last animation, and then behind each one that was chosen, what comes next is chosen by
  /// the end of the one before; nil: it is over.
  package func flat(
    _ next: @escaping @Sendable (AnimationEnding) -> Animation?
  ) -> AnimationStream {
    AnimationStream(.flat(self, next: next))
  }
}

/// What became of the animation before.
package struct AnimationEnding: Equatable, Sendable {
  /// `end`, unless nothing has been played yet: `start`.
  package var position: AnimationPosition
  /// How it has left the pose.
  package var pose: Pose
  /// How long it took, s.
  package var seconds: Double
  /// A closed gate takes everything to its end at once.
  package var isHurried: Bool

  package init(
    position: AnimationPosition, pose: Pose, seconds: Double = 0, isHurried: Bool = false
  ) {
    self.position = position
    self.pose = pose
    self.seconds = seconds
    self.isHurried = isHurried
  }
}
