// SPDX-License-Identifier: Apache-2.0

/// The name of a replayed file, and messages about it.
package enum ReplayMessage {
  /// Returns the file's name in the query of `/replay?name=FILE`, decoded, for display.
  package static func name(target: String) -> String {
    let query = target.drop { $0 != "?" }.dropFirst()
    let value = query.split(separator: "&").first { $0.hasPrefix("name=") }?.dropFirst(5)
    let text = value.map { decoded($0) } ?? ""
    let last = text.split(separator: "/").last.map(String.init) ?? ""
    let shown = String(
      String.UnicodeScalarView(
        last.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return shown.isEmpty ? "the recording" : String(shown.prefix(100))
  }

  /// Returns the last message of `parallax replay`, with the file's name.
  package static func text(_ output: String, name: String) -> String {
    guard let line = output.split(separator: "\n").last else { return "\(name): not replayed" }
    var text = line
    for prefix in ["parallax: ", "Error: "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    for prefix in ["standard input", "stdin", "-"] where text.hasPrefix(prefix + ":") {
      return name + text.dropFirst(prefix.count)
    }
    return String(text)
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
