// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// A spring of mass 1 from 0 to 1: stiffness (2 pi / response)^2, damping 4 pi damping / response.
///
/// `response` and `damping` have the meaning of SwiftUI and UIKit.
public struct Spring: Equatable, Sendable {
  /// The period without damping, in seconds, 0.000001...1,000,000.
  package let responseSeconds: Double
  /// The fraction of critical damping, 0.001...1000. Below 1 the spring overshoots.
  public let damping: Double
  /// As a curve: progress per second at the release; 1 would cover the way in a second.
  public let initialVelocity: Double

  /// Creates a spring. Numbers outside the ranges are clamped to them.
  ///
  /// - Parameters:
  ///   - response: The period without damping, 1 us to 1,000,000 s. Smaller is stiffer.
  ///   - damping: The fraction of critical damping, 0.001...1000. Below 1 the spring overshoots.
  ///   - velocity: Progress per second at the release, of a curve. Default: 0.
  public init(response: Duration, damping: Double, initialVelocity velocity: Double = 0) {
    self.init(
      responseSeconds: response.inSeconds, damping: damping, initialVelocity: velocity)
  }

  /// The period without damping. Smaller is stiffer.
  public var response: Duration { Duration(clampingSeconds: responseSeconds) }

  /// Returns the time after which a motion in px is at rest: within 0.01 px of the target, and slower than 0.1 px/s.
  ///
  /// - Parameters:
  ///   - distance: px from the target, at the release.
  ///   - velocity: px per second, at the release. Default: 0.
  public func settlingDuration(distance: Double, velocity: Double = 0) -> Duration {
    Duration(clampingSeconds: restSeconds(distance: distance, velocity: velocity, within: .px))
  }

  /// Returns the progress at a time: 0 at the release, 1 at rest.
  ///
  /// - Parameters:
  ///   - duration: Time since the release.
  ///   - velocity: Progress per second at the release. Default: ``initialVelocity``.
  public func value(at duration: Duration, initialVelocity velocity: Double? = nil) -> Double {
    value(at: duration.inSeconds, initialVelocity: velocity)
  }

  /// Returns the progress per second at a time.
  ///
  /// - Parameters:
  ///   - duration: Time since the release.
  ///   - velocity: Progress per second at the release. Default: ``initialVelocity``.
  public func velocity(at duration: Duration, initialVelocity velocity: Double? = nil) -> Double {
    self.velocity(at: duration.inSeconds, initialVelocity: velocity)
  }

  /// Creates a spring. Numbers outside the ranges are clamped to them.
  package init(responseSeconds: Double, damping: Double, initialVelocity velocity: Double = 0) {
    self.responseSeconds = max(1e-6, responseSeconds.clamped(to: 1e6))
    self.damping = max(1e-3, damping.clamped(to: 1e3))
    initialVelocity = velocity.clamped(to: 1e6)
  }

  var angularFrequency: Double { 2 * .pi / responseSeconds }

  /// Returns the progress at a time.
  ///
  /// - Parameters:
  ///   - seconds: Time since the release.
  ///   - velocity: Progress per second at the release. Default: `initialVelocity`.
  package func value(at seconds: Double, initialVelocity velocity: Double? = nil) -> Double {
    1 + transition(seconds).apply(distance: -1, velocity: velocity ?? initialVelocity).distance
  }

  /// Returns the progress per second at a time.
  package func velocity(at seconds: Double, initialVelocity velocity: Double? = nil) -> Double {
    transition(seconds).apply(distance: -1, velocity: velocity ?? initialVelocity).velocity
  }

  /// Returns what the spring does to any distance and velocity within a time.
  package func transition(_ seconds: Double) -> SpringTransition {
    SpringTransition(
      angularFrequency: angularFrequency, damping: damping,
      // Every spring has come to rest by then, and products stay finite.
      dtSeconds: max(0, seconds.clamped(to: 1e15)))
  }
}
