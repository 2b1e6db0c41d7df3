// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// Creates a step of your own.
  ///
  ///     Animation(duration: .seconds(2)) { progress in
  ///       Pose(rotationDegrees: 5 * sin(progress * 8 * .pi))
  ///     }
  ///
  /// - Parameters:
  ///   - duration: Default: that of the curve, ``Curve/naturalDuration``.
  ///   - curve: Default: ``Curve/linear``.
  ///   - pose: Returns the pose of a layer that is at rest before, for a progress of 0 at the start and 1 at the end. The
  ///     curve may overshoot. What differs from ``Pose/rest`` is added to the layer's pose. It is called at any time, from any
  ///     thread.
  public init(
    duration: Duration? = nil, curve: Curve = .linear,
    pose: @escaping @Sendable (_ progress: Double) -> Pose
  ) {
    let track = CustomTrack(
      durationSeconds: (duration ?? curve.naturalDuration).inSeconds, curve: curve, pose: pose)
    self = .track(PoseTrackReference(track))
  }

  /// Moves all of the pose to another one, from where it is.
  ///
  /// - Parameters:
  ///   - pose: The pose at the end.
  ///   - duration: Default: that of the curve, ``Curve/naturalDuration``.
  ///   - curve: Default: ``Curve/ease``.
  public static func to(
    _ pose: Pose, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    .keyframes(
      Keyframes(
        [Keyframes.Frame(share: 1, pose: pose, channels: .all, curve: curve)],
        duration: duration ?? curve.naturalDuration))
  }

  /// Moves through phases, each from the pose of the one before, as SwiftUI's `PhaseAnimator`. It ends with the last one;
  /// ``repeatedForever()`` goes round.
  ///
  /// - Parameters:
  ///   - phases: For example the cases of an enumeration.
  ///   - pose: Returns the pose in a phase.
  ///   - curve: Returns the curve to a phase. Default: ``Curve/smooth``.
  public static func phases<Phase>(
    _ phases: some Sequence<Phase>, pose: (Phase) -> Pose,
    curve: (Phase) -> Curve = { _ in .smooth }
  ) -> Animation {
    .sequence(phases.map { .to(pose($0), curve: curve($0)) })
  }

  /// Plays animations at once, each of them later than the one before.
  ///
  /// - Parameters:
  ///   - animations: The first one starts at once.
  ///   - interval: The time between two starts.
  public static func staggered(_ animations: [Animation], by interval: Duration) -> Animation {
    .parallel(animations.enumerated().map { $1.delayed(by: interval * $0) })
  }
}

/// A pose that a closure computes.
private final class CustomTrack: PoseTrack {
  let durationSeconds: Double
  private let curve: Curve
  private let pose: @Sendable (Double) -> Pose

  init(durationSeconds: Double, curve: Curve, pose: @escaping @Sendable (Double) -> Pose) {
    self.durationSeconds = durationSeconds > 0 ? durationSeconds : 0
    self.curve = curve
    self.pose = pose
  }

  var channels: PoseChannels { .all }

  func difference(at seconds: Double) -> Pose {
    let share = durationSeconds > 0 ? seconds / durationSeconds : 1
    return pose(curve.value(at: share, durationSeconds: durationSeconds)) - .rest
  }

  /// The closure has no derivative, so this is the slope over 0.1 ms.
  func velocity(at seconds: Double) -> Pose {
    let early = max(0, seconds - 0.00005)
    let late = min(durationSeconds, seconds + 0.00005)
    guard late > early else { return .zero }
    return (difference(at: late) - difference(at: early)) * (1 / (late - early))
  }
}
