// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Reads a curve: `"ease-out"`, `"cubic-bezier(.42, 0, .58, 1)"` or
/// `{"spring": {"response": 0.5}}`.
enum CurveReader {
  static let kinds = ["cubic-bezier", "steps", "linear", "spring"]

  /// Returns the curve of a step or a keyframe; nil if it has none.
  static func curve(of node: JSONNode) throws(JSONShapeError) -> Curve? {
    guard let curve = try node.member("curve") else { return nil }
    switch curve.value {
    case .string:
      return try curve.checked { text throws(SettingError) in try CurveText.curve(text) }
    case .object: return try object(curve)
    default:
      throw curve.error(
        "expected a curve such as \"ease-out\", or an object with one of "
          + "\(QuotedText.list(kinds)), got \(curve.value.kind)")
    }
  }

  private static func object(_ node: JSONNode) throws(JSONShapeError) -> Curve {
    try node.checkKeys(kinds)
    let members = try node.members()
    guard members.count == 1, let (kind, value) = members.first else {
      throw node.error("expected exactly one of \(QuotedText.list(kinds))")
    }
    switch kind {
    case "cubic-bezier": return try bezier(value)
    case "steps": return try steps(value)
    case "linear": return try points(value)
    default: return try spring(value)
    }
  }

  /// `[x1, y1, x2, y2]`
  private static func bezier(_ node: JSONNode) throws(JSONShapeError) -> Curve {
    let values = try node.elements()
    guard values.count == 4 else {
      throw node.error("expected [x1, y1, x2, y2], got \(values.count) values")
    }
    return .bezier(
      CubicBezier(
        x1: try values[0].quantity(in: 0...1),
        y1: try values[1].quantity(in: DocumentLimits.progress),
        x2: try values[2].quantity(in: 0...1),
        y2: try values[3].quantity(in: DocumentLimits.progress)))
  }

  /// `4` or `[4, "jump-start"]`
  private static func steps(_ node: JSONNode) throws(JSONShapeError) -> Curve {
    let values: [JSONNode]
    if case .array = node.value { values = try node.elements() } else { values = [node] }
    guard (1...2).contains(values.count) else {
      throw node.error("expected [count, position], as in [4, \"jump-end\"]")
    }
    var position = StepCurve.Position.jumpEnd
    if values.count == 2 {
      position = try values[1].checked { text throws(SettingError) in
        try CurveText.position(text)
      }
    }
    let minimum: Int64 = position == .jumpNone ? 2 : 1
    let range = minimum...DocumentLimits.stepCount.upperBound
    guard case .integer(let count) = values[0].value, range.contains(count) else {
      throw values[0].error(
        "expected a whole number from \(minimum) to \(range.upperBound), got \(values[0].shortText)"
      )
    }
    return .steps(StepCurve(Int(count), position))
  }

  /// A list of outputs, `[output, at]` or `[output, from, to]`: `[0, [0.8, 0.25], 1]`
  private static func points(_ node: JSONNode) throws(JSONShapeError) -> Curve {
    if case .array(let values) = node.value, !DocumentLimits.points.contains(values.count) {
      throw node.error(
        "expected \(DocumentLimits.points.lowerBound) to \(DocumentLimits.points.upperBound) points, "
          + "got \(values.count)")
    }
    var stops: [PointCurve.Stop] = []
    for element in try node.elements() {
      guard case .array = element.value else {
        stops.append(
          PointCurve.Stop(output: try element.quantity(in: DocumentLimits.progress)))
        continue
      }
      let numbers = try element.elements()
      guard (1...3).contains(numbers.count) else {
        throw element.error("expected [output, at] or [output, from, to]")
      }
      let output = try numbers[0].quantity(in: DocumentLimits.progress)
      if numbers.count == 1 { stops.append(PointCurve.Stop(output: output)) }
      for input in numbers.dropFirst() {
        stops.append(
          PointCurve.Stop(output: output, input: try input.quantity(in: DocumentLimits.progress)))
      }
    }
    return .points(PointCurve(stops: stops))
  }

  /// `{"response": 0.5, "damping": 0.825, "velocity": 0}`
  private static func spring(_ node: JSONNode) throws(JSONShapeError) -> Curve {
    try node.checkKeys(["response", "damping", "velocity"])
    let response = try node.member("response")?.quantity(in: DocumentLimits.response, unit: " (s)")
    let damping = try node.member("damping")?.quantity(in: DocumentLimits.damping)
    let velocity = try node.member("velocity")?.quantity(in: DocumentLimits.progress)
    return CurveText.spring(response: response, damping: damping, velocity: velocity)
  }
}
