// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Reads a step or a keyframe.
enum StepReader {
  /// - Parameters:
  ///   - key: `move`, `rotate`, `scale` or `fade`.
  ///   - subject: The value of the key.
  ///   - node: The object with the key, `duration` and `curve`.
  static func animation(
    _ key: String, _ subject: JSONNode, of node: JSONNode
  ) throws(JSONShapeError) -> Animation {
    let duration = try duration(of: node)
    let curve = try CurveReader.curve(of: node) ?? .ease
    if case .object(let object) = subject.value, object["from"] != nil {
      let (from, to) = try ends(key, subject)
      return .keyframes(
        Keyframes(
          [from, to.along(curve)],
          durationSeconds: duration ?? curve.naturalSeconds(from: from.pose, to: to.pose)))
    }
    return .step(
      AnimationStep(try change(key, subject), durationSeconds: duration, curve: curve))
  }

  /// Returns the duration in seconds; nil if it is not given.
  static func duration(of node: JSONNode) throws(JSONShapeError) -> Double? {
    try node.member("duration")?.quantity(in: DocumentLimits.seconds, unit: " (s)")
  }

  /// Reads `{"from": 0, "to": 1}` or `{"from": 0, "by": 1}`: the keyframes at both ends.
  private static func ends(
    _ key: String, _ subject: JSONNode
  ) throws(JSONShapeError) -> (Keyframes.Frame, Keyframes.Frame) {
    let ways = key == "fade" ? ["to"] : ["by", "to"]
    try subject.checkKeys(["from"] + ways)
    var from = Keyframes.Frame(share: 0, pose: .rest, channels: [])
    try set(key, try subject.required("from"), in: &from)
    var given: [String] = []
    for way in ways where try subject.member(way) != nil { given.append(way) }
    guard given.count == 1 else {
      throw subject.error(
        given.isEmpty
          ? "\"from\" alone; add \(ways.map(QuotedText.of).joined(separator: " or "))"
          : "both \"by\" and \"to\"; use one of them")
    }
    var to = Keyframes.Frame(share: 1, pose: .rest, channels: [])
    try set(key, try subject.required(given[0]), in: &to)
    if given[0] == "by" {
      to.pose.offset.x += from.pose.offset.x
      to.pose.offset.y += from.pose.offset.y
      to.pose.rotationDegrees += from.pose.rotationDegrees
      to.pose.scale *= from.pose.scale
      to.pose.scaleY *= from.pose.scaleY
    }
    return (from, to)
  }

  private static func change(
    _ key: String, _ subject: JSONNode
  ) throws(JSONShapeError) -> PoseChange {
    let ways = key == "fade" ? ["to"] : ["by", "to"]
    let allowed = key == "rotate" ? ways + ["anchor"] : ways
    guard case .object(let object) = subject.value else {
      let (value, unit) = example(key)
      let objects = ways.map { "{\"\($0)\": \(value)}" }
      throw subject.error(
        "expected \(objects.joined(separator: " or "))\(unit), got \(subject.value.kind)")
    }
    try subject.checkKeys(allowed)
    let given = ways.filter { object[$0] != nil }
    guard given.count == 1, let way = given.first else {
      throw subject.error(
        given.isEmpty
          ? "\(object.isEmpty ? "empty; " : "")expected "
            + ways.map(QuotedText.of).joined(separator: " or ")
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
      if let node = try subject.member("anchor") {
        let anchor = try offset(node)
        return isBy ? .pivotBy(degrees, anchor: anchor) : .pivotTo(degrees, anchor: anchor)
      }
      return isBy ? .rotateBy(degrees) : .rotateTo(degrees)
    case "scale":
      let (x, y) = try scales(value)
      if x == y { return isBy ? .scaleBy(x) : .scaleTo(x) }
      return isBy ? .stretchBy(x: x, y: y) : .stretchTo(x: x, y: y)
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

  /// `{"at": "50%", "move": [12, 0], "rotate": 90, "scale": 1, "fade": 0.2, "curve": "ease"}`
  static func frame(
    _ node: JSONNode, curve: Curve
  ) throws(JSONShapeError) -> Keyframes.Frame {
    try node.checkKeys(["at", "move", "rotate", "scale", "fade", "curve"])
    var frame = Keyframes.Frame(
      share: try share(try node.required("at")),
      pose: .rest, channels: [], curve: try CurveReader.curve(of: node) ?? curve)
    for key in ["move", "rotate", "scale", "fade"] {
      if let value = try node.member(key) { try set(key, value, in: &frame) }
    }
    if frame.channels.isEmpty {
      throw node.error(
        "empty keyframe; expected \"move\", \"rotate\", \"scale\" or \"fade\"")
    }
    return frame
  }

  private static func set(
    _ key: String, _ value: JSONNode, in frame: inout Keyframes.Frame
  ) throws(JSONShapeError) {
    switch key {
    case "move":
      frame.pose.offset = try offset(value)
      frame.channels.formUnion(.offset)
    case "rotate":
      frame.pose.rotationDegrees = try rotation(value)
      frame.channels.formUnion(.rotation)
    case "scale":
      (frame.pose.scale, frame.pose.scaleY) = try scales(value)
      frame.channels.formUnion(.scale)
    default:
      frame.pose.opacity = try opacity(value)
      frame.channels.formUnion(.opacity)
    }
  }

  /// `0.6` or `"60%"`
  private static func share(_ node: JSONNode) throws(JSONShapeError) -> Double {
    guard case .string(let text) = node.value else {
      return try node.quantity(in: 0...1, unit: " (a share of the duration)")
    }
    guard text.last == "%", let percent = SettingText.number(text.dropLast()),
      (0...100).contains(percent)
    else {
      throw node.error(
        "expected a percentage from \"0%\" to \"100%\" or a number from 0 to 1, got "
          + QuotedText.of(text))
    }
    return percent / 100
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

  /// `1.5`, or `[1.2, 0.8]` for the scales to the right and downward.
  private static func scales(_ node: JSONNode) throws(JSONShapeError) -> (Double, Double) {
    guard case .array(let values) = node.value else {
      let both = try node.quantity(in: DocumentLimits.scale)
      return (both, both)
    }
    guard values.count == 2 else {
      throw node.error(
        "expected a number or [x, y], got \(values.count) value\(values.count == 1 ? "" : "s")")
    }
    let elements = try node.elements()
    return (
      try elements[0].quantity(in: DocumentLimits.scale),
      try elements[1].quantity(in: DocumentLimits.scale)
    )
  }

  private static func opacity(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.quantity(in: DocumentLimits.opacity)
  }
}

extension Keyframes.Frame {
  fileprivate func along(_ curve: Curve) -> Keyframes.Frame {
    var frame = self
    frame.curve = curve
    return frame
  }
}
