// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// JSON in a request that the protocol does not interpret, such as a document.
package enum EmbeddedJSON: Equatable, Sendable {
  /// As it is sent: unchanged, except for its line ends.
  case text([UInt8])
  /// As it was read.
  case value(JSONValue)

  package init(_ text: String) { self = .text(Array(text.utf8)) }

  /// What was read.
  package var value: JSONValue {
    switch self {
    case .value(let value): value
    case .text: .null
    }
  }
}

extension FieldFormat<EmbeddedJSON> {
  /// - Parameter rules: The schema; null is a value, too, which its reader refuses.
  static func json(rules: JSONObject) -> Self {
    FieldFormat(
      .rules(rules), read: { (node, _) throws(JSONShapeError) in .value(node.value) },
      write: { $1.append($0) })
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
      return .value(node.value)
    },
    write: { $1.append($0) })
}

extension OutputBuffer {
  /// Appends JSON on one line.
  mutating func append(_ json: EmbeddedJSON) {
    switch json {
    case .value(let value): append(json: value)
    case .text(let text):
      reserve(text.count)
      for byte in text {
        // JSON allows line ends only between values, where a space has the same meaning.
        let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        append(byte: isLineEnd ? UInt8(ascii: " ") : byte)
      }
    }
  }
}
