// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Reads the fields of a message.
package struct FieldReader: FieldVisitor {
  private let node: JSONNode
  package let isStrict: Bool
  /// The fields that were visited, of a request.
  private(set) var known: [String] = []

  /// - Parameter isStrict: False for an answer: null is absent, and numbers are only bounded.
  package init(_ node: JSONNode, isStrict: Bool) {
    self.node = node
    self.isStrict = isStrict
  }

  /// Reads a group of fields.
  static func read<Group: FieldGroup>(
    _ node: JSONNode, isStrict: Bool
  ) throws(JSONShapeError) -> Group {
    var group = Group.blank
    var fields = FieldReader(node, isStrict: isStrict)
    try group.visit(&fields)
    return group
  }

  package mutating func field<Value>(
    _ key: String, _ value: inout Value?, _ format: FieldFormat<Value>, _ presence: FieldPresence,
    _ description: String
  ) throws(JSONShapeError) {
    value = nil
    if isStrict {
      if presence == .answerOnly { return }
      known.append(key)
    }
    guard let member = try present(key, presence) else { return }
    if !isStrict, case .null = member.value, presence != .required, !format.takesNull { return }
    value = try format.read(member, isStrict)
  }

  private func present(
    _ key: String, _ presence: FieldPresence
  ) throws(JSONShapeError) -> JSONNode? {
    presence == .required ? try node.required(key) : try node.member(key)
  }

  package mutating func group<Group: FieldGroup>(
    _ group: inout Group?, if key: String
  ) throws(JSONShapeError) {
    group = nil
    guard let member = try node.member(key), member.value != .null else { return }
    var read = Group.blank
    try read.visit(&self)
    group = read
  }

  package mutating func applies(
    _ condition: Bool, when word: (key: String, value: String)?
  ) -> Bool {
    condition
  }

  package func fail(
    at key: String?, _ message: @autoclosure () -> String
  ) throws(JSONShapeError) {
    guard isStrict else { return }
    let place = try key.map { key throws(JSONShapeError) in try node.required(key) }
    throw (place ?? node).error(message())
  }

  package func refuse(_ key: String, _ message: String) throws(JSONShapeError) {
    if let member = try node.member(key) { throw member.error(message) }
  }
}
