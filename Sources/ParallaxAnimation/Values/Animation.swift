// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// What moves, how far and for how long. A value, built from steps with `sequence`, `parallel` and
/// the modifiers, and played by a `Timeline`. Times follow from the durations of the steps, so that
/// steps can be reordered.
///
///     Animation.move(by: PixelOffset(x: 12, y: 0))
///       .then(.rotate(by: 180), .fade(to: 0.2))
///       .repeated(5)
package indirect enum Animation: Equatable, Sendable {
  /// Ends at once.
  case empty
  case step(AnimationStep)
  /// A pause, in seconds.
  case delay(Double)
  case keyframes(Keyframes)
  /// A pose computed elsewhere, such as a layer of a Lottie file.
  case track(PoseTrackReference)
  /// One after the other. Each starts from the pose that the one before has left.
  case sequence([Animation])
  /// All from the same start. Their differences add; the longest determines the end.
  case parallel([Animation])
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

/// The number of times that an animation plays.
package enum RepeatCount: Equatable, Sendable {
  /// 0 or more.
  case times(Int)
  case forever
}

/// One change of the pose over a duration.
package struct AnimationStep: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    case moveBy(PixelOffset)
    case moveTo(PixelOffset)
    /// Degrees clockwise.
    case rotateBy(Double)
    case rotateTo(Double)
    /// Multiplies the current scale.
    case scaleBy(Double)
    case scaleTo(Double)
    case fadeTo(Double)
  }

  package var change: Change
  /// In seconds; nil for the duration of the curve, `Curve.naturalSeconds`.
  package var durationSeconds: Double?
  package var curve: Curve

  package init(_ change: Change, durationSeconds: Double? = nil, curve: Curve = .ease) {
    self.change = change
    self.durationSeconds = durationSeconds
    self.curve = curve
  }
}

/// Poses at shares of a duration, like CSS `@keyframes`.
///
/// A channel moves from one keyframe that sets it to the next one that does. Without a keyframe at
/// 0 or at 1, it starts or ends at its value before the animation.
package struct Keyframes: Equatable, Sendable {
  package struct Frame: Equatable, Sendable {
    /// The share of the duration, 0...1, in ascending order.
    package var share: Double
    /// The values of `channels`; the others are ignored.
    package var pose: Pose
    package var channels: PoseChannels
    /// The curve from the previous frame to this one.
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
