import Glibc
package import ParallaxMotion

/// A spring of mass 1 from 0 to 1: stiffness (2 pi / response)^2, damping 4 pi damping / response.
///
/// `response` and `damping` mean what SwiftUI's and UIKit's springs mean by them.
package struct Spring: Equatable, Sendable {
  /// The undamped period, s; 0.000001...1,000,000. Smaller is stiffer.
  package let responseSeconds: Double
  /// The fraction of critical damping; 0.001...1000. Below 1 it overshoots.
  package let damping: Double
  /// When it has come to rest: from then on |1 - x| stays under 0.001.
  package let settlingSeconds: Double

  /// Where a spring counts as at rest.
  package static let restDistance = 0.001

  /// Numbers that no spring has (0, negative, not finite) count as the nearest that one can have.
  package init(responseSeconds: Double, damping: Double) {
    self.responseSeconds = max(1e-6, responseSeconds.held(within: 1e6))
    self.damping = max(1e-3, damping.held(within: 1e3))
    settlingSeconds = Self.settling(2 * .pi / self.responseSeconds, self.damping)
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
      angularFrequency: angularFrequency, damping: damping,
      // All of them have long been at rest then, and it can be multiplied.
      dtSeconds: max(0, seconds.held(within: 1e15)))
  }

  private static func settling(_ w: Double, _ z: Double) -> Double {
    // Let go without speed, it turns round every pi / wd seconds, each time e^(-z pi / sqrt(1 - z^2))
    // as far out as before. Behind the last turn that is far enough out it comes to rest; one with
    // z >= 1 does not turn.
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
    // From a turn to the next the distance falls (to the other side).
    for _ in 0..<60 {
      let middle = early + (late - early) / 2
      if isOut(middle) { early = middle } else { late = middle }
    }
    return late
  }
}
