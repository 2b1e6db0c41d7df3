/// A gain that moves between its stops along ease-in-out, monotonically, and ends exactly on them.
///
/// Turned round in the middle it runs the same curve back from where it is, as an interrupted and
/// reversed UIViewPropertyAnimator does: no jump, and no further rise after a closing began (adding a
/// second curve or keeping the velocity would both overshoot the moment of closing).
package struct GainFade: Sendable {
  /// 0...1; where the gain is or is going to.
  package private(set) var target: Double

  private let curve = CubicBezier.easeInOut
  private var fadeNanoseconds: Int64
  private var stage: Stage
  private var latest: Double

  private enum Stage {
    /// The gain is `target`.
    case settled
    /// Between `origin` and `target`: `share` of the time had gone at `since`.
    case moving(origin: Double, share: Double, since: Int64, durationNanoseconds: Int64)
  }

  package init(gain: Double, fadeSeconds: Double) {
    target = gain
    latest = gain
    stage = .settled
    fadeNanoseconds = Int64((fadeSeconds * 1e9).rounded())
  }

  package var isMoving: Bool {
    if case .moving = stage { true } else { false }
  }

  /// Applies to fades that begin afterwards.
  package mutating func setFade(seconds: Double) {
    fadeNanoseconds = Int64((seconds * 1e9).rounded())
  }

  /// The gain is `gain` from now on, without a fade.
  package mutating func jump(to gain: Double) {
    target = gain
    latest = gain
    stage = .settled
  }

  /// Begins to move toward `gain`, from where the gain is now.
  package mutating func aim(at gain: Double, atNanoseconds now: Int64) {
    guard gain != target else { return }
    let current = self.gain(atNanoseconds: now)
    if case .moving(let origin, _, _, let duration) = stage, gain == origin {
      // ease-in-out is symmetric: the way back along the curve is the curve with the rest of the time.
      stage = .moving(
        origin: target, share: 1 - share(at: now), since: now, durationNanoseconds: duration)
    } else if fadeNanoseconds == 0 {
      jump(to: gain)
    } else {
      stage = .moving(
        origin: current, share: 0, since: now, durationNanoseconds: fadeNanoseconds)
    }
    target = gain
  }

  /// The gain at an instant; instants must not go back between calls.
  package mutating func gain(atNanoseconds now: Int64) -> Double {
    guard case .moving(let origin, _, _, _) = stage else { return target }
    let share = share(at: now)
    guard share < 1 else {
      jump(to: target)
      return target
    }
    let gain = origin + (target - origin) * curve.value(at: share)
    // Rounding in the curve must not let the gain move back by a last digit.
    latest = target < latest ? min(max(gain, target), latest) : max(min(gain, target), latest)
    return latest
  }

  private func share(at now: Int64) -> Double {
    guard case .moving(_, let share, let since, let duration) = stage else { return 1 }
    return min(1, share + Double(max(0, now - since)) / Double(duration))
  }
}
