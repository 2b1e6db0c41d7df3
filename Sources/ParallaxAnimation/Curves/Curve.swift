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
  ///   - durationSeconds: of the whole step.
  package func value(at share: Double, durationSeconds: Double) -> Double {
    let share = min(max(share, 0), 1)
    switch self {
    case .linear: return share
    case .bezier(let bezier): return bezier.value(at: share).held(within: .poseBound)
    case .steps(let steps): return steps.value(at: share)
    case .points(let points): return points.value(at: share).held(within: .poseBound)
    case .spring(let spring):
      // A duration cuts the spring: at its end the step is where it was to go.
      guard share < 1 else { return 1 }
      return spring.value(at: share > 0 ? share * durationSeconds : 0)
    }
  }

  /// Progress a second at a share of the time, to the right of it: 0 from the end on, and where the
  /// curve jumps or stands.
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
    // Where a curve stands upright it is as steep as can be.
    return velocity.held(within: .poseBound)
  }

  /// Progress at the end: 1 but for points that end elsewhere and steps that never arrive.
  var endValue: Double { value(at: 1, durationSeconds: 1) }
}
