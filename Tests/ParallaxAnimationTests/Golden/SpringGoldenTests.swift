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

  /// A step without a duration ends when |1 - x| of the table stays below 0.001.
  @Test func settlingTimesEqualTheTable() throws {
    var settled = 0
    let rows = try NamedTable("spring", rows: 1464).rows.filter { try $0["v0"] == 0 }
    for row in rows {
      let spring = Spring(
        responseSeconds: try row["response"], damping: try row["damping_fraction"])
      let isOver = try row["tick_30hz"] / 30 >= spring.settlingSeconds
      let distance = (1 - (try row["x"])).magnitude
      if isOver {
        settled += 1
        #expect(distance < Spring.restDistance, "\(row) is not at rest")
      } else {
        // It may pass the target between two swings, but must leave it again later.
        let later = try rows.filter {
          try $0[text: "case"] == row[text: "case"] && $0["t"] >= row["t"]
        }
        let isLast = spring.settlingSeconds - (try row["t"]) < 1.0 / 30
        #expect(
          try isLast || later.contains { (1 - (try $0["x"])).magnitude >= Spring.restDistance },
          "\(row) is at rest before \(spring.settlingSeconds) s")
      }
    }
    #expect(settled > 200)
  }
}
