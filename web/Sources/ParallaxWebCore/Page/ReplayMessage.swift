// SPDX-License-Identifier: Apache-2.0

/// A request to replay a file: its name, its settings, and messages about it.
package enum ReplayMessage {
  /// The settings that a page may choose for a replay; they are options of `parallax replay` with the same names.
  /// The mount matrix is the recording's own.
  private static let settings = [
    "mode", "scale", "range-x", "range-y", "recenter", "smoothing", "bias", "rate",
  ]

  /// Returns the options of `parallax replay` for the settings in the query of
  /// `/replay?name=FILE&scale=8&range-x=-5:5`. Other keys are ignored.
  package static func options(target: String) -> [String] {
    settings.compactMap { key in
      value(key, in: target).map { value in
        // As one word, since a range begins with a minus sign.
        "--\(key)="
          + String(value.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
      }
    }
  }

  /// Returns the file's name in the query of `/replay?name=FILE`, decoded, for display.
  package static func name(target: String) -> String {
    let text = value("name", in: target) ?? ""
    let last = text.split(separator: "/").last.map(String.init) ?? ""
    let shown = String(
      String.UnicodeScalarView(
        last.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return shown.isEmpty ? "the recording" : String(shown.prefix(100))
  }

  /// Returns the last message of `parallax replay` for a reader of the page: with the file's name, and without
  /// folders and advice about command lines.
  package static func text(_ output: String, name: String) -> String {
    guard let line = output.split(separator: "\n").last else { return "\(name): not replayed" }
    var text = line
    for prefix in ["parallax: ", "Error: "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    for prefix in ["standard input", "stdin", "-"] where text.hasPrefix(prefix + ":") {
      return inTermsOfThePage(name + text.dropFirst(prefix.count))
    }
    return inTermsOfThePage(String(text))
  }

  private static func inTermsOfThePage(_ text: String) -> String {
    var text = text[...]
    // The option of a setting that the page has chosen.
    if text.hasPrefix("--") { text = text.dropFirst(2) }
    var parts: [Substring] = []
    for part in text.split(separator: ";") {
      guard !part.contains("--"), !part.contains("'parallax ") else { continue }
      parts.append(part)
    }
    let kept = parts.isEmpty ? String(text) : parts.joined(separator: ";")
    return kept.split(separator: " ").map { word in
      word.hasPrefix("/") ? word.split(separator: "/").last ?? word : word
    }.joined(separator: " ")
  }

  private static func value(_ key: String, in target: String) -> String? {
    let query = target.drop { $0 != "?" }.dropFirst()
    let pair = query.split(separator: "&").first { $0.hasPrefix(key + "=") }
    return pair.map { decoded($0.dropFirst(key.count + 1)) }
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
