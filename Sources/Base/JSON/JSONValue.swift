// SPDX-License-Identifier: Apache-2.0

/// A parsed JSON value.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without a fraction or exponent.
  case integer(Int64)
  /// Any other number; always finite.
  case double(Double)
  /// Any number but an `integer`, as it is written: in a text that was parsed with `keepsDecimals`.
  case decimal(String)
  /// Valid UTF-8 without NUL.
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The type, for messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .double, .decimal: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The members of an object in the order of the text. Keys are unique.
package struct JSONObject: Equatable, Sendable {
  package struct Member: Equatable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package private(set) var members: [Member]

  /// - Precondition: The keys are unique.
  package init(_ members: [Member]) {
    self.members = members
  }

  /// Returns the value of a key by linear search: messages have few members.
  package subscript(key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }

  /// Returns the object with one more member.
  package func adding(_ key: String, _ value: JSONValue) -> JSONObject {
    JSONObject(members + [Member(key: key, value: value)])
  }

  package var isEmpty: Bool { members.isEmpty }
  package var count: Int { members.count }
}
