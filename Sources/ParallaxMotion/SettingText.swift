/// A setting that cannot be what it says. The message tells what is wrong and what is allowed; who
/// reads the setting (an option, a file, a request) adds where it stood.
package struct SettingError: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

/// Reading numbers of settings as people write them, in the C locale.
package enum SettingText {
  /// A finite decimal number with spaces around it allowed, else nil. Hexadecimal, `inf` and `nan`
  /// are none: nobody means them.
  package static func number(_ text: some StringProtocol) -> Double? {
    let trimmed = text.drop { $0 == " " || $0 == "\t" }
    guard let last = trimmed.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return nil }
    let bare = trimmed[...last]
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

  /// A number for a message, without the `.0` of whole ones.
  package static func text(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
