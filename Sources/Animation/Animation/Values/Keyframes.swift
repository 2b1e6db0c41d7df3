// SPDX-License-Identifier: Apache-2.0

/// Poses at shares of a duration, like CSS `@keyframes`.
///
/// A channel moves from one keyframe that sets it to the next one that does. Without a keyframe at
/// 0 or at 1, it starts or ends at its value before the animation.
public struct Keyframes: Equatable, Sendable {
  /// A pose at a share of the duration.
  public struct Frame: Equatable, Sendable {
    /// The share of the duration, 0...1.
    public var share: Double
    /// The values of `channels`; the others are ignored.
    public var pose: Pose
    /// The channels that this keyframe sets.
    public var channels: PoseChannels
    /// The curve from the previous frame to this one.
    public var curve: Curve

    /// Creates a keyframe.
    ///
    /// - Parameters:
    ///   - share: Share of the duration, 0...1.
    ///   - pose: The values of `channels`.
    ///   - channels: The channels that this keyframe sets.
    ///   - curve: The curve from the previous frame to this one. Default: ``Curve/linear``.
    public init(share: Double, pose: Pose, channels: PoseChannels, curve: Curve = .linear) {
      self.share = share
      self.pose = pose
      self.channels = channels
      self.curve = curve
    }
  }

  /// The keyframes, played in the order of their shares; those with the same share in the order in which they are given.
  public var frames: [Frame]
  package var durationSeconds: Double

  package init(_ frames: [Frame], durationSeconds: Double) {
    self.frames = frames
    self.durationSeconds = durationSeconds
  }

  /// Creates keyframes.
  ///
  /// - Parameters:
  ///   - frames: In any order; those with the same share in the order in which they play.
  ///   - duration: Duration of all of them. A negative one counts as 0.
  public init(_ frames: [Frame], duration: Duration) {
    self.init(frames, durationSeconds: duration.inSeconds)
  }

  /// The duration of all keyframes.
  public var duration: Duration { Duration(clampingSeconds: durationSeconds) }
}
