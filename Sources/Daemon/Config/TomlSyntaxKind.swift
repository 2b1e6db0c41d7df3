// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// What is wrong with a text that is not TOML. The parser's error has a position but no kind, so that
/// the kind follows from the text: from what is valid by itself.
enum TomlSyntaxKind {
  /// The text above is not complete.
  case openAbove
  /// The line is valid by itself: it defines what the text above has defined.
  case duplicate(name: String, isTable: Bool)
  case openHeader
  case noValue
  case openString
  case array
  /// A word without quotes.
  case bareWord
  case textAfterValue
  /// Anything else, in the parser's words.
  case other(String)

  /// - Parameters:
  ///   - line: The line with the error, without its end.
  ///   - before: The text above it.
  ///   - column: The error's column, in code points.
  ///   - description: The parser's.
  ///   - parse: Reads a text by itself; nil if it is not valid.
  init(
    _ line: ArraySlice<UInt8>, after before: ArraySlice<UInt8>, column: Int, description: String,
    parse: (ArraySlice<UInt8>) -> [TomlEntry]?
  ) {
    guard parse(before) != nil else {
      self = .openAbove
      return
    }
    let text = String(decoding: line, as: UTF8.self)
    let bare = SettingText.trimmed(text)
    if let entry = parse(line)?.last {
      let name = entry.key.map { "\(entry.table).\($0)" } ?? entry.table
      self = .duplicate(name: name, isTable: bare.first == "[")
      return
    }
    guard bare.first != "[" else {
      self = .openHeader
      return
    }
    guard let equals = bare.firstIndex(of: "=") else {
      let isWord = bare.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      self = isWord ? .noValue : .other(description)
      return
    }
    let value = SettingText.trimmed(bare[bare.index(after: equals)...])
    let start = String(text.unicodeScalars.prefix(column - 1))
    let isAtEnd = start.unicodeScalars.count == text.unicodeScalars.count
    switch value.first {
    case nil: self = .noValue
    case "\"" where isAtEnd, "'" where isAtEnd: self = .openString
    case _ where parse(Array(start.utf8)[...])?.isEmpty == false: self = .textAfterValue
    case "[": self = .array
    case let first? where first.isLetter: self = .bareWord
    default: self = .other(description)
    }
  }

  /// What is wrong, and what to do.
  var message: String {
    switch self {
    case .openAbove: "a string or array further up is not closed; close it on its line"
    case .duplicate(let name, isTable: true):
      "duplicate table [\(name)]; write all its keys below one header"
    case .duplicate(let name, isTable: false): "'\(name)' is set twice; remove one of the two"
    case .openHeader: "invalid table header; write it as [NAME]"
    case .noValue: "a key needs a value; write KEY = VALUE"
    case .openString: "a string must end on its line; close its quote"
    case .array: "invalid array; each key takes a single value"
    case .bareWord: "invalid value; write a string in quotes, a boolean as true or false"
    case .textAfterValue: "only a comment may follow a value; write each key on its own line"
    case .other(let description): "invalid TOML: \(description)"
    }
  }
}
