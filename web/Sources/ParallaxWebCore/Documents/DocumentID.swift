/// What a document is called, in a folder and in a URL alike: 1 to 128 ASCII letters, digits, `.`, `_`
/// and `-`, and not dots alone. Such a name has nothing in it that a path or a URL would read
/// otherwise.
package struct DocumentID: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Bytes of the longest.
  package static let lengthLimit = 128

  /// - Returns: nil where the text is no id.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...Self.lengthLimit).contains(bytes.count), bytes.allSatisfy(Self.allows),
      bytes.contains(where: { $0 != UInt8(ascii: ".") })
    else { return nil }
    self.text = String(text)
  }

  /// Its file, in a folder and below a base URL.
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

/// What every document keeps to.
package enum DocumentLimits {
  /// Bytes of the largest: 1 MiB.
  package static let bytes = 1 << 20
  /// Arrays and objects inside one another. The daemon is stricter; this bounds what is kept.
  package static let depth = 512
}
