// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text (RFC 8259) into a value.
///
/// A reader of its own rather than a library: the product `ParallaxAnimation` reads documents and needs no
/// other library than that of C. Messages and their places are those of jansson, with which a test compares it.
/// The text has passed `JSONPrescan`, which bounds the recursion.
struct JSONReader {
  private let text: UnsafeRawBufferPointer
  /// The number of bytes that have been read.
  private var position = 0
  /// The position of the first byte of the current token.
  private var tokenStart = 0
  private var token = JSONToken.end

  private let keepsDecimals: Bool

  init(_ text: UnsafeRawBufferPointer, keepsDecimals: Bool) {
    self.text = text
    self.keepsDecimals = keepsDecimals
  }

  /// Reads the value and checks that nothing follows it.
  mutating func read() throws(JSONSyntaxError) -> JSONValue {
    try scan()
    let value = try value()
    try scan()
    guard token == .end else { throw error("end of file expected") }
    return value
  }

  // MARK: - Values

  /// Reads the value that begins with the current token.
  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    switch token {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .double(let number): return .double(number)
    case .decimal(let digits): return .decimal(digits)
    case .string(let text):
      if text.utf8.contains(0) { throw error("NUL in a string") }
      return .string(text)
    case .mark(UInt8(ascii: "[")): return .array(try elements())
    case .mark(UInt8(ascii: "{")): return .object(JSONObject(try members()))
    case .invalid: throw error("invalid token")
    case .mark, .end: throw error("unexpected token")
    }
  }

  private mutating func elements() throws(JSONSyntaxError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try scan()
    if token == .mark(UInt8(ascii: "]")) { return elements }
    while token != .end {
      elements.append(try value())
      try scan()
      guard token == .mark(UInt8(ascii: ",")) else { break }
      try scan()
    }
    guard token == .mark(UInt8(ascii: "]")) else { throw error("']' expected") }
    return elements
  }

  private mutating func members() throws(JSONSyntaxError) -> [JSONObject.Member] {
    var members: [JSONObject.Member] = []
    var keys = JSONKeys()
    try scan()
    if token == .mark(UInt8(ascii: "}")) { return members }
    while true {
      guard case .string(let key) = token else { throw error("string or '}' expected") }
      if key.utf8.contains(0) { throw error("NUL in an object key") }
      guard keys.insert(key, members) else { throw error("duplicate object key") }
      try scan()
      guard token == .mark(UInt8(ascii: ":")) else { throw error("':' expected") }
      try scan()
      members.append(JSONObject.Member(key: key, value: try value()))
      try scan()
      guard token == .mark(UInt8(ascii: ",")) else { break }
      try scan()
    }
    guard token == .mark(UInt8(ascii: "}")) else { throw error("'}' expected") }
    return members
  }

  // MARK: - Tokens

  /// The next byte; nil at the end.
  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// Reads the next token.
  private mutating func scan() throws(JSONSyntaxError) {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
    tokenStart = position
    guard let byte = next else {
      token = .end
      return
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: ":"), UInt8(ascii: ","):
      position += 1
      token = .mark(byte)
    case UInt8(ascii: "\""):
      position += 1
      token = .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      token = try number()
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      token = word()
    default:
      // What is not text has no place in a message.
      guard byte < 0x80 || JSONStrings.isScalar(text[position...]) else { throw undecodable() }
      position += 1
      token = .invalid
    }
  }

  private mutating func word() -> JSONToken {
    while let byte = next, Self.isLetter(byte) { position += 1 }
    let word = text[tokenStart..<position]
    if word.elementsEqual("true".utf8) { return .bool(true) }
    if word.elementsEqual("false".utf8) { return .bool(false) }
    return word.elementsEqual("null".utf8) ? .null : .invalid
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  // MARK: - Numbers

  /// Reads digits.
  ///
  /// - Returns: Whether there was one.
  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONToken {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      // No digit after a leading 0.
      if let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { return .invalid }
    } else if !digits() {
      return .invalid
    }
    var isInteger = true
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      if !digits() { return .invalid }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      if !digits() { return .invalid }
    }
    let digits = UnsafeRawBufferPointer(rebasing: text[tokenStart..<position])
    if isInteger {
      guard let number = JSONNumbers.integer(digits) else {
        if keepsDecimals { return .decimal(String(decoding: digits, as: UTF8.self)) }
        throw error(isNegative ? "too big negative integer" : "too big integer")
      }
      // An integer has no -0.
      if keepsDecimals, isNegative, number == 0 { return .decimal("-0") }
      return .integer(number)
    }
    if keepsDecimals { return .decimal(String(decoding: digits, as: UTF8.self)) }
    let number = JSONNumbers.double(digits)
    guard number.isFinite else { throw error("real number overflow") }
    return .double(number)
  }

  // MARK: - Strings

  /// Reads a string after its opening quote.
  private mutating func string() throws(JSONSyntaxError) -> String {
    var hasEscapes = false
    let start = position
    while true {
      guard let byte = next else {
        try checkUTF8(from: start)
        throw error("premature end of input")
      }
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 {
        try checkUTF8(from: start)
        throw error(
          byte == 0x0A ? "unexpected newline" : "control character 0x\(String(byte, radix: 16))")
      }
      position += 1
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try escape(from: start)
      }
    }
    let content = text[start..<position]
    guard let string = String(validating: content, as: UTF8.self) else {
      throw invalidUTF8(from: start)
    }
    position += 1
    guard hasEscapes else { return string }
    switch JSONStrings.unescaped(content) {
    case .success(let text): return text
    case .failure(let surrogate): throw error(surrogate.message)
    }
  }

  /// Reads an escape sequence after its backslash.
  private mutating func escape(from start: Int) throws(JSONSyntaxError) {
    var isValid = false
    if let byte = next {
      position += 1
      isValid = byte == UInt8(ascii: "u") || JSONStrings.replacement(byte) != nil
      for _ in 0..<4 where isValid && byte == UInt8(ascii: "u") {
        guard let digit = next else {
          isValid = false
          break
        }
        isValid = JSONStrings.isHexadecimal(digit)
        position += 1
      }
    }
    guard !isValid else { return }
    try checkUTF8(from: start)
    throw error("invalid escape")
  }

  // MARK: - Errors

  /// Throws an error if what was read since `start` is not UTF-8.
  private func checkUTF8(from start: Int) throws(JSONSyntaxError) {
    // An invalid escape may end within a scalar.
    let end = JSONStrings.endOfScalar(text, at: position)
    guard String(validating: text[start..<end], as: UTF8.self) != nil else {
      throw invalidUTF8(from: start)
    }
  }

  /// Returns an error at the first byte since `start` that is not UTF-8.
  private func invalidUTF8(from start: Int) -> JSONSyntaxError {
    var reader = self
    reader.position = start + JSONStrings.validCount(text[start...])
    return reader.undecodable()
  }

  private func undecodable() -> JSONSyntaxError {
    error("unable to decode byte 0x\(String(text[position], radix: 16))", isDecodable: false)
  }

  /// Returns an error at the last byte that was read, with a short token as its context.
  private func error(_ message: String, isDecodable: Bool = true) -> JSONSyntaxError {
    var line = 1
    var column = 0
    for byte in text[..<position] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 0
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    var message = message
    // What cannot be decoded is not quoted.
    let near = text[
      tokenStart..<(isDecodable ? JSONStrings.endOfScalar(text, at: position) : position)]
    if isDecodable, near.isEmpty {
      message += " near end of file"
    } else if (1...20).contains(near.count) {
      message += " near '\(String(decoding: near, as: UTF8.self))'"
    }
    return JSONSyntaxError(
      line: line, column: max(1, column), message: PrintableText.line(message))
  }
}

/// A token of a JSON text.
enum JSONToken: Equatable {
  case end
  /// One of `{}[]:,`.
  case mark(UInt8)
  case string(String)
  case integer(Int64)
  case double(Double)
  case decimal(String)
  case bool(Bool)
  case null
  /// Anything else.
  case invalid
}

/// The keys of an object that is being read, to find duplicates: compared as bytes.
private struct JSONKeys {
  /// nil as long as there are few.
  private var seen: Set<[UInt8]>?

  /// - Parameter members: Those that have been read.
  /// - Returns: False for a duplicate.
  mutating func insert(_ key: String, _ members: [JSONObject.Member]) -> Bool {
    guard members.count >= 16 else {
      return !members.contains { $0.key.utf8.elementsEqual(key.utf8) }
    }
    if seen == nil { seen = Set(members.map { Array($0.key.utf8) }) }
    return seen?.insert(Array(key.utf8)).inserted ?? true
  }
}
