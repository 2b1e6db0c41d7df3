// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase

/// Reads an animation such as `{"move": ...}` or `{"sequence": [...]}`: a subject and its
/// modifiers.
///
/// The modifiers apply from the inside out: `speed`, `reverse`, `autoreverse`, `repeat` or `loop`.
struct AnimationReader {
  /// The number of animations and keyframes so far.
  private(set) var nodes = 0
  private var depth = 0

  /// The keys that say what an animation is; each object has exactly one of them.
  static let subjects = [
    "move", "rotate", "scale", "fade", "delay", "keyframes", "sequence", "parallel", "of",
  ]
  /// The subjects that have a duration and a curve.
  private static let timed = ["move", "rotate", "scale", "fade", "keyframes"]
  private static let modifiers = [
    "duration", "curve", "repeat", "loop", "reverse", "autoreverse", "speed",
  ]

  mutating func animation(_ node: JSONNode) throws(JSONShapeError) -> Animation {
    try node.checkKeys(Self.subjects + Self.modifiers)
    try count(node)
    depth += 1
    guard depth <= DocumentLimits.depth else {
      throw node.error("animations nested too deep; the limit is \(DocumentLimits.depth) levels")
    }
    defer { depth -= 1 }
    let key = try subject(node)
    try checkTiming(node, subject: key)
    let before = nodes
    let subject = try animation(key, of: node)
    return try modified(subject, by: node, nodes: nodes - before + 1)
  }

  /// Counts an animation or a keyframe, both of which take memory.
  mutating func count(_ node: JSONNode, _ count: Int = 1) throws(JSONShapeError) {
    nodes += count
    guard nodes <= DocumentLimits.nodes else {
      throw node.error("too many animations and keyframes; the limit is \(DocumentLimits.nodes)")
    }
  }

  // MARK: - Subjects

  /// Returns the subject of an object.
  private func subject(_ node: JSONNode) throws(JSONShapeError) -> String {
    var found: [String] = []
    for (key, member) in try node.members() {
      if Self.subjects.contains(key) { found.append(key) }
      // {"reverse": {...}} is short for {"reverse": true, "of": {...}}.
      if key == "reverse" || key == "autoreverse", case .object = member.value {
        found.append(key)
      }
    }
    if found.count > 1 {
      throw node.error(
        "\(QuotedText.list(found)) in one object; put each in a separate object, in \"parallel\" or "
          + "\"sequence\"")
    }
    if let key = found.first { return key }
    for key in ["repeat", "loop", "speed", "reverse", "autoreverse"]
    where try node.member(key) != nil {
      throw node.error(
        "\"\(key)\" needs an animation; add \"of\": {...} or one of \(QuotedText.list(subjects))")
    }
    throw node.error("not an animation; expected one of \(QuotedText.list(subjects))")
  }

  private var subjects: [String] { Self.subjects.filter { $0 != "of" } }

  private mutating func animation(
    _ key: String, of node: JSONNode
  ) throws(JSONShapeError) -> Animation {
    let subject = try node.required(key)
    switch key {
    case "delay":
      return .delay(
        seconds: try subject.quantity(in: DocumentLimits.seconds, unit: " (s)"))
    case "keyframes": return try keyframes(subject, of: node)
    case "sequence": return .sequence(try animations(subject))
    case "parallel": return .parallel(try animations(subject))
    case "of": return try animation(subject)
    case "reverse": return .reversed(try animation(subject))
    case "autoreverse": return .autoreversed(try animation(subject))
    default: return try StepReader.animation(key, subject, of: node)
    }
  }

  private mutating func animations(_ node: JSONNode) throws(JSONShapeError) -> [Animation] {
    var animations: [Animation] = []
    for element in try node.elements() { animations.append(try animation(element)) }
    return animations
  }

  private mutating func keyframes(
    _ subject: JSONNode, of node: JSONNode
  ) throws(JSONShapeError) -> Animation {
    let curve = try CurveReader.curve(of: node) ?? .linear
    var frames: [Keyframes.Frame] = []
    for element in try subject.elements() {
      try count(element)
      let frame = try StepReader.frame(element, curve: curve)
      if let last = frames.last, frame.share < last.share {
        throw try element.required("at")
          .error("before the previous keyframe; sort the keyframes by \"at\"")
      }
      frames.append(frame)
    }
    return .keyframes(
      Keyframes(
        frames,
        durationSeconds: try StepReader.duration(of: node) ?? Curve.defaultSeconds))
  }

  // MARK: - Modifiers

  private func checkTiming(
    _ node: JSONNode, subject: String
  ) throws(JSONShapeError) {
    guard !Self.timed.contains(subject) else { return }
    for key in ["duration", "curve"] {
      guard let member = try node.member(key) else { continue }
      throw member.error(
        "not allowed with \"\(subject)\"; allowed with \(QuotedText.list(Self.timed))"
          + (key == "duration" ? "; use \"speed\" to make all of it faster or slower" : ""))
    }
  }

  /// - Parameter count: The number of animations and keyframes in the subject.
  private mutating func modified(
    _ subject: Animation, by node: JSONNode, nodes count: Int
  ) throws(JSONShapeError) -> Animation {
    var animation = subject
    if let speed = try node.member("speed") {
      animation = .speed(animation, factor: try speed.quantity(in: DocumentLimits.speed))
    }
    if try isSet("reverse", in: node) { animation = .reversed(animation) }
    if try isSet("autoreverse", in: node) { animation = .autoreversed(animation) }
    if let count = try node.member("repeat") {
      animation = .repeated(animation, count: try repeatCount(count))
    }
    if let loop = try node.member("loop") {
      guard try node.member("repeat") == nil else {
        throw loop.error("both \"loop\" and \"repeat\"; use one of them")
      }
      animation = try looped(animation, loop, nodes: count)
    }
    return animation
  }

  /// `{"count": 3, "pause": 0.5}`
  private mutating func looped(
    _ animation: Animation, _ loop: JSONNode, nodes copied: Int
  ) throws(JSONShapeError) -> Animation {
    guard case .object = loop.value else {
      throw loop.error(
        "expected {\"count\": 3, \"pause\": 0.5}, got \(loop.shortText); without a pause, use "
          + "\"repeat\"")
    }
    try loop.checkKeys(["count", "pause"])
    let count = try loop.member("count").map(repeatCount) ?? .forever
    let pause = try loop.required("pause").quantity(in: DocumentLimits.seconds, unit: " (s)")
    // The last pass, after which there is no pause, is a copy.
    if count != .forever { try self.count(loop, copied) }
    return animation.looped(count, pauseSeconds: pause)
  }

  private func isSet(_ key: String, in node: JSONNode) throws(JSONShapeError) -> Bool {
    guard let flag = try node.member(key) else { return false }
    switch flag.value {
    case .bool(let isSet): return isSet
    // It is the subject, which has been read.
    case .object: return false
    default:
      throw flag.error("expected true, false or an animation, got \(flag.value.kind)")
    }
  }

  private func repeatCount(_ node: JSONNode) throws(JSONShapeError) -> RepeatCount {
    if node.value == .string("forever") { return .forever }
    guard case .integer(let count) = node.value, DocumentLimits.repeats.contains(count) else {
      throw node.error(
        "expected a whole number from 0 to \(DocumentLimits.repeats.upperBound), or \"forever\", "
          + "got \(node.shortText)")
    }
    return .times(Int(count))
  }
}

extension JSONNode {
  /// The value, for a message.
  var shortText: String {
    switch value {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): QuotedText.of(text)
    default: value.kind
    }
  }
}
