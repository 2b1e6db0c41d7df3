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

  /// The number of layers and keyframes so far.
  var counted = 0
  /// Descriptions of parts that cannot be read and are left out.
  var failures: [String] = []
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
    counted += 1
    guard counted <= DocumentLimits.nodes else {
      throw node.error("too many layers and keyframes; the limit is \(DocumentLimits.nodes)")
    }
  }

  /// Whether the limit is exceeded.
  var isFull: Bool { counted > DocumentLimits.nodes }

  /// The number of dimensions.
  enum Shape {
    case number
    /// A single number is x, with y = 0, as in other players.
    case pair
    /// A pair in which a single number is both.
    case scale
  }

  struct Property {
    var track: LottieMotionTrack
    var hasKeyframes: Bool
    var hasExpression: Bool
  }

  /// Reads a property: a value or keyframes. Old files lack `a`, which says which, so the form
  /// decides.
  mutating func property(_ node: JSONNode, _ shape: Shape) throws(JSONShapeError) -> Property {
    guard case .string(let id)? = try node.member("sid")?.value else {
      return try ownProperty(node, shape)
    }
    usedSlots.insert(id)
    var property: Property
    if let value = given[id] {
      if shape != .number {
        // What a user gives is not as lax as what files have.
        guard case .array(let numbers) = value.value, numbers.count >= 2 else {
          throw value.error("expected a list of 2 numbers, got \(value.value.kind)")
        }
      }
      let track = LottieMotionTrack(try Self.vector(value, shape))
      property = Property(track: track, hasKeyframes: false, hasExpression: false)
    } else if let slot = slots[id] {
      property = try ownProperty(slot, shape)
    } else {
      return try ownProperty(node, shape)
    }
    property.track.isSlotted = true
    return property
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

  /// Returns whether a member that is not required in any form is there and not 0 or false.
  static func isSet(_ node: JSONNode?) -> Bool {
    switch node?.value {
    case .bool(true): true
    case .integer(let number): number != 0
    default: false
    }
  }

  static func frame(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.quantity(in: frames)
  }

  /// Reads a number or two, alone or in a list. A third dimension is ignored.
  static func vector(
    _ node: JSONNode, _ shape: Shape, in range: ClosedRange<Double> = values
  ) throws(JSONShapeError) -> LottieVector {
    var numbers = [node]
    switch node.value {
    case .array: numbers = try node.elements()
    case .integer, .double, .decimal: break
    default:
      guard shape == .number else {
        throw node.error("expected a list of 2 numbers, got \(node.value.kind)")
      }
    }
    guard let first = numbers.first else {
      throw node.error(
        "expected \(shape == .number ? "a number" : "2 numbers"), got an empty list")
    }
    let x = try first.quantity(in: range)
    guard shape != .number, numbers.count > 1 else {
      return LottieVector(x: x, y: shape == .scale ? x : 0)
    }
    return LottieVector(x: x, y: try numbers[1].quantity(in: range))
  }
}
