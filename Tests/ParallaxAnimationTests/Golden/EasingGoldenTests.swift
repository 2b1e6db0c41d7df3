// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Every row of the three easing tables.
@Suite("CSS easings") struct EasingGoldenTests {
  @Test func cubicBeziersEqualTheTable() throws {
    var verticals = 0
    for row in try NamedTable("easing_cubic_bezier", rows: 273).rows {
      let curve = Curve.bezier(
        CubicBezier(x1: try row["x1"], y1: try row["y1"], x2: try row["x2"], y2: try row["y2"]))
      let x = try row["x"]
      let y = curve.value(at: x, durationSeconds: 1)
      #expect((y - (try row["y"])).magnitude < 1e-12, "\(row): \(y)")
      // The table has no slope at the ends.
      guard let expected = try row[optional: "dy_dx"] else { continue }
      let slope = curve.velocity(at: x, durationSeconds: 1)
      if expected > 1e12 {
        // A vertical tangent: a large and finite slope.
        #expect(slope >= 1e6 && slope.isFinite, "\(row): \(slope)")
        verticals += 1
      } else {
        #expect(
          (slope - expected).magnitude <= 1e-10 * max(1, expected.magnitude), "\(row): \(slope)")
      }
    }
    #expect(verticals == 1)
  }

  /// Named curves equal the rows with their name.
  @Test(
    arguments: [
      ("linear", Curve.linear), ("ease", .ease), ("ease-in", .easeIn), ("ease-out", .easeOut),
      ("ease-in-out", .easeInOut),
    ])
  func namedCurvesEqualTheTable(name: String, curve: Curve) throws {
    var count = 0
    for row in try NamedTable("easing_cubic_bezier", rows: 273).rows
    where try row[text: "curve"] == name {
      let y = curve.value(at: try row["x"], durationSeconds: 0.3)
      #expect((y - (try row["y"])).magnitude < 1e-12, "\(row): \(y)")
      count += 1
    }
    #expect(count == 21)
  }

  @Test func stepsEqualTheTable() throws {
    var before = 0
    for row in try NamedTable("easing_steps", rows: 630).rows {
      let position = try #require(StepCurve.Position(rawValue: row[text: "position"]), "\(row)")
      let curve = StepCurve(Int(try row["n"]), position)
      let isBefore = try row["before_flag"] == 1
      let y = curve.value(at: try row["x"], isBefore: isBefore)
      #expect((y - (try row["y"])).magnitude < 1e-12, "\(row): \(y)")
      if isBefore {
        before += 1
      } else {
        #expect(Curve.steps(curve).value(at: try row["x"], durationSeconds: 2) == y, "\(row)")
      }
    }
    #expect(before == 315)
  }

  @Test func pointsEqualTheTable() throws {
    for row in try NamedTable("easing_linear", rows: 105).rows {
      let function = try row[text: "function"]
      try #require(function.hasPrefix("linear(") && function.hasSuffix(")"))
      let curve = PointCurve(stops: try cssStops(String(function.dropFirst(7).dropLast())))
      let y = curve.value(at: try row["x"])
      #expect((y - (try row["y"])).magnitude < 1e-12, "\(row): \(y)")
    }
  }
}

/// Parses the arguments of CSS's `linear(...)`: "0, 0.25 75%, 1".
func cssStops(_ list: String) throws -> [PointCurve.Stop] {
  try list.split(separator: ",").map { part in
    let words = part.split(separator: " ").map(String.init)
    let output = try #require(words.first.flatMap(Double.init), "\(list)")
    guard words.count > 1 else { return PointCurve.Stop(output: output) }
    let percent = try #require(Double(words[1].filter { $0 != "%" }), "\(list)")
    return PointCurve.Stop(output: output, input: percent / 100)
  }
}
