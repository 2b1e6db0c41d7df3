// SPDX-License-Identifier: Apache-2.0

// Steps of any value.
extension ValueAnimation {
  /// Adds a value. Of a pose, it adds to every property.
  ///
  /// - Parameters:
  ///   - value: The difference at the end.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func by(
    _ value: Value, duration: Duration? = nil, curve: Curve = .ease
  ) -> ValueAnimation {
    if let change = Value._Model.change(by: value) {
      return .step(ValueStep(change, durationSeconds: duration?.inSeconds, curve: curve))
    }
    let seconds = duration?.inSeconds ?? curve.naturalSeconds(ofWay: value)
    return .custom(seconds, curve) { value.scaled(by: $0) }
  }

  /// Goes to a value, from where it is.
  ///
  /// - Parameters:
  ///   - value: The value at the end.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func to(
    _ value: Value, duration: Duration? = nil, curve: Curve = .ease
  ) -> ValueAnimation {
    if let change = Value._Model.change(to: value) {
      return .step(ValueStep(change, durationSeconds: duration?.inSeconds, curve: curve))
    }
    return .keyframes(
      ValueKeyframes(
        [ValueKeyframes.Frame(share: 1, value: value, curve: curve)],
        duration: duration ?? curve.naturalDuration))
  }

  /// Goes from one value to another, wherever it is.
  ///
  /// - Parameters:
  ///   - start: The first value.
  ///   - end: The last one.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func from(
    _ start: Value, to end: Value, duration: Duration? = nil, curve: Curve = .ease
  ) -> ValueAnimation {
    .keyframes(
      ValueKeyframes(
        [
          ValueKeyframes.Frame(share: 0, value: start),
          ValueKeyframes.Frame(share: 1, value: end, curve: curve),
        ], durationSeconds: duration?.inSeconds ?? curve.naturalSeconds(from: start, to: end)))
  }

  /// Creates a step of your own.
  ///
  /// - Parameters:
  ///   - duration: Default: ``Curve/naturalDuration``.
  ///   - curve: Default: ``Curve/linear``.
  ///   - value: Returns the difference to add to the value at the start, for a progress of 0 at the start and 1 at the
  ///     end. The curve may overshoot. It is called at any time, from any thread.
  public init(
    duration: Duration? = nil, curve: Curve = .linear,
    value: @escaping @Sendable (_ progress: Double) -> Value
  ) {
    self = .custom((duration ?? curve.naturalDuration).inSeconds, curve, value)
  }

  private static func custom(
    _ seconds: Double, _ curve: Curve, _ difference: @escaping @Sendable (Double) -> Value
  ) -> ValueAnimation {
    .track(
      AnimationTrackReference(
        CustomTrack(durationSeconds: seconds, curve: curve, difference: difference)))
  }

  /// Plays animations at once, each of them later than the one before.
  ///
  /// - Parameters:
  ///   - animations: The first one starts at once.
  ///   - interval: The time between two starts.
  public static func staggered(_ animations: [ValueAnimation], by interval: Duration)
    -> ValueAnimation
  {
    .parallel(animations.enumerated().map { $1.delayed(by: interval * $0) })
  }
}

extension Animation {
  /// Creates a step of your own.
  ///
  ///     Animation(duration: .seconds(2)) { progress in
  ///       Pose(rotationDegrees: 5 * sin(progress * 8 * .pi))
  ///     }
  ///
  /// - Parameters:
  ///   - duration: Default: ``Curve/naturalDuration``.
  ///   - curve: Default: ``Curve/linear``.
  ///   - pose: Returns the pose of a layer that is at rest before, for a progress of 0 at the start and 1 at the end. The
  ///     curve may overshoot. What differs from ``Pose/rest`` is added to the layer's pose. It is called at any time, from any
  ///     thread.
  public init(
    duration: Duration? = nil, curve: Curve = .linear,
    pose: @escaping @Sendable (_ progress: Double) -> Pose
  ) {
    self.init(duration: duration, curve: curve, value: { pose($0) - .rest })
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
}

/// A value that a closure computes.
private final class CustomTrack<Value: Animatable>: AnimationTrack {
  let durationSeconds: Double
  private let curve: Curve
  private let difference: @Sendable (Double) -> Value

  init(
    durationSeconds: Double, curve: Curve, difference: @escaping @Sendable (Double) -> Value
  ) {
    self.durationSeconds = durationSeconds > 0 ? durationSeconds : 0
    self.curve = curve
    self.difference = difference
  }

  @_specialize(where Value == Pose)
  func difference(at seconds: Double) -> Value {
    let share = durationSeconds > 0 ? seconds / durationSeconds : 1
    return difference(curve.value(at: share, durationSeconds: durationSeconds))
  }

  /// The closure has no derivative, so this is the slope over 0.1 ms.
  @_specialize(where Value == Pose)
  func velocity(at seconds: Double) -> Value {
    let early = max(0, seconds - 0.00005)
    let late = min(durationSeconds, seconds + 0.00005)
    guard late > early else { return .zero }
    return difference(at: late).minus(difference(at: early)).scaled(by: 1 / (late - early))
  }
}
