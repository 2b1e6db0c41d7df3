// SPDX-License-Identifier: Apache-2.0

/// A value and its path, so that an error can name its place. Unknown keys are not errors.
package struct JSONNode: Sendable {
  package let value: JSONValue
  private let location: Location

  /// Links rather than text: a path is written only for an error.
  private indirect enum Location: Sendable {
    case root
    case member(Location, String)
    case element(Location, Int)
  }

  private init(_ value: JSONValue, _ location: Location) {
    self.value = value
    self.location = location
  }

  /// The outermost value, `$`.
  package init(_ value: JSONValue) {
    self.init(value, .root)
  }

  /// The path from the root: `$.layers.bg`, `$.keyframes[3]["odd key"]`.
  package var path: String {
    func text(_ location: Location) -> String {
      switch location {
      case .root: "$"
      case .element(let parent, let index): "\(text(parent))[\(index)]"
      case .member(let parent, let key):
        Self.isPlain(key) ? "\(text(parent)).\(key)" : "\(text(parent))[\(QuotedText.of(key))]"
      }
    }
    return text(location)
  }

  /// Returns an error about this value for a check by the caller, such as `must be above 0`.
  /// Control characters, which a quotation of the text may contain, become spaces.
  package func error(_ message: String) -> JSONShapeError {
    JSONShapeError(path: path, message: PrintableText.line(message))
  }

  private func expected(_ what: String) -> JSONShapeError {
    error("expected \(what), got \(value.kind)")
  }

  // MARK: - Objects and arrays

  /// Returns the member with a key; nil if there is none.
  ///
  /// - Throws: If this is not an object.
  package func member(_ key: String) throws(JSONShapeError) -> JSONNode? {
    guard case .object(let object) = value else { throw expected("an object") }
    return object[key].map { JSONNode($0, .member(location, key)) }
  }

  /// Returns the member with a key.
  ///
  /// - Throws: If this is not an object or has no such key.
  package func required(_ key: String) throws(JSONShapeError) -> JSONNode {
    guard let node = try member(key) else { throw error("\(QuotedText.of(key)) is missing") }
    return node
  }

  /// Returns the members of an object in the order of the text.
  package func members() throws(JSONShapeError) -> [(key: String, node: JSONNode)] {
    guard case .object(let object) = value else { throw expected("an object") }
    return object.members.map { ($0.key, JSONNode($0.value, .member(location, $0.key))) }
  }

  /// Returns the elements of an array.
  package func elements() throws(JSONShapeError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw expected("an array") }
    return elements.enumerated().map { JSONNode($0.element, .element(location, $0.offset)) }
  }

  // MARK: - Values

  package func string() throws(JSONShapeError) -> String {
    guard case .string(let text) = value else { throw expected("a string") }
    return text
  }

  package func bool() throws(JSONShapeError) -> Bool {
    guard case .bool(let flag) = value else { throw expected("true or false") }
    return flag
  }

  /// Returns any number. An integer beyond 2^53 is rounded.
  package func number() throws(JSONShapeError) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    case .decimal(let digits): return JSONNumbers.double(digits)
    default: throw expected("a number")
    }
  }

  /// Returns seconds as nanoseconds, rounded half away from zero.
  ///
  /// All arithmetic is decimal: after 97 days of uptime, a Double of seconds no longer resolves
  /// nanoseconds.
  package func nanoseconds() throws(JSONShapeError) -> Int64 {
    let digits: String
    switch value {
    case .integer(let seconds): digits = "\(seconds)"
    case .decimal(let text): digits = text
    default: throw expected("a number")
    }
    guard let nanoseconds = JSONNumbers.scaled(digits, decimals: 9) else {
      throw error("\(digits) s is out of range")
    }
    return nanoseconds
  }

  /// Returns a whole number of any width; nil if it is out of range.
  package func wholeNumber<Number: FixedWidthInteger>() throws(JSONShapeError) -> Number? {
    if case .decimal(let digits) = value, let number = Number(digits) { return number }
    return Number(exactly: try integer())
  }

  /// Returns a whole number; `2.0` is one too.
  package func integer() throws(JSONShapeError) -> Int64 {
    switch value {
    case .integer(let number): return number
    case .double, .decimal:
      guard let whole = Int64(exactly: try number()) else { throw error("expected a whole number") }
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

  /// Returns one of the strings of an enumeration.
  package func choice<Choice>(
    _ type: Choice.Type = Choice.self
  ) throws(JSONShapeError) -> Choice
  where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
    guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
      let allowed = QuotedText.list(Choice.allCases.map(\.rawValue))
      throw error("expected one of \(allowed)")
    }
    return choice
  }

  // MARK: - Text

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
