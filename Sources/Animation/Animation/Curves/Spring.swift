// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxMotion

/// A spring of mass 1 from 0 to 1: stiffness (2 pi / response)^2, damping 4 pi damping / response.
///
/// `response` and `damping` have the meaning of SwiftUI and UIKit.
public struct Spring: Equatable, Sendable {
  /// The period without damping, in seconds, 0.000001...1,000,000.
  package let responseSeconds: Double
  /// The fraction of critical damping, 0.001...1000. Below 1 the spring overshoots.
  public let damping: Double
  /// The time after which |1 - x| stays below `restDistance`, in seconds.
  package let settlingSeconds: Double

  /// The distance below which a spring counts as at rest, as a share of its path: 0.001.
  public static let restDistance = 0.001

  /// Creates a spring. Numbers outside the ranges are clamped to them.
  ///
  /// - Parameters:
  ///   - response: The period without damping, 1 us to 1,000,000 s. Smaller is stiffer.
  ///   - damping: The fraction of critical damping, 0.001...1000. Below 1 the spring overshoots.
  public init(response: Duration, damping: Double) {
    self.init(responseSeconds: response.inSeconds, damping: damping)
  }

  /// The period without damping. Smaller is stiffer.
  public var response: Duration { Duration(clampingSeconds: responseSeconds) }

  /// The time after which the spring stays within ``restDistance`` of its path from the target.
  public var settlingDuration: Duration { Duration(clampingSeconds: settlingSeconds) }

  /// Returns the progress at a time: 0 at the release, 1 at rest.
  ///
  /// - Parameters:
  ///   - duration: Time since the release.
  ///   - velocity: Progress per second at the release. Default: 0.
  public func value(at duration: Duration, initialVelocity velocity: Double = 0) -> Double {
    value(at: duration.inSeconds, initialVelocity: velocity)
  }

  /// Returns the progress per second at a time.
  ///
  /// - Parameters:
  ///   - duration: Time since the release.
  ///   - velocity: Progress per second at the release. Default: 0.
  public func velocity(at duration: Duration, initialVelocity velocity: Double = 0) -> Double {
    self.velocity(at: duration.inSeconds, initialVelocity: velocity)
  }

  /// Creates a spring. Numbers outside the ranges are clamped to them.
  package init(responseSeconds: Double, damping: Double) {
    self.responseSeconds = max(1e-6, responseSeconds.clamped(to: 1e6))
    self.damping = max(1e-3, damping.clamped(to: 1e3))
    settlingSeconds = Self.settling(2 * .pi / self.responseSeconds, self.damping)
  }

  var angularFrequency: Double { 2 * .pi / responseSeconds }

  /// Returns the progress at a time.
  ///
  /// - Parameters:
  ///   - seconds: Time since the release.
  ///   - velocity: Progress per second at the release.
  package func value(at seconds: Double, initialVelocity velocity: Double = 0) -> Double {
    1 + transition(seconds).apply(distance: -1, velocity: velocity).distance
  }

  /// Returns the progress per second at a time.
  package func velocity(at seconds: Double, initialVelocity velocity: Double = 0) -> Double {
    transition(seconds).apply(distance: -1, velocity: velocity).velocity
  }

  /// Returns what the spring does to any distance and velocity within a time.
  package func transition(_ seconds: Double) -> SpringTransition {
    SpringTransition(
      angularFrequency: angularFrequency, damping: damping,
      // Every spring has come to rest by then, and products stay finite.
      dtSeconds: max(0, seconds.clamped(to: 1e15)))
  }

  private static func settling(_ w: Double, _ z: Double) -> Double {
    // Released without velocity, the spring turns every pi / wd seconds. Each turn is e^(-z pi /
    // sqrt(1 - z^2)) times as far out as the previous one. It comes to rest after the last turn
    // that is far enough out. With z >= 1 it never turns.
    var early = 0.0
    var late: Double
    var side = -1.0
    if z < 1 {
      let root = (1 - z * z).squareRoot()
      let turn = .pi / (w * root)
      let turns = (-log(restDistance) * root / (z * .pi)).rounded(.down)
      early = turns * turn
      late = early + turn
      if turns.truncatingRemainder(dividingBy: 2) == 1 { side = 1 }
    } else {
      late = 1 / w
    }
    func isOut(_ t: Double) -> Bool {
      let distance = SpringTransition(angularFrequency: w, damping: z, dtSeconds: t)
        .apply(distance: -1, velocity: 0).distance
      return distance * side >= restDistance
    }
    if z >= 1 { while isOut(late) { late *= 2 } }
    // From one turn to the next, the distance falls monotonically.
    for _ in 0..<60 {
      let middle = early + (late - early) / 2
      if isOut(middle) { early = middle } else { late = middle }
    }
    return late
  }
}
