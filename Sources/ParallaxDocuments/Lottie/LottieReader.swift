import ParallaxJSON

/// Reads properties and keyframes, and counts what it has read.
struct LottieReader {
  /// Layers and keyframes of one file.
  static let maximumNodes = 10_000
  /// Of every number: what is computed from them stays finite.
  static let numbers = -1e9...1e9

  private var nodes = 0

  /// Counts a layer or a keyframe.
  mutating func count(_ node: JSONNode) throws(JSONShapeError) {
    nodes += 1
    guard nodes <= Self.maximumNodes else {
      throw node.error("more than \(Self.maximumNodes) layers and keyframes, which is not allowed")
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

  static func number(_ node: JSONNode) throws(JSONShapeError) -> Double {
    try node.number(in: numbers)
  }

  /// A number may stand alone or in a list; a third dimension is not read.
  static func vector(_ node: JSONNode, _ shape: Shape) throws(JSONShapeError) -> LottieVector {
    guard case .array = node.value else {
      guard shape == .number else { throw node.error("expected a list of 2 numbers") }
      return LottieVector(x: try number(node), y: 0)
    }
    let elements = try node.elements()
    guard elements.count >= shape.count else {
      throw node.error(
        shape == .number
          ? "expected a number, found an empty list"
          : "expected 2 numbers, found \(elements.count)")
    }
    return LottieVector(
      x: try number(elements[0]), y: shape == .pair ? try number(elements[1]) : 0)
  }
}
