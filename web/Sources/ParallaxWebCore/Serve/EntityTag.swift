/// Versions of a document, as HTTP tells them apart (RFC 9110, 8.8.3 and 13.1.2).
package enum EntityTag {
  /// The tag of a text: strong, the same for the same bytes wherever they lie.
  package static func of(_ text: [UInt8]) -> String {
    "\"\(String(text.count, radix: 16))-\(Fingerprint(text))\""
  }

  /// Whether a client that sends If-None-Match has this version: `*`, or a list with the tag in it,
  /// weak or strong.
  package static func matches(_ tag: String, ifNoneMatch: String) -> Bool {
    func opaque(_ text: some StringProtocol) -> String {
      let trimmed = String(text.filter { $0 != " " && $0 != "\t" })
      return trimmed.hasPrefix("W/") ? String(trimmed.dropFirst(2)) : trimmed
    }
    return ifNoneMatch.split(separator: ",").contains { item in
      let item = opaque(item)
      return item == "*" || item == opaque(tag)
    }
  }
}
