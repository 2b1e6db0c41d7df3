// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// What goes through the fields of a message: `OutputBuffer` writes them, `FieldReader` reads them, and a test
/// records them as JSON Schema.
package protocol FieldVisitor: ~Copyable {
  /// Whether this reads a request, whose errors the sender sees. An answer is read with tolerance: a later
  /// daemon may have sent it.
  var isStrict: Bool { get }

  /// Visits a field; nil is absent.
  mutating func field<Value>(
    _ key: String, _ value: inout Value?, _ format: FieldFormat<Value>, _ presence: FieldPresence,
    _ description: String
  ) throws(JSONShapeError)

  /// Visits fields that are present together.
  ///
  /// - Parameter key: The first of them, which shows whether there are any.
  mutating func group<Group: FieldGroup>(_ group: inout Group?, if key: String)
    throws(JSONShapeError)

  /// Returns whether fields that depend on others apply.
  ///
  /// - Parameter word: The key and the value on which they depend, for the schema.
  mutating func applies(_ condition: Bool, when word: (key: String, value: String)?) -> Bool

  /// Fails while reading a request.
  ///
  /// - Parameter key: The field that is wrong; nil: the object.
  func fail(at key: String?, _ message: @autoclosure () -> String) throws(JSONShapeError)

  /// Fails while reading a request that has a field which it must not have.
  func refuse(_ key: String, _ message: String) throws(JSONShapeError)
}

/// The fields of a message while they are visited.
package typealias Fields = FieldVisitor & ~Copyable

/// When a field is on a line.
package enum FieldPresence: Sendable {
  case required
  case optional
  /// Optional in a request, and always in its answer.
  case answered
  /// Only in answers, and optional there.
  case answerOnly
  /// Always written. Earlier daemons do not have it.
  case expected
}

/// Fields of a message, or of an object in one.
package protocol FieldGroup: Sendable {
  /// The value that a reader fills.
  static var blank: Self { get }
  /// What the schema says besides the fields.
  static var rules: JSONObject { get }
  /// Visits the fields in the order in which they are written.
  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError)
}

extension FieldGroup {
  package static var rules: JSONObject { [:] }
}

/// The body of a line, whose first field is its class.
package protocol ProtocolMessage: FieldGroup {
  static var className: String { get }
  /// A sentence about it, for the schema.
  static var description: String { get }
  /// Whether the tag of a request is on it; nil: never.
  static var tagPresence: FieldPresence? { get }
}

extension ProtocolMessage {
  package static var tagPresence: FieldPresence? { .optional }
}

extension FieldVisitor where Self: ~Copyable {
  mutating func required<Value>(
    _ key: String, _ value: inout Value, _ format: FieldFormat<Value>, _ description: String,
    _ presence: FieldPresence = .required
  ) throws(JSONShapeError) {
    var visited: Value? = value
    try field(key, &visited, format, presence, description)
    if let visited { value = visited }
  }

  mutating func optional<Value>(
    _ key: String, _ value: inout Value?, _ format: FieldFormat<Value>, _ description: String
  ) throws(JSONShapeError) {
    try field(key, &value, format, .optional, description)
  }

  /// Visits a field that is absent if it has its default.
  mutating func optional<Value: Equatable>(
    _ key: String, _ value: inout Value, default standard: Value, _ format: FieldFormat<Value>,
    _ description: String, _ presence: FieldPresence = .optional
  ) throws(JSONShapeError) {
    var visited: Value? = value == standard ? nil : value
    try field(key, &visited, format, presence, description)
    value = visited ?? standard
  }

  mutating func applies(_ condition: Bool) -> Bool { applies(condition, when: nil) }
}
