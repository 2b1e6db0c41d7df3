import Glibc
package import ParallaxMotion

/// A spring of mass 1 from 0 to 1: stiffness (2 pi / response)^2, damping 4 pi damping / response.
///
/// `response` and `damping` mean what SwiftUI's and UIKit's springs mean by them.
package struct Spring: Equatable, Sendable {
  /// The undamped period, s; above 0. Smaller is stiffer.
  package let responseSeconds: Double
  /// The fraction of critical damping; above 0. Below 1 it overshoots.
  package let damping: Double
  /// When it has come to rest: from then on |1 - x| stays under 0.001.
  package let settlingSeconds: Double

  /// Where a spring counts as at rest.
  package static let restDistance = 0.001

  package init(responseSeconds: Double, damping: Double) {
    self.responseSeconds = responseSeconds
    self.damping = damping
    settlingSeconds = Self.settling(2 * .pi / responseSeconds, damping)
  }

  var angularFrequency: Double { 2 * .pi / responseSeconds }

  /// - Parameters:
  ///   - seconds: since it was let go.
  ///   - velocity: progress a second at that moment.
  package func value(at seconds: Double, initialVelocity velocity: Double = 0) -> Double {
    1 + transition(seconds).apply(distance: -1, velocity: velocity).distance
  }

  /// Progress a second.
  package func velocity(at seconds: Double, initialVelocity velocity: Double = 0) -> Double {
    transition(seconds).apply(distance: -1, velocity: velocity).velocity
  }

  /// What it does with any distance and velocity in a time.
  package func transition(_ seconds: Double) -> SpringTransition {
    SpringTransition(
      angularFrequency: angularFrequency, damping: damping, dtSeconds: max(0, seconds))
  }

  private static func settling(_ w: Double, _ z: Double) -> Double {
    func distance(_ t: Double) -> Double {
      SpringTransition(angularFrequency: w, damping: z, dtSeconds: t)
        .apply(distance: -1, velocity: 0).distance.magnitude
    }
    // Past this time the envelope itself is below: go back from there to the last time it is above.
    var late = 0.0
    var step: Double
    if z < 1 {
      late = -log(restDistance * (1 - z * z).squareRoot()) / (z * w)
      step = .pi / (w * (1 - z * z).squareRoot()) / 64
    } else {
      late = 1 / w
      while distance(late) >= restDistance { late *= 2 }
      step = late / 64
    }
    var early = late
    while early > 0, distance(early) < restDistance { early = max(0, early - step) }
    late = min(late, early + step)
    for _ in 0..<60 {
      let middle = early + (late - early) / 2
      if distance(middle) >= restDistance { early = middle } else { late = middle }
    }
    return late
  }
}
