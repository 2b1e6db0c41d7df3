// SPDX-License-Identifier: Apache-2.0

/// Foreign text in a message: on one line, in double quotes and not too long.
package enum QuotedText {
  private static let maxScalars = 40

  /// Returns `"text"`, with quotes and backslashes escaped, control characters as spaces, and `...`
  /// after 40 characters.
  package static func of(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(maxScalars) {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    quoted += text.unicodeScalars.count > maxScalars ? "...\"" : "\""
    return PrintableText.line(quoted)
  }

  /// Returns `"by", "to"`.
  package static func list(_ names: some Sequence<String>) -> String {
    names.map(of).joined(separator: ", ")
  }
}
