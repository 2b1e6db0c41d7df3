extension Animation {
  /// s; `.infinity` where something repeats forever. A duration that is negative or no number is 0.
  package var durationSeconds: Double {
    switch self {
    case .empty: return 0
    case .delay(let seconds): return Self.held(seconds)
    case .step(let step): return Self.held(step.durationSeconds ?? step.curve.naturalSeconds)
    case .keyframes(let keyframes): return Self.held(keyframes.durationSeconds)
    case .track(let reference): return Self.held(reference.track.durationSeconds)
    case .sequence(let children): return children.reduce(0) { $0 + $1.durationSeconds }
    case .parallel(let children): return children.reduce(0) { max($0, $1.durationSeconds) }
    case .repeated(let child, let count):
      return count.durationSeconds(ofOne: child.durationSeconds)
    case .reversed(let child): return child.durationSeconds
    case .autoreversed(let child): return 2 * child.durationSeconds
    case .speed(let child, let factor): return child.durationSeconds / Self.heldSpeed(factor)
    }
  }

  private static func held(_ seconds: Double) -> Double { seconds > 0 ? seconds : 0 }

  /// What cannot be a speed counts as 1.
  static func heldSpeed(_ factor: Double) -> Double {
    factor > 0 && factor < .infinity ? factor : 1
  }
}

extension RepeatCount {
  /// Repeating what takes no time takes none, forever too: it would never come to an end of the first
  /// frame.
  func durationSeconds(ofOne seconds: Double) -> Double {
    switch self {
    case .times(let count): count > 0 ? seconds * Double(count) : 0
    case .forever: seconds > 0 ? .infinity : 0
    }
  }
}
