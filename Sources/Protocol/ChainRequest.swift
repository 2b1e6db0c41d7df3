// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

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

  /// `order`; default `sequence`.
  package var order: Order
  /// `delay`: seconds before each part, or before each pass if the parts play together; 0...86,400.
  package var delaySeconds: Double
  /// `repeat`: how often all parts play, 1...1,000,000; nil: `forever`.
  package var passes: Int?
  /// `take`: the most parts that play in all; nil: no limit.
  package var take: Int?

  package init(
    order: Order = .sequence, delaySeconds: Double = 0, passes: Int? = 1, take: Int? = nil
  ) {
    self.order = order
    self.delaySeconds = delaySeconds
    self.passes = passes
    self.take = take
  }
}

extension OutputBuffer {
  /// Appends the fields of a chain.
  mutating func appendFields(of chain: ChainRequest, parts: [PlayRequest]) {
    append(field: "chain")
    append(byte: UInt8(ascii: "["))
    for (index, part) in parts.enumerated() {
      if index > 0 { append(byte: UInt8(ascii: ",")) }
      appendPart(part)
    }
    append(byte: UInt8(ascii: "]"))
    if chain.order != .sequence { append(field: "order", text: chain.order.rawValue) }
    if chain.delaySeconds != 0 {
      append(field: "delay")
      append(jsonNumber: chain.delaySeconds)
    }
    switch chain.passes {
    case nil: append(field: "repeat", text: "forever")
    case 1?: break
    case let passes?: append(field: "repeat", integer: Int64(passes))
    }
    if let take = chain.take { append(field: "take", integer: Int64(take)) }
  }

  /// Appends a part: its id, or an object with a document or a layer.
  mutating func appendPart(_ part: PlayRequest) {
    if case .id(let id) = part.subject, part.layer == nil, part.variables == nil {
      return append(jsonString: id)
    }
    append("{")
    switch part.subject {
    case .id(let id):
      append("\"id\":")
      append(jsonString: id)
    case .document(let text, let id):
      append("\"document\":")
      append(jsonLine: text)
      append(field: "id", text: id)
    case .text(let text, let file): appendFields(ofText: text, file: file)
    case .chain: append("\"id\":null")
    }
    append(field: "layer", text: part.layer)
    if let variables = part.variables {
      append(field: "variables")
      append(jsonLine: variables)
    }
    append("}")
  }
}
