// SPDX-License-Identifier: Apache-2.0

/// Checks that bytes are exactly one JSON object (RFC 8259), in one pass, without recursion and
/// without building values. The daemon checks the object's contents.
package enum JSONObjectCheck {
  /// The position and the reason of an error.
  package struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Starts at 1.
    package let line: Int
    /// Starts at 1, in characters.
    package let column: Int
    package let message: String

    package var description: String { "\(line):\(column): \(message)" }
  }

  /// - Throws: the first error.
  package static func check(_ text: [UInt8]) throws(SyntaxError) {
    // The scanner looks only at ASCII, so the UTF-8 in strings is checked here.
    guard (try? UTF8Span(validating: text.span)) != nil else {
      throw SyntaxError(line: 1, column: 1, message: "not UTF-8")
    }
    var scanner = Scanner(text: text)
    do throws(ScanError) {
      try scanner.object()
    } catch {
      throw syntaxError(text, at: scanner.position, message: error.message)
    }
  }

  private static func syntaxError(
    _ text: [UInt8], at position: Int, message: String
  ) -> SyntaxError {
    var line = 1
    var column = 1
    for byte in text[..<min(position, text.count)] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SyntaxError(line: line, column: column, message: message)
  }
}

private struct ScanError: Error {
  let message: String
}

private struct Scanner {
  let text: [UInt8]
  /// The index of the next byte, or of the byte with an error.
  var position = 0
  /// The open arrays and objects, outermost first: true for an object.
  private var open: [Bool] = []

  init(text: [UInt8]) {
    self.text = text
  }

  private var byte: UInt8? { position < text.count ? text[position] : nil }

  mutating func object() throws(ScanError) {
    // A byte order mark is allowed, as in the daemon.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipSpace()
    guard byte != nil else { throw ScanError(message: "empty document") }
    guard byte == UInt8(ascii: "{") else {
      throw ScanError(message: "expected a JSON object, which starts with {")
    }
    var wantsValue = true
    repeat {
      wantsValue = try wantsValue ? value() : separator()
    } while !open.isEmpty
    skipSpace()
    guard byte == nil else { throw ScanError(message: "unexpected text after the object") }
  }

  /// Reads a value, or the start of an array or object.
  /// - Returns: whether a value must follow.
  private mutating func value() throws(ScanError) -> Bool {
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"):
      return try begin(isObject: true)
    case UInt8(ascii: "["):
      return try begin(isObject: false)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case nil: throw ScanError(message: "unexpected end of document")
    case let byte? where byte.isDigit || byte == UInt8(ascii: "-"): try number()
    default: throw ScanError(message: "expected a value")
    }
    return false
  }

  private mutating func begin(isObject: Bool) throws(ScanError) -> Bool {
    guard open.count < DocumentLimits.depth else {
      throw ScanError(message: "nested more than \(DocumentLimits.depth) levels deep")
    }
    open.append(isObject)
    position += 1
    skipSpace()
    if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      position += 1
      open.removeLast()
      return false
    }
    if isObject { try key() }
    return true
  }

  /// Reads what follows a value: a comma, or the end of its array or object.
  /// - Returns: whether a value must follow.
  private mutating func separator() throws(ScanError) -> Bool {
    guard let isObject = open.last else { return false }
    skipSpace()
    switch byte {
    case UInt8(ascii: ","):
      position += 1
      if isObject { try key() }
      return true
    case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
      position += 1
      open.removeLast()
      return false
    case nil: throw ScanError(message: "unexpected end of document")
    default: throw ScanError(message: "expected , or \(isObject ? "}" : "]")")
    }
  }

  private mutating func key() throws(ScanError) {
    skipSpace()
    guard byte == UInt8(ascii: "\"") else {
      throw ScanError(
        message: byte == nil ? "unexpected end of document" : "expected a key in quotes")
    }
    try string()
    skipSpace()
    guard byte == UInt8(ascii: ":") else {
      throw ScanError(message: byte == nil ? "unexpected end of document" : "expected :")
    }
    position += 1
  }

  private mutating func string() throws(ScanError) {
    position += 1
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"):
        position += 1
        try escape()
      case 0..<0x20: throw ScanError(message: "control character in a string")
      default: position += 1
      }
    }
    throw ScanError(message: "unexpected end of document")
  }

  private mutating func escape() throws(ScanError) {
    switch byte {
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard let byte, byte.isHexDigit else { throw ScanError(message: "invalid escape") }
        position += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    default: throw ScanError(message: "invalid escape")
    }
  }

  private mutating func word(_ word: StaticString) throws(ScanError) {
    let matches = word.withUTF8Buffer { text[position...].starts(with: $0) }
    guard matches else { throw ScanError(message: "expected a value") }
    position += word.utf8CodeUnitCount
  }

  private mutating func number() throws(ScanError) {
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if byte == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(ScanError) {
    let start = position
    while let byte, byte.isDigit { position += 1 }
    guard position > start else { throw ScanError(message: "expected a digit") }
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isHexDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
