// SPDX-License-Identifier: Apache-2.0

/// Text from a file, a device, a bus or a client, made safe for a terminal or a log.
package enum PrintableText {
  /// Returns whether a terminal or a log would act on the character instead of showing it: C0 and C1
  /// controls, DEL, and Unicode's line and paragraph separators.
  @inlinable
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// Returns the text with each control character replaced.
  package static func line(_ text: String, replacement: Unicode.Scalar = " ") -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(isControl(scalar) ? replacement : scalar) }
    return String(line)
  }

  /// Returns the text, cut at a character and ended by `...` if it has more than `limit` bytes of UTF-8.
  package static func cut(_ text: String, toBytes limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let mark = "..."
    var end = text.utf8.index(text.startIndex, offsetBy: max(0, limit - mark.utf8.count))
    while end.samePosition(in: text.unicodeScalars) == nil { text.utf8.formIndex(before: &end) }
    return text[..<end] + mark
  }

  /// Returns the text with each control and format character escaped as in Swift source: `\u{1b}`.
  ///
  /// For error messages, in which such a character is often what is wrong.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isInvisible) else { return text }
    var line = ""
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) {
        line += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// Appends JSON text with each control character escaped, as `\u009b`: the same value, safe for a
  /// terminal. White space between tokens becomes a space.
  package static func append(json text: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    guard text.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else {
      buffer.append(contentsOf: text)
      return
    }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\t", "\r", "\n": buffer.append(UInt8(ascii: " "))
      case _ where isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        buffer.append(contentsOf: "\\u\(zeros)\(digits)".utf8)
      default: buffer.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// Returns whether the character is a control or format character or a line separator.
  package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
