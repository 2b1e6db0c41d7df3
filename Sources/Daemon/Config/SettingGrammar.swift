// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Parsers of values that only the configuration has.
enum SettingGrammar {
  static func onOff(_ text: String) throws(SettingError) -> Bool {
    switch text {
    case "on": true
    case "off": false
    default: throw SettingError("unknown value '\(text)'; use \"auto\", \"on\" or \"off\"")
    }
  }

  /// Parses a name, such as that of a device: any text without control characters.
  static func plainText(_ text: String) throws(SettingError) -> String {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw SettingError("'\(text)' contains control characters; remove them")
    }
    return text
  }

  static func path(_ text: String) throws(SettingError) -> String {
    let path = try plainText(text)
    guard !path.hasPrefix("~") else {
      throw SettingError("'\(path)': ~ is not expanded here; write the full path")
    }
    return path
  }

  static func uri(_ text: String) throws(SettingError) -> String {
    let text = try plainText(text)
    let scheme = text.prefix { $0 != ":" }
    guard scheme.count < text.count, !scheme.isEmpty, scheme.allSatisfy(\.isASCIILetter) else {
      throw SettingError("invalid libiio URI '\(text)'; use local:, xml:FILE, ip:HOST or similar")
    }
    return text
  }

  static func webAddress(_ text: String) throws(SettingError) -> String {
    let text = try plainText(text)
    let host = ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
    guard let host, let first = host.first, first != "/", !text.contains(" ") else {
      throw SettingError("invalid web address '\(text)'; use https://HOST/PATH or http://HOST/PATH")
    }
    return text
  }

  /// Parses an animation document's id, which is both a file name and a part of a URL.
  static func identifier(_ text: String) throws(SettingError) -> String {
    guard text.utf8.count <= 128, text.allSatisfy({ $0.isNameCharacter }),
      text.contains(where: { $0 != "." })
    else {
      throw SettingError(
        "invalid document id '\(text)'; use up to 128 letters, digits, \".\", \"_\" and \"-\"")
    }
    return text
  }

  /// Parses a user's or group's name or number. Whether it exists, only the running system knows.
  static func account(_ text: String) throws(SettingError) -> String {
    let trimmed = text.trimmingSpaces()
    let isNumber = trimmed.allSatisfy(\.isASCIIDigit)
    guard let first = trimmed.first, first != "-", trimmed.utf8.count <= 64,
      trimmed.allSatisfy({ $0.isNameCharacter || $0 == "$" || $0 == "@" || $0 == "\\" }),
      !isNumber || UInt32(trimmed) != nil
    else {
      throw SettingError(
        "invalid user or group '\(text)'; use a name or number, as in alice or 1001")
    }
    return trimmed
  }

  /// Parses the name of a seat, as systemd-logind's `seat_name_is_valid` does.
  static func seat(_ text: String) throws(SettingError) -> String {
    guard text.hasPrefix("seat"), (5...255).contains(text.utf8.count),
      text.allSatisfy({ $0.isNameCharacter && $0 != "." })
    else {
      throw SettingError("invalid seat '\(text)'; use the name of a seat, as in seat0")
    }
    return text
  }

  /// Parses accounts separated by commas; an empty text has none.
  static func accounts(_ text: String) throws(SettingError) -> [String] {
    var accounts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      accounts.append(try account(String(part)))
    }
    return accounts
  }
}

extension String {
  /// Returns the text without the spaces around it.
  func trimmingSpaces() -> String {
    guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " })
    else { return "" }
    return String(self[first...last])
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
  fileprivate var isNameCharacter: Bool {
    isASCIILetter || isASCIIDigit || self == "." || self == "_" || self == "-"
  }
}
