// SPDX-License-Identifier: Apache-2.0

/// A change with its curve.
struct TimelineStep<Value: Animatable>: Sendable {
  private typealias Model = Value._Model

  let change: Value._Model.Change
  let curve: Curve

  /// - Parameter share: Share of the duration, in 0..<1.
  func value(at share: Double, _ durationSeconds: Double, from start: Value) -> Value {
    let progress = curve.value(at: share, durationSeconds: durationSeconds)
    return Model.value(of: change, at: progress, from: start)
  }

  /// - Parameter share: Share of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Value) -> Value {
    let pace = curve.velocity(at: share, durationSeconds: durationSeconds)
    return Model.slope(
      of: change, at: { curve.value(at: share, durationSeconds: durationSeconds) }, from: start
    ).scaled(by: pace)
  }

  /// Returns the immediate effect at the start. It excludes a jump of `steps` at the start, which
  /// happens at the very end when played backward.
  func begin(_ durationSeconds: Double) -> Value._Model.Map {
    if case .steps = curve { return .identity }
    return Model.map(of: change, at: curve.value(at: 0, durationSeconds: durationSeconds))
  }

  /// The effect at the end.
  var effect: Value._Model.Map { Model.map(of: change, at: curve.endValue) }
}

extension AnimationTrackReference {
  func value(at seconds: Double, from start: Value) -> Value { start + difference(at: seconds) }

  func velocity(at seconds: Double) -> Value {
    Value._Model.clamped(track.velocity(at: seconds), to: .poseBound)
  }

  func effect(at seconds: Double) -> Value._Model.Map { .adding(difference(at: seconds)) }

  private func difference(at seconds: Double) -> Value {
    Value._Model.clamped(track.difference(at: seconds), to: .poseBound)
  }
}
