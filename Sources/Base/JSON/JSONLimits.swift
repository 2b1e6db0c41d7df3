// SPDX-License-Identifier: Apache-2.0

/// Limits for a JSON text. All three are checked before any value is built.
package struct JSONLimits: Equatable, Sendable {
  /// The length of the text, in bytes.
  package var bytes: Int
  /// The levels of nested arrays and objects; `[[1]]` has 2.
  package var depth: Int
  /// The number of values, including arrays and objects. It is counted from commas and brackets, so
  /// a text with syntax errors may exceed it.
  package var values: Int

  package init(bytes: Int, depth: Int, values: Int) {
    self.bytes = bytes
    self.depth = depth
    self.values = values
  }

  /// One line from a subscriber.
  package static let streamLine = JSONLimits(bytes: 4096, depth: 8, values: 512)
  /// One request on the control socket.
  package static let controlLine = JSONLimits(bytes: 64 << 10, depth: 16, values: 8192)
  /// An animation document, or the request that contains one. 64 nested animations take two levels
  /// each, the content of the innermost a few more.
  package static let document = JSONLimits(bytes: 1_153_434, depth: 140, values: 300_000)
}
