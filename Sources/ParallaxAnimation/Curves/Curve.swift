// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// Progress as a function of time, from 0 at the start of a step to 1 at its end.
///
/// Sources: CSS Easing Functions Level 2; springs as in SwiftUI and UIKit.
package enum Curve: Equatable, Sendable {
  case linear
  /// `ease`, `ease-in`, `ease-out`, `ease-in-out` and `cubic-bezier(x1, y1, x2, y2)`.
  case bezier(CubicBezier)
  /// `steps(n, position)`.
  case steps(StepCurve)
  /// `linear(...)`: straight lines between points, which may end elsewhere than at 1.
  case points(PointCurve)
  /// A spring released at 0, with its rest position at 1.
  case spring(Spring)

  package static let ease = Curve.bezier(CubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1))
  package static let easeIn = Curve.bezier(CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1))
  package static let easeOut = Curve.bezier(CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1))
  package static let easeInOut = Curve.bezier(.easeInOut)

  package static func spring(response: Double, damping: Double) -> Curve {
    .spring(Spring(responseSeconds: response, damping: damping))
  }

  /// The default duration of a step with this curve, in seconds: the settling time of a spring,
  /// 0.25 otherwise.
  package var naturalSeconds: Double {
    if case .spring(let spring) = self { spring.settlingSeconds } else { 0.25 }
  }

  /// Returns the progress at a share of the duration.
  ///
  /// - Parameters:
  ///   - share: Clamped to 0...1.
  ///   - durationSeconds: Duration of the whole step. Only springs depend on it.
  package func value(at share: Double, durationSeconds: Double) -> Double {
    let share = min(max(share, 0), 1)
    switch self {
    case .linear: return share
    case .bezier(let bezier): return bezier.value(at: share).clamped(to: .poseBound)
    case .steps(let steps): return steps.value(at: share)
    case .points(let points): return points.value(at: share).clamped(to: .poseBound)
    case .spring(let spring):
      // The duration cuts the spring short: at its end, the step is at its target.
      guard share < 1 else { return 1 }
      return spring.value(at: share > 0 ? share * durationSeconds : 0)
    }
  }

  /// Returns the progress per second just after a share of the duration; 0 at jumps, on flat parts
  /// and from the end on.
  package func velocity(at share: Double, durationSeconds: Double) -> Double {
    guard share >= 0, share < 1, durationSeconds > 0 else { return 0 }
    let velocity: Double =
      switch self {
      case .linear: 1 / durationSeconds
      case .bezier(let bezier): bezier.slope(at: share) / durationSeconds
      case .steps: 0
      case .points(let points): points.slope(at: share) / durationSeconds
      case .spring(let spring): spring.velocity(at: share > 0 ? share * durationSeconds : 0)
      }
    // A vertical tangent has an infinite slope.
    return velocity.clamped(to: .poseBound)
  }

  /// The progress at the end: 1, except for points that end elsewhere.
  var endValue: Double { value(at: 1, durationSeconds: 1) }
}
