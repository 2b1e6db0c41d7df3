import ParallaxJSON

/// Reads properties and keyframes, and counts what it has read.
struct LottieReader {
  // What a number may be: far beyond what anybody sees, and what is computed from it stays finite.

  /// px, degrees, %.
  static let values = -1e6...1e6
  static let frames = -1e9...1e9
  /// Time and progress, at the handles of a curve.
  static let handles = -1e3...1e3

  private var nodes = 0

  /// Counts a layer or a keyframe: what else is in a file costs nothing once it is read.
  mutating func count(_ node: JSONNode) throws(JSONShapeError) {
    nodes += 1
    guard nodes <= DocumentLimits.nodes else {
      throw node.error(
        "more than \(DocumentLimits.nodes) layers and keyframes, which is not allowed")
    }
  }

  /// One number or two.
  enum Shape {
    case number
    case pair

    var count: Int { self == .number ? 1 : 2 }
  }

  struct Property {
    var course: LottieCourse
    var hasKeyframes: Bool
    var hasExpression: Bool
  }

  /// A property: a value, or keyframes. `a` says which, but old files have none, so the look decides.
  mutating func property(_ node: JSONNode, _ shape: Shape) throws(JSONShapeError) -> Property {
    let hasExpression = try Self.hasExpression(node)
    let value = try node.required("k")
    if case .array(let elements) = value.value, case .object? = elements.first {
      let course = try keyframes(value, shape)
      return Property(course: course, hasKeyframes: true, hasExpression: hasExpression)
    }
    let course = LottieCourse(try Self.vector(value, shape))
    return Property(course: course, hasKeyframes: false, hasExpression: hasExpression)
  }

  /// `x` is an expression where it is a text; in a split position it is the property of the x axis.
  static func hasExpression(_ node: JSONNode) throws(JSONShapeError) -> Bool {
    if case .string(let text)? = try node.member("x")?.value { !text.isEmpty } else { false }
  }

  /// Lottie's two ways to say yes; nil is no.
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

  /// A number may stand alone or in a list; a third dimension is not read.
  static func vector(
    _ node: JSONNode, _ shape: Shape, in range: ClosedRange<Double> = values
  ) throws(JSONShapeError) -> LottieVector {
    guard case .array = node.value else {
      guard shape == .number else {
        throw node.error("expected a list of 2 numbers, found \(node.value.kind)")
      }
      return LottieVector(x: try node.quantity(in: range), y: 0)
    }
    let elements = try node.elements()
    guard elements.count >= shape.count else {
      throw node.error(
        shape == .number
          ? "expected a number, found an empty list"
          : "expected 2 numbers, found \(elements.count)")
    }
    return LottieVector(
      x: try elements[0].quantity(in: range),
      y: shape == .pair ? try elements[1].quantity(in: range) : 0)
  }
}
