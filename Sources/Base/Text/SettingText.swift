// SPDX-License-Identifier: Apache-2.0

/// An invalid value of a setting.
///
/// The message says what is wrong and what is allowed. The reader of the setting (an option, a file, a
/// request) adds the place.
package struct SettingError: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

/// Values of settings as text, in the C locale.
package enum SettingText {
  /// Returns the finite decimal number in `text`, with or without spaces around it; nil for anything
  /// else, hexadecimal, `inf` and `nan` included.
  package static func number(_ text: some StringProtocol) -> Double? {
    let bare = trimmed(text)
    guard
      bare.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
          UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
          true
        default: false
        }
      }), let value = Double(String(bare)), value.isFinite
    else { return nil }
    return value
  }

  /// Returns the number of a text such as `60Hz`, `0.5 s` or `20%`, as written; nil for anything else.
  package static func numberBeforeUnit(_ text: String) -> String? {
    let bare = trimmed(text)
    let digits = bare.prefix { "+-.0123456789".contains($0) }
    let unit = trimmed(bare.dropFirst(digits.count))
    guard !unit.isEmpty, unit.count <= 8, number(digits) != nil,
      unit.allSatisfy({ $0.isLetter || "%/\u{B0}".contains($0) })
    else { return nil }
    return String(digits)
  }

  /// Returns the text without the spaces and tabs around it.
  package static func trimmed<Text: StringProtocol>(_ text: Text) -> Text.SubSequence {
    let head = text.drop { $0 == " " || $0 == "\t" }
    guard let last = head.lastIndex(where: { $0 != " " && $0 != "\t" }) else {
      return text[text.endIndex...]
    }
    return head[...last]
  }

  /// Returns the shortest decimal that reads back as the same number: `30`, `0.25`, `1e-05`. Whole
  /// numbers have no `.0`, zero has no sign.
  package static func text(_ value: Double) -> String {
    if value == 0 { return "0" }
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns words as a choice in a sentence: `a, b or c`.
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
