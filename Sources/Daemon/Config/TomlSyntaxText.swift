// SPDX-License-Identifier: Apache-2.0

/// Messages for the syntax errors of toml++.
///
/// Source of the originals: toml++ 3.3, impl/parser.inl. An unknown message passes through.
enum TomlSyntaxText {
  /// Returns the message with advice on what to do.
  static func message(for message: String) -> String {
    let prefix = "Error while parsing "
    guard message.hasPrefix(prefix) else { return "invalid TOML: \(message)" }
    let body = message.dropFirst(prefix.count)
    guard let colon = body.firstRange(of: ": ") else { return "invalid TOML: \(body)" }
    let subject = body[..<colon.lowerBound]
    let detail = body[colon.upperBound...]

    if let name = detail.quotedName(after: "cannot redefine existing ") {
      return subject == "table header"
        ? "duplicate table [\(name)]; write all its keys below one header"
        : "'\(name)' is set twice; remove one of the two"
    }
    if subject == "string", detail.hasPrefix("unescaped control characters") {
      return "a string must end on its line; close its quote"
    }
    if subject == "boolean" || detail == "could not determine value type" {
      return "invalid value; write a string in quotes, a boolean as true or false"
    }
    if detail.hasPrefix("exceeded maximum nested value depth") {
      return "too many nested arrays; each key takes a single value"
    }
    if detail == "encountered end-of-file" {
      return "the file ends inside this \(subject)"
    }
    return "invalid \(subject == "root table" ? "line" : subject): \(detail)"
  }
}

extension Substring {
  /// Returns `mode` of "cannot redefine existing string 'mode'"; nil without that prefix.
  fileprivate func quotedName(after prefix: String) -> Substring? {
    guard hasPrefix(prefix), let open = firstIndex(of: "'"), let close = lastIndex(of: "'"),
      open < close
    else { return nil }
    return self[index(after: open)..<close]
  }

  fileprivate func firstRange(of pattern: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(pattern) {
        return start..<index(start, offsetBy: pattern.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
