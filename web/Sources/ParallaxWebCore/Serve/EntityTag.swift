// SPDX-License-Identifier: Apache-2.0

/// Entity tags, which identify versions of a document (RFC 9110, 8.8.3 and 13.1.2).
package enum EntityTag {
  /// Returns the strong tag of a text, which depends only on its bytes.
  package static func of(_ text: [UInt8]) -> String {
    "\"\(String(text.count, radix: 16))-\(Fingerprint(text))\""
  }

  /// Returns whether an If-None-Match field names this version: `*`, or a list that contains the
  /// tag, weak or strong.
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
