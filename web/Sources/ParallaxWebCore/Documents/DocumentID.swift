// SPDX-License-Identifier: Apache-2.0

/// The name of a document, in a folder and in a URL: 1 to 128 ASCII letters, digits, `.`, `_` and
/// `-`, and not only dots. Such a name has no special meaning in a path or a URL.
package struct DocumentID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// The maximum length in bytes.
  package static let lengthLimit = 128

  /// Creates an id; nil if the text is invalid.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...Self.lengthLimit).contains(bytes.count), bytes.allSatisfy(Self.allows),
      bytes.contains(where: { $0 != UInt8(ascii: ".") })
    else { return nil }
    self.text = String(text)
  }

  /// The name of its file, in a folder and under a base URL.
  package var fileName: String { text + ".json" }

  package var description: String { text }

  private static func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// The limits of every document.
package enum DocumentLimits {
  /// The maximum size in bytes: 1 MiB.
  package static let bytes = 1 << 20
  /// The maximum depth of nested arrays and objects. The daemon's own limit is lower.
  package static let depth = 512
}
