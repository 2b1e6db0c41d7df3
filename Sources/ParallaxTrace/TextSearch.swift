/// Looking for text in text, byte by byte. The standard library's own `contains` and `replacing` for
/// texts live beside its regular expressions, which a static program would carry along: 3 MB.
extension StringProtocol {
  func holds(_ part: String) -> Bool {
    let part = Array(part.utf8)
    var rest = utf8[...]
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Two quotes in a row become one, as inside a quoted cell.
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
