// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The variables of a document: `"$strength"` in place of a number, a string or a curve.
///
/// The values come from the request that plays the document, then from its member `variables`. They are
/// inserted before anything else is read, so that a message gives the place where a value is used.
struct DocumentVariables {
  /// The members in which a variable may be used.
  private static let members = ["id", "layer", "stagger", "reduced-motion", "animation"]

  private var values: [String: JSONValue] = [:]
  private var used: Set<String> = []
  /// The sizes of all values that were inserted.
  private var inserted = 0

  /// Returns a document without variables.
  ///
  /// - Parameters:
  ///   - root: The document.
  ///   - given: The values of the request. Each must be declared or used.
  static func resolve(_ root: JSONNode, given: JSONObject) throws(JSONShapeError) -> JSONNode {
    let declared = try root.member("variables")
    guard case .object(let object) = root.value else { return root }
    if declared == nil, given.isEmpty, !object.members.contains(where: { mayUse($0.value) }) {
      return root
    }
    var variables = DocumentVariables()
    if let declared {
      for (name, value) in try declared.members() { try variables.set(name, value) }
    }
    let names = Set(variables.values.keys)
    for (name, value) in try JSONNode(given, under: "variables").members() {
      try variables.set(name, value)
    }
    var resolved = object.members
    for index in resolved.indices where members.contains(resolved[index].key) {
      let node = try root.required(resolved[index].key)
      resolved[index].value = try variables.insert(into: node)
    }
    for (name, value) in try JSONNode(given, under: "variables").members()
    where !names.contains(name) && !variables.used.contains(name) {
      throw value.error(unknown(name, known: names.union(variables.used)))
    }
    return JSONNode(.object(JSONObject(resolved)))
  }

  /// The message for a name that the document does not have.
  static func unknown(_ name: String, known: Set<String>, of kind: String = "variable") -> String {
    let known = known.sorted()
    if known.isEmpty { return "the document has no \(kind)s" }
    let guess = NearestName.of(name, among: known).map { "; did you mean \(QuotedText.of($0))?" }
    return "unknown \(kind)\(guess ?? ";") the document has \(shortList(known.map(QuotedText.of)))"
  }

  private mutating func set(_ name: String, _ value: JSONNode) throws(JSONShapeError) {
    guard Self.isName(name[...]) else {
      throw value.error("invalid variable name; use 1 to 64 letters, digits, '_' and '-'")
    }
    try value.checkVariable()
    values[name] = value.value
    guard values.count <= DocumentLimits.variables else {
      throw value.error("too many variables; the limit is \(DocumentLimits.variables)")
    }
  }

  // MARK: - Places of use

  /// Returns whether a value contains a string that begins with `$`.
  private static func mayUse(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text.utf8.first == UInt8(ascii: "$")
    case .array(let elements): elements.contains(where: mayUse)
    case .object(let object): object.members.contains { mayUse($0.value) }
    case .null, .bool, .integer, .double, .decimal: false
    }
  }

  private mutating func insert(into node: JSONNode) throws(JSONShapeError) -> JSONValue {
    // A part without variables is not copied.
    guard Self.mayUse(node.value) else { return node.value }
    switch node.value {
    case .string(let text): return try value(of: text, node)
    case .array:
      var elements: [JSONValue] = []
      for element in try node.elements() { elements.append(try insert(into: element)) }
      return .array(elements)
    case .object:
      var members: [JSONObject.Member] = []
      for (key, member) in try node.members() {
        members.append(JSONObject.Member(key: key, value: try insert(into: member)))
      }
      return .object(JSONObject(members))
    case .null, .bool, .integer, .double, .decimal: return node.value
    }
  }

  private mutating func value(
    of text: String, _ node: JSONNode
  ) throws(JSONShapeError) -> JSONValue {
    let name = text.dropFirst()
    guard let value = values[String(name)] else {
      // It may be the name of a layer.
      if node.path.hasPrefix("$.layer") || node.path.hasPrefix("$.stagger") { return .string(text) }
      guard Self.isName(name) else {
        throw node.error(
          "expected the name of a variable after '$', got \(QuotedText.of(text)); use letters, "
            + "digits, '_' and '-'")
      }
      let known = values.keys.sorted()
      let guess = NearestName.of(String(name), among: known).map {
        "did you mean \(QuotedText.of("$" + $0))?"
      }
      throw node.error(
        "the variable \(QuotedText.of(String(name))) has no value; "
          + (guess ?? "give it one, or a default in \"variables\""))
    }
    used.insert(String(name))
    inserted += value.size
    guard inserted <= DocumentLimits.insertedSize else {
      throw node.error("the values of the variables are too long for the number of their uses")
    }
    return value
  }

  private static func isName(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension JSONNode {
  init(_ object: JSONObject, under key: String) throws(JSONShapeError) {
    self = try JSONNode(.object(JSONObject([.init(key: key, value: .object(object))])))
      .required(key)
  }

  /// Throws for a value that a variable may not have.
  func checkVariable() throws(JSONShapeError) {
    switch value {
    case .integer, .double, .decimal: break
    case .object: try checkKeys(CurveReader.kinds)
    case .string(let text):
      guard text.utf8.count <= DocumentLimits.variableBytes else {
        throw error("too long; the limit is \(DocumentLimits.variableBytes) bytes")
      }
    case .array(let elements):
      let areNumbers = elements.allSatisfy { element in
        switch element {
        case .integer, .double, .decimal: true
        default: false
        }
      }
      guard areNumbers, (1...4).contains(elements.count) else {
        throw error("expected 1 to 4 numbers in a list")
      }
    case .null, .bool:
      throw error("expected a number, a string, a list of numbers or a curve, got \(value.kind)")
    }
  }
}

extension JSONValue {
  /// What a copy costs a reader: its values, and a value for every 16 bytes of text.
  fileprivate var size: Int {
    switch self {
    case .null, .bool, .integer, .double, .decimal: 1
    case .string(let text): 1 + text.utf8.count / 16
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.size }
    }
  }
}
