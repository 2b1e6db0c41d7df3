package import ParallaxMotion

/// How progress goes with time: from 0 at the start of a step to (mostly) 1 at its end.
///
/// Source: CSS Easing Functions Level 2; springs as in SwiftUI and UIKit.
package enum Curve: Equatable, Sendable {
  case linear
  /// `ease`, `ease-in`, `ease-out`, `ease-in-out` and `cubic-bezier(x1, y1, x2, y2)`.
  case bezier(CubicBezier)
  /// `steps(n, position)`.
  case steps(StepCurve)
  /// `linear(...)`: straight lines between points.
  case points(PointCurve)
  /// A spring that is let go at 0 and pulls to 1.
  case spring(Spring)

  package static let ease = Curve.bezier(CubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1))
  package static let easeIn = Curve.bezier(CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1))
  package static let easeOut = Curve.bezier(CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1))
  package static let easeInOut = Curve.bezier(.easeInOut)

  package static func spring(response: Double, damping: Double) -> Curve {
    .spring(Spring(responseSeconds: response, damping: damping))
  }

  /// What a step with this curve lasts where nobody says: a spring's settling time, else 0.25 s.
  package var naturalSeconds: Double {
    if case .spring(let spring) = self { spring.settlingSeconds } else { 0.25 }
  }

  /// Progress after a share of the time. A spring needs to know how long all of it lasts.
  ///
  /// - Parameters:
  ///   - share: of the duration, 0...1; below 0 and above 1 the curve is as at its ends.
  ///   - durationSeconds: of the whole step, above 0.
  package func value(at share: Double, durationSeconds: Double) -> Double {
    let share = min(max(share, 0), 1)
    switch self {
    case .linear: return share
    case .bezier(let bezier): return bezier.value(at: share)
    case .steps(let steps): return steps.value(at: share)
    case .points(let points): return points.value(at: share)
    // A duration cuts the spring: at its end the step is where it was to go.
    case .spring(let spring): return share < 1 ? spring.value(at: share * durationSeconds) : 1
    }
  }

  /// Progress a second at a share of the time; 0 where the curve jumps or stands.
  package func velocity(at share: Double, durationSeconds: Double) -> Double {
    guard share >= 0, share < 1, durationSeconds > 0 else { return 0 }
    switch self {
    case .linear: return 1 / durationSeconds
    case .bezier(let bezier): return bezier.slope(at: share) / durationSeconds
    case .steps: return 0
    case .points(let points): return points.slope(at: share) / durationSeconds
    case .spring(let spring): return spring.velocity(at: share * durationSeconds)
    }
  }

  /// Progress at the very start: 0 but for steps that jump there and points that begin elsewhere.
  var startValue: Double { value(at: 0, durationSeconds: 1) }
  /// Progress at the end: 1 but for points that end elsewhere and steps that never arrive.
  var endValue: Double { value(at: 1, durationSeconds: 1) }
}
