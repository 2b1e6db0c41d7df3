import ParallaxMotion

/// The small grammars that only configuration has.
enum SettingGrammar {
  static func onOff(_ text: String) throws(SettingError) -> Bool {
    switch text {
    case "on": true
    case "off": false
    default: throw SettingError("'\(text)' is not known; use \"auto\", \"on\" or \"off\"")
    }
  }

  /// Names of devices and the like: anything a person could read.
  static func plainText(_ text: String) throws(SettingError) -> String {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw SettingError("'\(text)' has control characters; take them out")
    }
    return text
  }

  static func path(_ text: String) throws(SettingError) -> String {
    let path = try plainText(text)
    guard !path.hasPrefix("~") else {
      throw SettingError("'\(path)': no shell stands here to know ~; write the whole path")
    }
    return path
  }

  static func uri(_ text: String) throws(SettingError) -> String {
    let text = try plainText(text)
    let scheme = text.prefix { $0 != ":" }
    guard scheme.count < text.count, !scheme.isEmpty, scheme.allSatisfy(\.isASCIILetter) else {
      throw SettingError("'\(text)' is no libiio URI; use local:, xml:FILE, ip:HOST or the like")
    }
    return text
  }

  static func webAddress(_ text: String) throws(SettingError) -> String {
    let text = try plainText(text)
    let host = ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
    guard let host, let first = host.first, first != "/", !text.contains(" ") else {
      throw SettingError("'\(text)' is no web address; use https://HOST/PATH or http://HOST/PATH")
    }
    return text
  }

  /// An animation document's id: the same letters in a folder and in a URL.
  static func identifier(_ text: String) throws(SettingError) -> String {
    guard text.utf8.count <= 128, text.allSatisfy({ $0.isNameCharacter }),
      text.contains(where: { $0 != "." })
    else {
      throw SettingError(
        "'\(text)' is no document's id; use up to 128 letters, digits, \".\", \"_\" and \"-\"")
    }
    return text
  }

  /// A user or group, by name or number; whether there is one, only the running system knows.
  static func account(_ text: String) throws(SettingError) -> String {
    let trimmed = text.trimmingSpaces()
    let isNumber = trimmed.allSatisfy(\.isASCIIDigit)
    guard let first = trimmed.first, first != "-", trimmed.utf8.count <= 64,
      trimmed.allSatisfy({ $0.isNameCharacter || $0 == "$" || $0 == "@" || $0 == "\\" }),
      !isNumber || UInt32(trimmed) != nil
    else {
      throw SettingError("'\(text)' is no user's or group's name or number, as in alice or 1001")
    }
    return trimmed
  }

  /// Accounts with commas between; none where the text is empty.
  static func accounts(_ text: String) throws(SettingError) -> [String] {
    var accounts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      accounts.append(try account(String(part)))
    }
    return accounts
  }

  static func text(of smoothing: Smoothing) -> String {
    switch smoothing {
    case .none: "none"
    case .ema(let seconds): "ema:\(TomlText.number(seconds))"
    case .oneEuro(let parameters):
      // What was parsed has one BETA for both axes.
      "one-euro:"
        + [
          parameters.minimumCutoffHertz, parameters.betaX, parameters.derivativeCutoffHertz,
        ].map(TomlText.number).joined(separator: ",")
    case .spring(let seconds, let damping):
      "spring:\(TomlText.number(seconds)),\(TomlText.number(damping))"
    }
  }

  static func text(of matrix: MountMatrix) -> String {
    let cells = matrix.rowMajor.map(TomlText.number)
    return [cells[0...2], cells[3...5], cells[6...8]].map { $0.joined(separator: ",") }
      .joined(separator: ";")
  }
}

extension String {
  /// Without the spaces around it.
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
