package import ParallaxMotion

/// What an animation is called: in a directory it is the file ID.json, on a server BASE/ID.json. It can
/// therefore be no path.
package struct DocumentID: Equatable, Hashable, Sendable {
  package let text: String

  /// Bytes; with `.json` behind it still the name of a file.
  package static let lengthLimit = 128

  package init(_ text: String) throws(SettingError) {
    guard (1...Self.lengthLimit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed)
    else {
      throw SettingError(
        "\(Quoted.text(text)) is no animation's id; use 1 to \(Self.lengthLimit) of A-Z, a-z, 0-9, "
          + "'.', '_' and '-'")
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

/// Somebody's words within a message: on one line and not too long.
enum Quoted {
  static func text(_ words: String) -> String {
    var text = "\""
    for scalar in words.unicodeScalars.prefix(40) {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(isControl ? " " : scalar)
    }
    return text + (words.unicodeScalars.count > 40 ? "...\"" : "\"")
  }

  /// `"by", "to"`.
  static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
