// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

@Suite("Springs in closed form") struct SpringGoldenTests {
  /// Eight springs, released with three velocities, 61 ticks each, with 12 decimals.
  @Test func ticksEqualTheTable() throws {
    for row in try NamedTable("spring", rows: 1464).rows {
      let spring = Spring(
        responseSeconds: try row["response"], damping: try row["damping_fraction"])
      // The table's t has 9 decimals; at these velocities that is an error of 1e-8.
      let seconds = try row["tick_30hz"] / 30
      #expect((seconds - (try row["t"])).magnitude < 1e-9)
      let velocity = try row["v0"]
      let x = spring.value(at: seconds, initialVelocity: velocity)
      let v = spring.velocity(at: seconds, initialVelocity: velocity)
      #expect((x - (try row["x"])).magnitude < 1e-11, "\(row): \(x)")
      #expect((v - (try row["v"])).magnitude < 1e-10, "\(row): \(v)")
      guard velocity == 0 else { continue }
      // As the curve of a step, with a duration that does not cut it off here.
      let curve = Curve.spring(spring)
      #expect(
        (curve.value(at: seconds / 4, durationSeconds: 4) - x).magnitude < 1e-12, "\(row)")
      #expect(
        (curve.velocity(at: seconds / 4, durationSeconds: 4) - v).magnitude < 1e-11, "\(row)")
    }
  }

  /// A step of 10 px without a duration ends when the amplitude sqrt(d^2 + (v / w)^2) of the table reaches the limit of
  /// rest: 0.01 px and 0.1 px/s.
  @Test func settlingTimesEqualTheTable() throws {
    var settled = 0
    for row in try NamedTable("spring", rows: 1464).rows where try row["v0"] == 0 {
      let curve = Curve.spring(
        Spring(responseSeconds: try row["response"], damping: try row["damping_fraction"]))
      let w = 2 * Double.pi / (try row["response"])
      let (d, v) = (10 * (1 - (try row["x"])), 10 * (try row["v"]))
      let isAtRest = (d * d + v * v / w / w).squareRoot() <= min(0.01, 0.1 / w)
      let seconds = curve.naturalSeconds(for: .moveBy(PixelOffset(x: 10, y: 0)))
      #expect((try row["tick_30hz"] / 30 >= seconds) == isAtRest, "\(row): \(seconds) s")
      if isAtRest { settled += 1 }
    }
    #expect(settled > 150)
  }
}
