// SPDX-License-Identifier: Apache-2.0

/// The parameters of springs elsewhere, and SwiftUI's presets.
///
/// Sources: Apple's documentation of `Spring` and of `UISpringTimingParameters`; "Animate with springs", WWDC 2023, for
/// the damping of a bounce.
extension Spring {
  /// Creates a spring by the time that it seems to take and its bounce, as SwiftUI's `Spring(duration:bounce:)`.
  ///
  /// - Parameters:
  ///   - duration: The period without damping. Default: 0.5 s.
  ///   - bounce: -1...1: 0 does not overshoot, 1 swings for long, below 0 is flatter. Default: 0.
  ///   - velocity: Progress per second at the release. Default: 0.
  public init(
    duration: Duration = .milliseconds(500), bounce: Double = 0,
    initialVelocity velocity: Double = 0
  ) {
    self.init(
      response: duration, damping: bounce < 0 ? 1 / (1 + bounce) : 1 - bounce,
      initialVelocity: velocity)
  }

  /// Creates a spring by its physics, as UIKit's `UISpringTimingParameters(mass:stiffness:damping:initialVelocity:)`.
  ///
  /// - Parameters:
  ///   - mass: Above 0. Default: 1.
  ///   - stiffness: The force per distance.
  ///   - damping: The force per velocity, which is 2 sqrt(stiffness * mass) without overshoot.
  ///   - velocity: Progress per second at the release. Default: 0.
  public init(
    mass: Double = 1, stiffness: Double, damping: Double, initialVelocity velocity: Double = 0
  ) {
    self.init(
      responseSeconds: 2 * .pi * (mass / stiffness).squareRoot(),
      damping: damping / (2 * (stiffness * mass).squareRoot()), initialVelocity: velocity)
  }

  /// A spring without bounce.
  public static func smooth(
    duration: Duration = .milliseconds(500), extraBounce: Double = 0
  ) -> Spring { Spring(duration: duration, bounce: extraBounce) }

  /// A spring with a small bounce, 0.15.
  public static func snappy(
    duration: Duration = .milliseconds(500), extraBounce: Double = 0
  ) -> Spring { Spring(duration: duration, bounce: 0.15 + extraBounce) }

  /// A spring with a larger bounce, 0.3.
  public static func bouncy(
    duration: Duration = .milliseconds(500), extraBounce: Double = 0
  ) -> Spring { Spring(duration: duration, bounce: 0.3 + extraBounce) }
}

extension Curve {
  /// A spring by the time that it seems to take and its bounce, as SwiftUI's `.spring(duration:bounce:)`.
  public static func spring(
    duration: Duration = .milliseconds(500), bounce: Double = 0
  ) -> Curve { .spring(Spring(duration: duration, bounce: bounce)) }
}
