// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A PLAY with `chain`: documents that play one after the other, or together.
///
///     {"class":"PLAY","as":"tour","chain":["nudge",{"id":"sway","layer":"card"}],"repeat":3}
package struct ChainRequest: Equatable, Sendable {
  package enum Order: String, CaseIterable, Equatable, Sendable {
    /// One after the other.
    case sequence
    /// All at once.
    case parallel
  }

  package var order: Order
  package var delaySeconds: Double
  package var passes: Int?
  package var take: Int?

  /// The most parts of a chain.
  package static let maxParts = 256
  /// The most passes, and the most parts of `take`.
  static let maxCount: Int64 = 1_000_000

  package init(
    order: Order = .sequence, delaySeconds: Double = 0, passes: Int? = 1, take: Int? = nil
  ) {
    self.order = order
    self.delaySeconds = delaySeconds
    self.passes = passes
    self.take = take
  }
}

extension ChainRequest: FieldGroup {
  package static let blank = ChainRequest()

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.optional(
      "order", &order, default: .sequence, .word,
      "How the parts of a chain follow each other. Default `sequence`.")
    try fields.optional(
      "delay", &delaySeconds, default: 0,
      .number(in: 0...86_400, limits: "0 to 86400 seconds"),
      "Seconds before each part of a chain, or before each pass if the parts play together. "
        + "Default 0."
    )
    var count: Passes? = passes == 1 ? nil : Passes(count: passes)
    try fields.optional(
      "repeat", &count, .passes, "How often all parts of a chain play. Default 1.")
    passes = count.map(\.count) ?? 1
    try fields.optional(
      "take", &take, .take, "The most parts of a chain that play in all; a number of them.")
  }
}

/// How often a chain plays.
private struct Passes: Sendable {
  /// nil: forever.
  var count: Int?
}

extension FieldFormat<Int> {
  fileprivate static let take = FieldFormat(
    .rules(rules), read: { (node, _) throws(JSONShapeError) in try count(node) },
    write: { $1.append(integer: Int64($0)) })

  fileprivate static let rules: JSONObject = [
    "type": "integer", "minimum": 1, "maximum": .integer(ChainRequest.maxCount),
  ]

  fileprivate static func count(_ node: JSONNode) throws(JSONShapeError) -> Int {
    Int(try node.integer(in: 1...ChainRequest.maxCount))
  }
}

extension FieldFormat<Passes> {
  fileprivate static let passes = FieldFormat(
    .rules(["oneOf": [.object(FieldFormat<Int>.rules), ["const": "forever"]]]),
    read: { (node, _) throws(JSONShapeError) in
      if case .string("forever") = node.value { return Passes(count: nil) }
      return Passes(count: try FieldFormat<Int>.count(node))
    },
    write: { passes, buffer in
      if let count = passes.count {
        buffer.append(integer: Int64(count))
      } else {
        buffer.append(jsonString: "forever")
      }
    })
}
