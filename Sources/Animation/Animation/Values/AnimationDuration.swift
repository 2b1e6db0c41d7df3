// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// The duration; nil if a part repeats forever.
  public var duration: Duration? {
    durationSeconds < .infinity ? Duration(clampingSeconds: durationSeconds) : nil
  }

  /// The duration, in seconds; `.infinity` if a part repeats forever. Negative durations and NaN
  /// count as 0.
  package var durationSeconds: Double {
    switch content {
    case .empty: return 0
    case .delay(let seconds): return Self.validDuration(seconds)
    case .step(let step):
      return Self.validDuration(step.durationSeconds ?? step.curve.naturalSeconds)
    case .keyframes(let keyframes): return Self.validDuration(keyframes.durationSeconds)
    case .track(let reference): return Self.validDuration(reference.track.durationSeconds)
    case .sequence(let children): return children.reduce(0) { $0 + $1.durationSeconds }
    case .parallel(let children): return children.reduce(0) { max($0, $1.durationSeconds) }
    case .repeated(let child, let count):
      return count.durationSeconds(ofOne: child.durationSeconds)
    case .reversed(let child): return child.durationSeconds
    case .autoreversed(let child): return 2 * child.durationSeconds
    case .speed(let child, let factor): return child.durationSeconds / Self.validSpeed(factor)
    }
  }

  private static func validDuration(_ seconds: Double) -> Double { seconds > 0 ? seconds : 0 }

  /// Returns the factor, or 1 if it is not a positive finite number.
  static func validSpeed(_ factor: Double) -> Double {
    factor > 0 && factor < .infinity ? factor : 1
  }
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
