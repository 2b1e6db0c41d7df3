// SPDX-License-Identifier: Apache-2.0

// JSON as it is written in Swift, and as text.

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(key: $0, value: $1) })
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral
{
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0, value: $1) }))
  }

  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  package init(stringLiteral text: String) { self = .string(text) }

  package init(integerLiteral number: Int64) { self = .integer(number) }

  /// Returns a number, without a fraction if it is whole.
  package static func number(_ value: Double) -> JSONValue {
    Int64(exactly: value).map { .integer($0) } ?? .double(value)
  }

  /// The value as JSON text, without line ends.
  package var text: String {
    var buffer = OutputBuffer()
    buffer.append(json: self)
    return buffer.text
  }
}

extension JSONObject {
  /// Adds a member; nothing for nil.
  package mutating func add(_ key: String, _ value: JSONValue?) {
    if let value { self = adding(key, value) }
  }

  /// Adds a text; nothing for nil.
  package mutating func add(_ key: String, text: String?) { add(key, text.map { .string($0) }) }
}
