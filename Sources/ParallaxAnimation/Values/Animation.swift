package import ParallaxMotion

/// What moves, how far and how long: a value. Built from steps, composed by `sequence`, `parallel` and
/// the modifiers; played by a `Timeline`. Times are derived from the steps' durations, so that steps can
/// be put in another order.
///
///     Animation.move(by: PixelOffset(x: 12, y: 0))
///       .then(.rotate(by: 180), .fade(to: 0.2))
///       .repeated(5)
package indirect enum Animation: Equatable, Sendable {
  /// Ends at once.
  case empty
  case step(AnimationStep)
  /// Nothing for a while, s.
  case delay(Double)
  case keyframes(Keyframes)
  /// A course that something else computes, as a layer of a Lottie file.
  case track(PoseTrackReference)
  /// One after the other, each from where the one before has left the pose.
  case sequence([Animation])
  /// All from the same start; their differences add. Ends with the longest.
  case parallel([Animation])
  /// One after the other, `count` times.
  case repeated(Animation, count: RepeatCount)
  /// Backward in time. Each part goes from where it would end to where it begins: `by` the other way
  /// round (a factor is divided by), `to` from its target back to where it would have started.
  case reversed(Animation)
  /// There and back again: it ends where it begins.
  case autoreversed(Animation)
  /// `factor` times as fast; above 0.
  case speed(Animation, factor: Double)
}

/// How often something is repeated.
package enum RepeatCount: Equatable, Sendable {
  /// 0 or more.
  case times(Int)
  case forever
}

/// One change of the pose over a time.
package struct AnimationStep: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    case moveBy(PixelOffset)
    case moveTo(PixelOffset)
    /// Degrees clockwise.
    case rotateBy(Double)
    case rotateTo(Double)
    /// A factor to what there is.
    case scaleBy(Double)
    case scaleTo(Double)
    case fadeTo(Double)
  }

  package var change: Change
  /// nil: the curve's own, `Curve.naturalSeconds`.
  package var durationSeconds: Double?
  package var curve: Curve

  package init(_ change: Change, durationSeconds: Double? = nil, curve: Curve = .ease) {
    self.change = change
    self.durationSeconds = durationSeconds
    self.curve = curve
  }
}

/// Poses at shares of a duration, as CSS `@keyframes` has them: a channel goes from one keyframe that
/// names it to the next one that does; where none stands at 0 or at 1, from or to what was before.
package struct Keyframes: Equatable, Sendable {
  package struct Frame: Equatable, Sendable {
    /// 0...1, not falling from frame to frame.
    package var share: Double
    /// The values of `channels`; the others do not count.
    package var pose: Pose
    package var channels: PoseChannels
    /// How it is reached from the frame before.
    package var curve: Curve

    package init(share: Double, pose: Pose, channels: PoseChannels, curve: Curve = .linear) {
      self.share = share
      self.pose = pose
      self.channels = channels
      self.curve = curve
    }
  }

  package var frames: [Frame]
  package var durationSeconds: Double

  package init(_ frames: [Frame], durationSeconds: Double) {
    self.frames = frames
    self.durationSeconds = durationSeconds
  }
}

/// A course of the pose that is computed, not composed. Must be pure: any time in any order, no
/// allocation.
package protocol PoseTrack: AnyObject, Sendable {
  /// Finite.
  var durationSeconds: Double { get }
  var channels: PoseChannels { get }
  /// What it adds to the pose at a time in 0...durationSeconds: `Pose.zero` adds nothing.
  func difference(at seconds: Double) -> Pose
  /// Its change a second.
  func velocity(at seconds: Double) -> Pose
}

/// Equal where it is the same object.
package struct PoseTrackReference: Equatable, Sendable {
  package let track: any PoseTrack

  package init(_ track: any PoseTrack) {
    self.track = track
  }

  package static func == (left: PoseTrackReference, right: PoseTrackReference) -> Bool {
    left.track === right.track
  }
}
