// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import Testing

private func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Curve {
  .bezier(CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2))
}

/// Each pair is `(input, output)`.
private func points(_ pairs: (Double, Double)...) -> Curve {
  .points(PointCurve(pairs.map { PointCurve.Point(input: $0.0, output: $0.1) }))
}

@Suite struct CurveTests {
  static let table: [(json: String, curve: Curve)] = [
    (#""linear""#, .linear),
    (#""ease""#, .ease),
    (#""ease-in""#, .easeIn),
    (#""ease-out""#, .easeOut),
    (#""ease-in-out""#, .easeInOut),
    (#""step-start""#, .steps(StepCurve(1, .jumpStart))),
    (#""step-end""#, .steps(StepCurve(1, .jumpEnd))),
    (#""spring""#, .spring(response: .seconds(0.5), damping: 0.825)),
    (#"{"cubic-bezier": [0.34, 1.56, 0.64, 1]}"#, bezier(0.34, 1.56, 0.64, 1)),
    (#""cubic-bezier(.34, 1.56, .64, 1)""#, bezier(0.34, 1.56, 0.64, 1)),
    (#""cubic-bezier( .34,1.56 , .64,-1e-1 )""#, bezier(0.34, 1.56, 0.64, -0.1)),
    (#"{"steps": 4}"#, .steps(StepCurve(4, .jumpEnd))),
    (#"{"steps": [4]}"#, .steps(StepCurve(4, .jumpEnd))),
    (#"{"steps": [4, "jump-both"]}"#, .steps(StepCurve(4, .jumpBoth))),
    (#"{"steps": [4, "start"]}"#, .steps(StepCurve(4, .jumpStart))),
    (#""steps(4)""#, .steps(StepCurve(4, .jumpEnd))),
    (#""steps(4, jump-none)""#, .steps(StepCurve(4, .jumpNone))),
    (#""steps(4, end)""#, .steps(StepCurve(4, .jumpEnd))),
    (
      #"{"spring": {"response": 0.3, "damping": 0.6}}"#,
      .spring(response: .seconds(0.3), damping: 0.6)
    ),
    (#"{"spring": {"response": 0.3}}"#, .spring(response: .seconds(0.3), damping: 0.825)),
    (#"{"spring": {}}"#, .spring(response: .seconds(0.5), damping: 0.825)),
    (#""spring(0.3, 0.6)""#, .spring(response: .seconds(0.3), damping: 0.6)),
    (#""spring(.3)""#, .spring(response: .seconds(0.3), damping: 0.825)),
    (#"{"linear": [0, 1]}"#, points((0, 0), (1, 1))),
    (#"{"linear": [0, [0.8, 0.25], 1]}"#, points((0, 0), (0.25, 0.8), (1, 1))),
    (#"{"linear": [0, [0.8, 0.25, 0.75], 1]}"#, points((0, 0), (0.25, 0.8), (0.75, 0.8), (1, 1))),
    (#""linear(0, .8 25%, 1)""#, points((0, 0), (0.25, 0.8), (1, 1))),
    (#""linear(0, 25% .8 75%, 1)""#, points((0, 0), (0.25, 0.8), (0.75, 0.8), (1, 1))),
    // Points without an input are spread evenly between their neighbors.
    (#""linear(0, 1, 2, 3 60%, 4)""#, points((0, 0), (0.2, 1), (0.4, 2), (0.6, 3), (1, 4))),
    (#"{"linear": [0, 4, 1, 2, 3]}"#, points((0, 0), (0.25, 4), (0.5, 1), (0.75, 2), (1, 3))),
    // An input below the previous one is raised to it.
    (#""linear(0, 1 80%, 2 20%, 3)""#, points((0, 0), (0.8, 1), (0.8, 2), (1, 3))),
    (#""linear(0 120%, 1)""#, points((1.2, 0), (1.2, 1))),
  ]

  @Test(arguments: table)
  func everyNotationIsRead(json: String, curve: Curve) throws {
    let document = try read(
      #"{"parallax": 1, "animation": {"fade": {"to": 0}, "curve": \#(json)}}"#)
    guard case .step(let step) = document.animation.content else {
      Issue.record("\(document.animation) is not a step")
      return
    }
    expectSame(step.curve, curve)
  }

  /// Computed inputs may differ in their last bit.
  private func expectSame(_ read: Curve, _ expected: Curve) {
    guard case .points(let read) = read, case .points(let expected) = expected else {
      #expect(read == expected)
      return
    }
    #expect(read.points.map(\.output) == expected.points.map(\.output))
    for (point, expected) in zip(read.points, expected.points) {
      #expect(abs(point.input - expected.input) < 1e-12)
    }
  }
}
