// SPDX-License-Identifier: Apache-2.0

/// A document in the cache: one valid JSON object of at most 1 MiB.
package struct CachedDocument: Equatable, Sendable {
  package let text: [UInt8]
  /// The server's entity tag of this version; nil if it sent none.
  package let entityTag: String?
  /// When the server last confirmed this version as current, in seconds since 1970.
  package var checkedSeconds: Int64

  /// - Throws: the first error in the text.
  package init(
    text: [UInt8], entityTag: String?, checkedSeconds: Int64
  ) throws(JSONObjectCheck.SyntaxError) {
    try JSONObjectCheck.check(text)
    self.text = text
    self.entityTag = entityTag
    self.checkedSeconds = checkedSeconds
  }
}
