// SPDX-License-Identifier: Apache-2.0

public import ParallaxMotion

/// Progress as a function of time, from 0 at the start of a step to 1 at its end.
///
/// Sources: CSS Easing Functions Level 2; springs as in SwiftUI and UIKit.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum Curve: Equatable, Sendable {
  /// Constant speed.
  ///
  /// ![A straight line.](curve-linear)
  case linear
  /// `ease`, `ease-in`, `ease-out`, `ease-in-out` and `cubic-bezier(x1, y1, x2, y2)`.
  ///
  /// ![A curve that overshoots early.](curve-bezier)
  case bezier(CubicBezier)
  /// `steps(n, position)`.
  ///
  /// ![Four steps.](curve-steps)
  case steps(StepCurve)
  /// `linear(...)`: straight lines between points, which may end elsewhere than at 1.
  ///
  /// ![Straight lines through 0, 1.2 and 1.](curve-points)
  case points(PointCurve)
  /// A spring released at 0, with its rest position at 1.
  ///
  /// ![Springs with three dampings.](curve-spring)
  case spring(Spring)

  /// CSS `ease`: fast at first, then slowing down. The default of steps.
  ///
  /// ![Fast at first, then slowing down.](curve-ease)
  public static let ease = Curve.bezier(CubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1))
  /// CSS `ease-in`: slow at first.
  ///
  /// ![Slow at first.](curve-ease-in)
  public static let easeIn = Curve.bezier(CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1))
  /// CSS `ease-out`: slow at the end.
  ///
  /// ![Slow at the end.](curve-ease-out)
  public static let easeOut = Curve.bezier(CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1))
  /// CSS `ease-in-out`: slow at both ends.
  ///
  /// ![Slow at both ends.](curve-ease-in-out)
  public static let easeInOut = Curve.bezier(.easeInOut)

  // The presets of SwiftUI: a duration of 0.5 s, which is the response, and a bounce of 0, 0.15 and
  // 0.3, which is 1 - damping. Source: Apple's documentation of `Spring.smooth(duration:extraBounce:)`,
  // `snappy` and `bouncy`.

  /// A spring without bounce: response 0.5 s, damping 1.
  ///
  /// ![It does not overshoot.](curve-smooth)
  public static let smooth = Curve.spring(response: .seconds(0.5), damping: 1)
  /// A spring with a small bounce: response 0.5 s, damping 0.85.
  ///
  /// ![It overshoots a little.](curve-snappy)
  public static let snappy = Curve.spring(response: .seconds(0.5), damping: 0.85)
  /// A spring with a larger bounce: response 0.5 s, damping 0.7.
  ///
  /// ![It overshoots and returns.](curve-bouncy)
  public static let bouncy = Curve.spring(response: .seconds(0.5), damping: 0.7)

  /// A spring released at 0, with its rest position at 1.
  ///
  /// - Parameters:
  ///   - response: The period without damping.
  ///   - damping: The fraction of critical damping. Below 1 the spring overshoots.
  public static func spring(response: Duration, damping: Double) -> Curve {
    .spring(Spring(response: response, damping: damping))
  }

  /// The duration of a step that states none, unless it is a spring's.
  package static let defaultSeconds = 0.25

  /// The duration of a step with this curve, if nothing states another one: 0.25 s; for a spring, the time until it is
  /// at rest after 2000 px. A shorter way takes it less.
  public var naturalDuration: Duration {
    Duration(clampingSeconds: naturalSeconds(for: .moveTo(.zero)))
  }

  /// Returns the duration of a step that states none, in seconds.
  package func naturalSeconds(for change: PoseChange) -> Double {
    naturalSeconds(ofWay: change.longestWay)
  }

  /// Returns the duration of a way from one value to another, in seconds.
  package func naturalSeconds<Value: Animatable>(from start: Value, to end: Value) -> Double {
    naturalSeconds(ofWay: end.minus(start))
  }

  /// Returns the duration of a way, in seconds.
  ///
  /// - Parameter way: nil if it is not known.
  func naturalSeconds<Value: Animatable>(ofWay way: Value?) -> Double {
    guard case .spring(let spring) = self else { return Self.defaultSeconds }
    guard let way else { return spring.typicalRestSeconds }
    return Value._Model.restSeconds(
      of: spring, distance: way.scaled(by: -1),
      velocity: way.scaled(by: spring.initialVelocity), restDistance: Value.restDistance)
  }

  /// Returns the progress at a share of a step's duration, 0 at its start and 1 at its end.
  ///
  /// - Parameters:
  ///   - share: Share of the duration, clamped to 0...1.
  ///   - duration: Duration of the whole step, on which only springs depend. Default:
  ///     ``naturalDuration``.
  public func value(at share: Double, duration: Duration? = nil) -> Double {
    value(at: share, durationSeconds: (duration ?? naturalDuration).inSeconds)
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
