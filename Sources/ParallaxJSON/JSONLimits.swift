/// How much a text may ask for. All three are checked before anything is built.
package struct JSONLimits: Equatable, Sendable {
  /// Bytes of text.
  package var bytes: Int
  /// Arrays and objects inside one another; `[[1]]` has 2.
  package var depth: Int
  /// Values of all kinds, containers included. Counted from the commas and brackets, so a text with
  /// syntax errors may be refused for it.
  package var values: Int

  package init(bytes: Int, depth: Int, values: Int) {
    self.bytes = bytes
    self.depth = depth
    self.values = values
  }

  /// One line from a subscriber (contract: over 4 KiB is refused).
  package static let streamLine = JSONLimits(bytes: 4096, depth: 8, values: 512)
  /// One request on the control socket.
  package static let controlLine = JSONLimits(bytes: 64 << 10, depth: 16, values: 8192)
  /// An animation document, or the request that carries one: 64 animations inside one another take two
  /// levels each, and what stands in the innermost a few more.
  package static let document = JSONLimits(bytes: 1_153_434, depth: 140, values: 300_000)
}
