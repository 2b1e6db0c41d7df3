/// A document as it is kept: always one JSON object of at most 1 MiB, whatever a server sent.
package struct CachedDocument: Equatable, Sendable {
  package let text: [UInt8]
  /// The server's name for this version; nil: it gave none.
  package let entityTag: String?
  /// When the server last said that this is the newest, seconds since 1970.
  package var checkedSeconds: Int64

  /// - Throws: what is wrong with the text.
  package init(
    text: [UInt8], entityTag: String?, checkedSeconds: Int64
  ) throws(JSONObjectCheck.Problem) {
    try JSONObjectCheck.check(text)
    self.text = text
    self.entityTag = entityTag
    self.checkedSeconds = checkedSeconds
  }
}
