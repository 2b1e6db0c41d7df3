/// toml++'s messages in words that say what to do.
///
/// Source of theirs: toml++ 3.3, impl/parser.inl. What is not known here passes through, so that
/// another version of the library can only make a message plainer.
enum TomlSyntaxText {
  static func forPeople(_ message: String) -> String {
    let prefix = "Error while parsing "
    guard message.hasPrefix(prefix) else { return "this is no TOML: \(message)" }
    let body = message.dropFirst(prefix.count)
    guard let colon = body.firstRange(of: ": ") else { return "this is no TOML: \(body)" }
    let subject = body[..<colon.lowerBound]
    let detail = body[colon.upperBound...]

    if let name = detail.quotedName(after: "cannot redefine existing ") {
      return subject == "table header"
        ? "the table [\(name)] is there twice; write all its keys below one of them"
        : "'\(name)' is set twice; take one of them away"
    }
    if subject == "string", detail.hasPrefix("unescaped control characters") {
      return "a string has to end on its line; close it with its quote"
    }
    if subject == "boolean" || detail == "could not determine value type" {
      return "this is no value; a string stands in quotes, a boolean is true or false"
    }
    if detail.hasPrefix("exceeded maximum nested value depth") {
      return "arrays in arrays are too deep; every key here takes one value"
    }
    if detail == "encountered end-of-file" {
      return "the file ends in the middle of this \(subject)"
    }
    return "this \(subject == "root table" ? "line" : subject) is no TOML: \(detail)"
  }
}

extension Substring {
  /// `mode` of "cannot redefine existing string 'mode'"; nil where the text begins otherwise.
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
