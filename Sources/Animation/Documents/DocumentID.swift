// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The id of an animation: the file ID.json in a directory, BASE/ID.json on a server. It never
/// contains a path separator.
package struct DocumentID: Equatable, Hashable, Sendable {
  package let text: String

  /// In bytes. With `.json` appended, it is a valid file name.
  package static let lengthLimit = 128

  package init(_ text: String) throws(SettingError) {
    guard (1...Self.lengthLimit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed)
    else {
      throw SettingError(
        "invalid animation id \(QuotedText.of(text)); use 1 to \(Self.lengthLimit) characters of A-Z, "
          + "a-z, 0-9, '.', '_' and '-'")
    }
    self.text = text
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
