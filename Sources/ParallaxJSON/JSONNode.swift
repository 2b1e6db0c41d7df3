/// A value and the way to it, so that what is wrong with it can be told with its place. Keys that a
/// reader does not ask for are nobody's error.
package struct JSONNode: Sendable {
  package let value: JSONValue
  private let way: Way

  /// Links rather than text: a path is written only for an error.
  private indirect enum Way: Sendable {
    case root
    case member(Way, String)
    case element(Way, Int)
  }

  private init(_ value: JSONValue, _ way: Way) {
    self.value = value
    self.way = way
  }

  /// The outermost value, `$`.
  package init(_ value: JSONValue) {
    self.init(value, .root)
  }

  /// As `$.layers.bg` or `$.keyframes[3]["odd key"]`.
  package var path: String {
    func text(_ way: Way) -> String {
      switch way {
      case .root: "$"
      case .element(let parent, let index): "\(text(parent))[\(index)]"
      case .member(let parent, let key):
        Self.isPlain(key) ? "\(text(parent)).\(key)" : "\(text(parent))[\(quoted(key))]"
      }
    }
    return text(way)
  }

  /// An error about this value, for what a reader checks itself: `must be above 0`. Messages may quote
  /// the text, which may hold anything: control characters become spaces.
  package func error(_ message: String) -> JSONShapeError {
    var clean = String.UnicodeScalarView()
    for scalar in message.unicodeScalars { clean.append(isControl(scalar) ? " " : scalar) }
    return JSONShapeError(path: path, message: String(clean))
  }

  private func expected(_ what: String) -> JSONShapeError {
    error("expected \(what), found \(value.kind)")
  }

  // -- Objects and arrays

  /// The member's node; nil where there is no such key.
  /// - Throws: where this is not an object.
  package func member(_ key: String) throws(JSONShapeError) -> JSONNode? {
    guard case .object(let object) = value else { throw expected("an object") }
    return object[key].map { JSONNode($0, .member(way, key)) }
  }

  /// - Throws: where this is not an object or has no such key.
  package func required(_ key: String) throws(JSONShapeError) -> JSONNode {
    guard let node = try member(key) else { throw error("\(quoted(key)) is missing") }
    return node
  }

  /// An object's members in the order of the text.
  package func members() throws(JSONShapeError) -> [(key: String, node: JSONNode)] {
    guard case .object(let object) = value else { throw expected("an object") }
    return object.members.map { ($0.key, JSONNode($0.value, .member(way, $0.key))) }
  }

  /// An array's elements.
  package func elements() throws(JSONShapeError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw expected("an array") }
    return elements.enumerated().map { JSONNode($0.element, .element(way, $0.offset)) }
  }

  // -- Values

  package func string() throws(JSONShapeError) -> String {
    guard case .string(let text) = value else { throw expected("a string") }
    return text
  }

  package func bool() throws(JSONShapeError) -> Bool {
    guard case .bool(let flag) = value else { throw expected("true or false") }
    return flag
  }

  /// Any number; an integer beyond 2^53 is rounded.
  package func number() throws(JSONShapeError) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    default: throw expected("a number")
    }
  }

  package func number(in range: ClosedRange<Double>) throws(JSONShapeError) -> Double {
    let number = try number()
    guard range.contains(number) else {
      throw error("expected a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A whole number; `2.0` is one too.
  package func integer() throws(JSONShapeError) -> Int64 {
    switch value {
    case .integer(let number): return number
    case .double(let number):
      guard let whole = Int64(exactly: number) else { throw error("expected a whole number") }
      return whole
    default: throw expected("a whole number")
    }
  }

  package func integer(in range: ClosedRange<Int64>) throws(JSONShapeError) -> Int64 {
    let number = try integer()
    guard range.contains(number) else {
      throw error("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of an enumeration's strings.
  package func choice<Choice>(
    _ type: Choice.Type = Choice.self
  ) throws(JSONShapeError) -> Choice
  where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
    guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
      let allowed = Choice.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
      throw error("expected one of \(allowed)")
    }
    return choice
  }

  // -- Text

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// A key for a person to read, on one line and not too long.
private func quoted(_ key: String) -> String {
  var text = ""
  for scalar in key.unicodeScalars.prefix(40) {
    if scalar == "\"" || scalar == "\\" { text += "\\" }
    text.unicodeScalars.append(isControl(scalar) ? " " : scalar)
  }
  return key.unicodeScalars.count > 40 ? "\"\(text)...\"" : "\"\(text)\""
}

/// C0, DEL and C1: what a terminal might obey.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
}
