// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

private typealias Stop = PointCurve.Stop

/// Cases that the golden tables do not cover: CSS stops, the ends of curves, and extreme numbers.
@Suite("Curves") struct CurveTests {
  /// The arguments of `linear(...)`, and its points.
  @Test(arguments: [
    ("0, 1", "0 0, 1 100%"), ("0, 3, 1", "0 0%, 3 50%, 1 100%"),
    // Several between two given inputs.
    ("0, 1 60%, 2, 3, 4 90%, 5", "0 0%, 1 60%, 2 70%, 3 80%, 4 90%, 5 100%"),
    // An input below the previous one is raised to it, and the following are spread from there.
    ("0, 1 80%, 2 50%, 3, 4", "0 0%, 1 80%, 2 80%, 3 90%, 4 100%"),
    // Given ends.
    ("0 25%, 1 50%", "0 25%, 1 50%"), ("0 -100%, 1 200%", "0 -100%, 1 200%"),
    // The last without an input is at 100 %, or at a previous one beyond that.
    ("0, 1 150%, 2", "0 0%, 1 150%, 2 150%"),
    ("7", "7 0%"), ("", "0 0%, 1 100%"),
  ])
  func stopsBecomePoints(_ written: String, points: String) throws {
    let found = PointCurve(stops: try cssStops(written)).points
    let expected = try cssStops(points)
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) {
      #expect((found.input - (expected.input ?? 0)).magnitude < 1e-12, "\(found)")
      #expect(found.output == expected.output, "\(found)")
    }
  }

  /// The arguments of `linear(...)`, a share, and the progress there.
  @Test(arguments: [
    // The outer lines extend beyond their points.
    ("0 25%, 1 50%", 0.0, -1.0), ("0 25%, 1 50%", 1, 3),
    // Two points at one input: a jump to the last.
    ("0, 0.2 50%, 0.8 50%, 1", 0.5, 0.8), ("0, 0.2 50%, 0.8 50%, 1", 0.5.nextDown, 0.2),
    ("0, 0.2 50%, 0.3 50%, 0.8 50%, 1", 0.5, 0.8),
    // Without points around them, their own values.
    ("0.2 50%, 0.8 50%", 0.25, 0.2), ("0.2 50%, 0.8 50%", 0.5, 0.8),
    ("0.2 50%, 0.8 50%", 0.75, 0.8),
    ("0, 0.4 100%, 1 100%", 1, 1), ("0.4 0%, 1 0%, 3", 0, 1),
    ("7 30%", 0, 7), ("7 30%", 1, 7), ("", 0.25, 0.25),
  ])
  func pointsAreInterpolated(_ written: String, share: Double, progress: Double) throws {
    let curve = PointCurve(stops: try cssStops(written))
    #expect((curve.value(at: share) - progress).magnitude < 1e-12)
  }

  @Test func inputsNeverDecrease() {
    let points = [(0, 0), (0.9, 0.1), (0.2, 0.5), (1, 1)].map(PointCurve.Point.init)
    #expect(PointCurve(points).value(at: 0.9) == 0.5)
    #expect(PointCurve([]).value(at: 0.3) == 0.3)
  }

  /// Curves with the exact progress at their start and end.
  static let curves: [(Curve, Double, Double)] = [
    (.linear, 0, 1), (.ease, 0, 1), (.easeInOut, 0, 1),
    (.bezier(CubicBezier(x1: 1, y1: -3, x2: 0, y2: 7)), 0, 1),
    (.steps(StepCurve(4, .jumpStart)), 0.25, 1), (.steps(StepCurve(4, .jumpEnd)), 0, 1),
    (.steps(StepCurve(4, .jumpNone)), 0, 1), (.steps(StepCurve(4, .jumpBoth)), 0.2, 1),
    (
      .points(PointCurve(stops: [Stop(output: 0.3), Stop(output: 0.1), Stop(output: 0.7)])), 0.3,
      0.7
    ),
    (.spring(response: .seconds(0.5), damping: 0.3), 0, 1),
    (.spring(response: .seconds(9), damping: 3), 0, 1),
  ]

  @Test(arguments: curves) func endsAreExact(_ curve: Curve, first: Double, last: Double) {
    for share in [0, -0.0, -1, -Double.infinity] {
      #expect(curve.value(at: share, durationSeconds: 2) == first)
    }
    for share in [1, 1.5, Double.infinity] {
      #expect(curve.value(at: share, durationSeconds: 2) == last)
      #expect(curve.velocity(at: share, durationSeconds: 2) == 0)
    }
    #expect(curve.velocity(at: -0.1, durationSeconds: 2) == 0)
  }

  /// Velocities equal the difference quotients, at 100 places of 2000 random curves.
  @Test func velocityIsTheChangeOfTheValue() {
    var random = RandomAnimations()
    var compared = 0
    for _ in 0..<2000 {
      let curve = random.curve()
      let duration = random.number(0.05...3)
      for _ in 0..<100 {
        let share = random.number(0.001...0.999)
        let h = 1e-6
        let values = [-2.0, -1, 0, 1, 2].map { (step: Double) in
          curve.value(at: share + step * h, durationSeconds: duration)
        }
        let (left, right) = (values[2] - values[0], values[4] - values[2])
        // A kink or a jump in between: a difference quotient does not show the velocity there.
        guard (right - left).magnitude < 1e-3 * h + 1e-3 * max(left.magnitude, right.magnitude)
        else { continue }
        compared += 1
        let slope = (values[3] - values[1]) / (2 * h) / duration
        let velocity = curve.velocity(at: share, durationSeconds: duration)
        if (velocity - slope).magnitude > 1e-4 * max(1, slope.magnitude) {
          Issue.record(
            "\(curve) at \(share) of \(duration) s: \(velocity), not \(slope); \(random.note)")
        }
      }
    }
    #expect(compared > 190_000, "\(random.note)")
  }

  /// The amplitude reaches the limit of rest at the settling time, and the motion then stays within the limit.
  @Test func springsStayAtRest() {
    var random = RandomAnimations()
    for _ in 0..<2000 {
      let spring = Spring(
        responseSeconds: random.scaled(0.01, 10), damping: random.scaled(0.005, 30))
      let distance = random.scaled(0.1, 3000)
      let velocity = random.scaled(0.1, 3000) - 100
      let end = spring.restSeconds(distance: distance, velocity: velocity, within: .px)
      func motion(_ seconds: Double) -> (distance: Double, velocity: Double) {
        spring.transition(seconds).apply(distance: distance, velocity: velocity)
      }
      let w = spring.angularFrequency
      let before = motion(end * (1 - 1e-9))
      let amplitude =
        (before.distance * before.distance + before.velocity * before.velocity / w / w).squareRoot()
      if end > 0, amplitude < min(0.01, 0.1 / w) * 0.999 {
        Issue.record("\(spring): at rest before its settling time: \(before); \(random.note)")
      }
      for index in 0...400 {
        let there = motion(end + Double(index) / 100 * spring.responseSeconds)
        if there.distance.magnitude > 0.01 + 1e-12 || there.velocity.magnitude > 0.1 + 1e-12 {
          Issue.record("\(spring): not at rest: \(there); \(random.note)")
        }
      }
    }
  }

  /// No number makes a curve trap, hang or return a value that is not finite.
  @Test func extremeNumbersAreSafe() {
    var springs: [Spring] = []
    for response in extremes {
      for damping in extremes {
        springs.append(Spring(responseSeconds: response, damping: damping))
      }
    }
    for spring in springs {
      let end = spring.restSeconds(distance: 2000, velocity: 0, within: .px)
      #expect(end.isFinite && end > 0, "\(spring)")
      #expect(spring.value(at: end).isFinite, "\(spring)")
      #expect(spring.velocity(at: 0.3).isFinite, "\(spring)")
    }
    var curves = springs.map(Curve.spring)
    for count in [Int.min, -1, 0, 1, 2, .max] {
      curves += StepCurve.Position.allCases.map { .steps(StepCurve(count, $0)) }
    }
    for number in extremes {
      curves.append(.bezier(CubicBezier(x1: number, y1: number, x2: number, y2: number)))
      curves.append(.bezier(CubicBezier(x1: 0.3, y1: number, x2: 0.4, y2: -number)))
      curves.append(.points(PointCurve(stops: [Stop(output: number), Stop(output: -number)])))
      for other in extremes {
        curves.append(
          .points(
            PointCurve(stops: [
              Stop(output: 0), Stop(output: 1, input: number), Stop(output: number, input: other),
            ])))
      }
    }
    for curve in curves {
      for share in extremes + [0.5, 0.999] where !share.isNaN {
        for duration in extremes + [0.25] where duration >= 0 {
          let value = curve.value(at: share, durationSeconds: duration)
          let velocity = curve.velocity(at: share, durationSeconds: duration)
          if !value.isFinite || !velocity.isFinite {
            Issue.record("\(curve) at \(share) of \(duration) s: \(value), \(velocity)")
          }
        }
      }
    }
  }
}

/// Extreme numbers that unchecked input may contain.
let extremes: [Double] = [
  0, -0.0, 1, -1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-300, 1e-9, 1e9, 1e18, -1e18,
  1e300, -1e300,
  .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
]
