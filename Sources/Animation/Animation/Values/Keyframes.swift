// SPDX-License-Identifier: Apache-2.0

/// Values at shares of a duration, like CSS `@keyframes`.
///
/// The value moves from one keyframe to the next. Without a keyframe at 0 or at 1, it starts or ends at its value before
/// the animation. Of a pose, each channel moves from one keyframe that sets it to the next one that does.
public struct ValueKeyframes<Value: Animatable>: Equatable, Sendable {
  /// A value at a share of the duration.
  public struct Frame: Equatable, Sendable {
    /// The share of the duration, 0...1.
    public var share: Double
    /// The value.
    public var value: Value
    /// The channels that this keyframe sets. All, if the value is not a pose.
    fileprivate var setChannels: PoseChannels = .all
    /// The curve from the previous frame to this one.
    public var curve: Curve

    /// Creates a keyframe.
    ///
    /// - Parameters:
    ///   - share: Share of the duration, 0...1.
    ///   - value: The value.
    ///   - curve: The curve from the previous frame to this one. Default: ``Curve/linear``.
    public init(share: Double, value: Value, curve: Curve = .linear) {
      (self.share, self.value, self.curve) = (share, value, curve)
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

/// Keyframes of a pose.
public typealias Keyframes = ValueKeyframes<Pose>

extension ValueKeyframes.Frame where Value == Pose {
  /// The values of `channels`; the others are ignored.
  public var pose: Pose {
    get { value }
    set { value = newValue }
  }

  /// The channels that this keyframe sets.
  public var channels: PoseChannels {
    get { setChannels }
    set { setChannels = newValue }
  }

  /// Creates a keyframe.
  ///
  /// - Parameters:
  ///   - share: Share of the duration, 0...1.
  ///   - pose: The values of `channels`.
  ///   - channels: The channels that this keyframe sets.
  ///   - curve: The curve from the previous frame to this one. Default: ``Curve/linear``.
  public init(share: Double, pose: Pose, channels: PoseChannels, curve: Curve = .linear) {
    self.init(share: share, value: pose, curve: curve)
    setChannels = channels
  }
}

extension Array {
  /// The keyframes in the order of their shares; those with the same share keep theirs. NaN counts as 0.
  func inOrder<Value>() -> [Element] where Element == ValueKeyframes<Value>.Frame {
    sorted { ($0.share > 0 ? $0.share : 0) < ($1.share > 0 ? $1.share : 0) }
  }
}
