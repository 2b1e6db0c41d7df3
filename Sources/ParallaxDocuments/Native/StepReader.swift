// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxJSON
import ParallaxMotion

/// Reads a step or a keyframe.
enum StepReader {
  /// - Parameters:
  ///   - key: `move`, `rotate`, `scale` or `fade`.
  ///   - subject: The value of the key.
  ///   - node: The object with the key, `duration` and `curve`.
  static func step(
    _ key: String, _ subject: JSONNode, of node: JSONNode
  ) throws(JSONShapeError) -> AnimationStep {
    AnimationStep(
      try change(key, subject), durationSeconds: try duration(of: node),
      curve: try CurveReader.curve(of: node) ?? .ease)
  }

  /// Returns the duration in seconds; nil if it is not given.
  static func duration(of node: JSONNode) throws(JSONShapeError) -> Double? {
    try node.member("duration")?.quantity(in: DocumentLimits.seconds, unit: " (s)")
  }

  private static func change(
    _ key: String, _ subject: JSONNode
  ) throws(JSONShapeError) -> AnimationStep.Change {
    let allowed = key == "fade" ? ["to"] : ["by", "to"]
    guard case .object(let object) = subject.value else {
      let (value, unit) = example(key)
      let objects = allowed.map { "{\"\($0)\": \(value)}" }
      throw subject.error(
        "expected \(objects.joined(separator: " or "))\(unit), got \(subject.value.kind)")
    }
    try subject.checkKeys(allowed)
    guard object.count == 1, let way = object.members.first?.key else {
      throw subject.error(
        object.isEmpty
          ? "empty; expected \(allowed.map(QuotedText.of).joined(separator: " or "))"
          : "both \"by\" and \"to\"; use one of them"
      )
    }
    let isBy = way == "by"
    let value = try subject.required(way)
    switch key {
    case "move":
      let px = try offset(value)
      return isBy ? .moveBy(px) : .moveTo(px)
    case "rotate":
      let degrees = try rotation(value)
      return isBy ? .rotateBy(degrees) : .rotateTo(degrees)
    case "scale":
      let factor = try scale(value)
      return isBy ? .scaleBy(factor) : .scaleTo(factor)
    default: return .fadeTo(try opacity(value))
    }
  }

  /// Returns a value of a step and its unit, for messages.
  private static func example(_ key: String) -> (value: String, unit: String) {
    switch key {
    case "move": ("[12, 0]", " (px)")
    case "rotate": ("90", " (degrees clockwise)")
    case "scale": ("1.5", "")
    default: ("0.5", "")
    }
  }

  /// `{"at": 0.5, "move": [12, 0], "rotate": 90, "scale": 1, "fade": 0.2, "curve": "ease"}`
  static func frame(
    _ node: JSONNode, curve: Curve
  ) throws(JSONShapeError) -> Keyframes.Frame {
    try node.checkKeys(["at", "move", "rotate", "scale", "fade", "curve"])
    var frame = Keyframes.Frame(
      share: try node.required("at").quantity(in: 0...1, unit: " (a share of the duration)"),
      pose: .rest, channels: [], curve: try CurveReader.curve(of: node) ?? curve)
    if let value = try node.member("move") {
      frame.pose.offset = try offset(value)
      frame.channels.formUnion(.offset)
    }
    if let value = try node.member("rotate") {
      frame.pose.rotationDegrees = try rotation(value)
      frame.channels.formUnion(.rotation)
    }
    if let value = try node.member("scale") {
      frame.pose.scale = try scale(value)
      frame.channels.formUnion(.scale)
    }
    if let value = try node.member("fade") {
      frame.pose.opacity = try opacity(value)
      frame.channels.formUnion(.opacity)
    }
    if frame.channels.isEmpty {
      throw node.error(
        "empty keyframe; expected \"move\", \"rotate\", \"scale\" or \"fade\"")
    }
    return frame
  }

  // MARK: - Values

  private static func offset(_ node: JSONNode) throws(JSONShapeError) -> PixelOffset {
    guard case .array(let values) = node.value, values.count == 2 else {
      let found =
        if case .array(let values) = node.value {
          "\(values.count) value\(values.count == 1 ? "" : "s")"
        } else {
          node.shortText
        }
      throw node.error("expected [x, y] in px, got \(found)")
    }
    let elements = try node.elements()
    return PixelOffset(
      x: try elements[0].quantity(in: DocumentLimits.offset, unit: " (px)"),
      y: try elements[1].quantity(in: DocumentLimits.offset, unit: " (px)"))
  }

  private static func rotation(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.quantity(in: DocumentLimits.rotation, unit: " (degrees clockwise)")
  }

  private static func scale(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.quantity(in: DocumentLimits.scale)
  }

  private static func opacity(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.quantity(in: DocumentLimits.opacity)
  }
}
