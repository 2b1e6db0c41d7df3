// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// A gain that moves monotonically along ease-in-out and ends exactly at its target.
///
/// Reversed midway, it runs the same curve back from its present value, as an interrupted and
/// reversed UIViewPropertyAnimator does: no jump, and no further rise after a gate begins to close,
/// which a second curve on top or a kept velocity would cause.
package struct GainFade: Sendable {
  /// The present gain at rest, else the gain at the end of the fade, 0...1.
  package private(set) var target: Double

  private let curve = CubicBezier.easeInOut
  private var fade: MotionDuration
  private var stage: Stage
  private var latest: Double

  private enum Stage {
    /// The gain is `target`.
    case settled
    /// Between `origin` and `target`: `share` of the duration had passed at `since`.
    case moving(origin: Double, share: Double, since: MotionInstant, duration: MotionDuration)
  }

  package init(gain: Double, fadeSeconds: Double) {
    target = gain
    latest = gain
    stage = .settled
    fade = MotionDuration(seconds: fadeSeconds)
  }

  package var isMoving: Bool {
    if case .moving = stage { true } else { false }
  }

  /// Sets the duration of fades that begin afterwards.
  package mutating func setFade(seconds: Double) {
    fade = MotionDuration(seconds: seconds)
  }

  /// Sets the gain without a fade.
  package mutating func jump(to gain: Double) {
    target = gain
    latest = gain
    stage = .settled
  }

  /// Starts a fade from the present gain to `gain`.
  package mutating func aim(at gain: Double, at now: MotionInstant) {
    guard gain != target else { return }
    let current = self.gain(at: now)
    if case .moving(let origin, _, _, let duration) = stage, gain == origin {
      // ease-in-out is symmetric: the way back is the same curve with the remaining share.
      stage = .moving(
        origin: target, share: 1 - share(at: now), since: now, duration: duration)
    } else if fade == .zero {
      jump(to: gain)
    } else {
      stage = .moving(
        origin: current, share: 0, since: now, duration: fade)
    }
    target = gain
  }

  /// Returns the gain at an instant, which must not be before that of an earlier call.
  package mutating func gain(at now: MotionInstant) -> Double {
    guard case .moving(let origin, _, _, _) = stage else { return target }
    let share = share(at: now)
    guard share < 1 else {
      jump(to: target)
      return target
    }
    let gain = origin + (target - origin) * curve.value(at: share)
    // Rounding in the curve must not move the gain back by a last digit.
    latest = target < latest ? min(max(gain, target), latest) : max(min(gain, target), latest)
    return latest
  }

  private func share(at now: MotionInstant) -> Double {
    guard case .moving(_, let share, let since, let duration) = stage else { return 1 }
    return min(1, share + max(.zero, now - since) / duration)
  }
}
