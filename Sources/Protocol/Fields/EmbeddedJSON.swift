// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// JSON in a request that the protocol does not interpret, such as a document. It is a value rather than a text, so
/// that nothing in it becomes a field of the request.
extension FieldFormat<JSONValue> {
  /// - Parameter rules: The schema; null is a value, too, which its reader refuses.
  static func json(rules: JSONObject) -> Self {
    FieldFormat(
      .rules(rules), read: { (node, _) throws(JSONShapeError) in node.value },
      write: { $1.append(json: $0) })
  }

  /// A document.
  static let document = json(rules: ["type": "object"])

  /// The values of a document's variables.
  static let variables = FieldFormat(
    .rules([
      "type": "object", "maxProperties": 64,
      "additionalProperties": ["$ref": "animation.json#/$defs/value"],
    ]),
    read: { (node, _) throws(JSONShapeError) in
      guard case .object = node.value else {
        throw node.error("expected an object, got \(node.value.kind)")
      }
      return node.value
    },
    write: { $1.append(json: $0) })
}
