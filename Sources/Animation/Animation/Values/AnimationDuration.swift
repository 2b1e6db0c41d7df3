// SPDX-License-Identifier: Apache-2.0

extension ValueAnimation {
  /// The duration; nil if a part repeats forever.
  public var duration: Duration? {
    durationSeconds < .infinity ? Duration(clampingSeconds: durationSeconds) : nil
  }

  /// Returns the factor, or 1 if it is not a positive finite number.
  static func validSpeed(_ factor: Double) -> Double {
    factor > 0 && factor < .infinity ? factor : 1
  }
}

extension ValueAnimation.Content {
  /// In seconds; `.infinity` if a part repeats forever. Negative durations and NaN count as 0.
  var durationSeconds: Double {
    switch self {
    case .empty: 0
    case .delay(let seconds): Self.valid(seconds)
    case .step(let step):
      Self.valid(step.durationSeconds ?? step.naturalSeconds)
    case .keyframes(let keyframes): Self.valid(keyframes.durationSeconds)
    case .track(let reference): Self.valid(reference.track.durationSeconds)
    case .sequence(let parts): parts.reduce(0) { $0 + $1.durationSeconds }
    case .parallel(let parts): parts.reduce(0) { max($0, $1.durationSeconds) }
    case .repeated(let part, let count): count.durationSeconds(ofOne: part.durationSeconds)
    case .reversed(let part): part.durationSeconds
    case .autoreversed(let part): 2 * part.durationSeconds
    case .speed(let part, let factor): part.durationSeconds / ValueAnimation.validSpeed(factor)
    }
  }

  private static func valid(_ seconds: Double) -> Double { seconds > 0 ? seconds : 0 }
}

extension RepeatCount {
  /// Returns the duration of all repetitions. For a part without a duration it is 0, also if
  /// repeated forever: the first frame would never end otherwise.
  func durationSeconds(ofOne seconds: Double) -> Double {
    switch self {
    case .times(let count): count > 0 ? seconds * Double(count) : 0
    case .forever: seconds > 0 ? .infinity : 0
    }
  }
}
