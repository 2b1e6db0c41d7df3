// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Reads properties and keyframes and counts them.
struct LottieReader {
  // Ranges of numbers: far beyond any screen, and small enough for results to stay finite.

  /// In px, degrees or %.
  static let values = -1e6...1e6
  static let frames = -1e9...1e9
  /// Time and progress of the handles of a curve.
  static let handles = -1e3...1e3

  private var nodes = 0
  /// The slots of the file, by id: their properties.
  private var slots: [String: JSONNode] = [:]
  /// The values that a request gives to slots.
  private var given: [String: JSONNode] = [:]
  /// The ids of slots that properties refer to.
  private var usedSlots: Set<String> = []

  /// - Parameter variables: The values of slots, by id.
  init(_ root: JSONNode, variables: JSONObject) throws(JSONShapeError) {
    for (id, slot) in try root.member("slots")?.members() ?? [] {
      if case .object = slot.value, let property = try slot.member("p") { slots[id] = property }
    }
    for (id, value) in try JSONNode(variables, under: "variables").members() {
      try value.checkVariable()
      given[id] = value
    }
  }

  /// Throws for a value without a slot.
  func checkGiven() throws(JSONShapeError) {
    let known = usedSlots.union(slots.keys)
    for (id, value) in given.sorted(by: { $0.key < $1.key }) where !known.contains(id) {
      throw value.error(DocumentVariables.unknown(id, known: known, of: "slot"))
    }
  }

  /// Returns whether the value of a property comes from a slot.
  func isSlotted(_ node: JSONNode) throws(JSONShapeError) -> Bool {
    guard case .string(let id)? = try node.member("sid")?.value else { return false }
    return given[id] != nil || slots[id] != nil
  }

  /// Counts a layer or a keyframe. The rest of a file takes no memory after reading.
  mutating func count(_ node: JSONNode) throws(JSONShapeError) {
    nodes += 1
    guard nodes <= DocumentLimits.nodes else {
      throw node.error("too many layers and keyframes; the limit is \(DocumentLimits.nodes)")
    }
  }

  /// Whether the limit is exceeded.
  var isFull: Bool { nodes > DocumentLimits.nodes }

  /// The number of dimensions.
  enum Shape {
    case number
    case pair

    var count: Int { self == .number ? 1 : 2 }
  }

  struct Property {
    var track: LottieMotionTrack
    var hasKeyframes: Bool
    var hasExpression: Bool
  }

  /// Reads a property: a value or keyframes. Old files lack `a`, which says which, so the form
  /// decides.
  mutating func property(_ node: JSONNode, _ shape: Shape) throws(JSONShapeError) -> Property {
    if case .string(let id)? = try node.member("sid")?.value {
      usedSlots.insert(id)
      if let value = given[id] {
        let track = LottieMotionTrack(try Self.vector(value, shape))
        return Property(track: track, hasKeyframes: false, hasExpression: false)
      }
      if let slot = slots[id] { return try ownProperty(slot, shape) }
    }
    return try ownProperty(node, shape)
  }

  private mutating func ownProperty(
    _ node: JSONNode, _ shape: Shape
  ) throws(JSONShapeError) -> Property {
    let hasExpression = try Self.hasExpression(node)
    let value = try node.required("k")
    if case .array(let elements) = value.value, case .object? = elements.first {
      let track = try keyframes(value, shape)
      return Property(track: track, hasKeyframes: true, hasExpression: hasExpression)
    }
    let track = LottieMotionTrack(try Self.vector(value, shape))
    return Property(track: track, hasKeyframes: false, hasExpression: hasExpression)
  }

  /// Returns whether a property has an expression: a string `x`. In a split position, `x` is the
  /// property of the x axis.
  static func hasExpression(_ node: JSONNode) throws(JSONShapeError) -> Bool {
    if case .string(let text)? = try node.member("x")?.value { !text.isEmpty } else { false }
  }

  /// Reads a flag in either of Lottie's forms, a boolean or a number; nil is false.
  static func flag(_ node: JSONNode?) throws(JSONShapeError) -> Bool {
    guard let node else { return false }
    switch node.value {
    case .null: return false
    case .bool(let flag): return flag
    case .integer(let number): return number != 0
    case .double(let number): return number != 0
    default: throw node.error("expected 0, 1, true or false")
    }
  }

  static func frame(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.quantity(in: frames)
  }

  /// Reads a number, alone or in a list, or two numbers. A third dimension is ignored.
  static func vector(
    _ node: JSONNode, _ shape: Shape, in range: ClosedRange<Double> = values
  ) throws(JSONShapeError) -> LottieVector {
    guard case .array = node.value else {
      guard shape == .number else {
        throw node.error("expected a list of 2 numbers, got \(node.value.kind)")
      }
      return LottieVector(x: try node.quantity(in: range), y: 0)
    }
    let elements = try node.elements()
    guard elements.count >= shape.count else {
      throw node.error(
        shape == .number
          ? "expected a number, got an empty list"
          : "expected 2 numbers, got \(elements.count)")
    }
    return LottieVector(
      x: try elements[0].quantity(in: range),
      y: shape == .pair ? try elements[1].quantity(in: range) : 0)
  }
}
