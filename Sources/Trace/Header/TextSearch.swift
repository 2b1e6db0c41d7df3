// SPDX-License-Identifier: Apache-2.0

/// Text search, byte by byte. The standard library's `contains` and `replacing` for strings would link
/// its regular expressions into a static program: 3 MB.
extension StringProtocol {
  /// Returns whether the text contains `part`.
  func holds(_ part: String) -> Bool {
    let part = Array(part.utf8)
    var rest = utf8[...]
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// The text with each pair of double quotes replaced by one, as inside a quoted cell.
  var withSingleQuotes: String {
    var result = String.UnicodeScalarView()
    var isSecond = false
    for scalar in unicodeScalars {
      isSecond = scalar == "\"" && !isSecond && !result.isEmpty && result.last == "\""
      if !isSecond { result.append(scalar) }
    }
    return String(result)
  }
}
