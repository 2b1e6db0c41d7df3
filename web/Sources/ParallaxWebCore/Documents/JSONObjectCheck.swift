/// Whether bytes are one JSON object (RFC 8259) and nothing else, found out in one pass without
/// recursion and without building anything. What the object means is the daemon's business.
package enum JSONObjectCheck {
  /// Where and why a text is none.
  package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// From 1, in characters.
    package let column: Int
    package let message: String

    package var description: String { "\(line):\(column): \(message)" }
  }

  /// - Throws: the first thing that is wrong.
  package static func check(_ text: [UInt8]) throws(Problem) {
    // The grammar looks at ASCII alone; what stands in strings has to be UTF-8 all the same.
    guard (try? UTF8Span(validating: text.span)) != nil else {
      throw Problem(line: 1, column: 1, message: "it is not UTF-8")
    }
    var scanner = Scanner(text: text)
    do throws(ScanError) {
      try scanner.object()
    } catch {
      throw problem(text, at: scanner.place, message: error.message)
    }
  }

  private static func problem(_ text: [UInt8], at place: Int, message: String) -> Problem {
    var line = 1
    var column = 1
    for byte in text[..<min(place, text.count)] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return Problem(line: line, column: column, message: message)
  }
}

private struct ScanError: Error {
  let message: String
}

private struct Scanner {
  let text: [UInt8]
  /// The byte that is looked at next; where something is wrong, that byte.
  var place = 0
  /// What is open, outermost first: true for an object.
  private var open: [Bool] = []

  init(text: [UInt8]) {
    self.text = text
  }

  private var byte: UInt8? { place < text.count ? text[place] : nil }

  mutating func object() throws(ScanError) {
    // A byte order mark is nobody's harm; the daemon takes it too.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    skipSpace()
    guard byte != nil else { throw ScanError(message: "it is empty") }
    guard byte == UInt8(ascii: "{") else {
      throw ScanError(message: "it is no JSON object: { expected")
    }
    var wantsValue = true
    repeat {
      wantsValue = try wantsValue ? value() : separator()
    } while !open.isEmpty
    skipSpace()
    guard byte == nil else { throw ScanError(message: "there is more behind the object") }
  }

  /// Reads a value, or the beginning of one that holds others.
  /// - Returns: whether a value comes next.
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
    case nil: throw ScanError(message: "it ends in the middle")
    case let byte? where byte.isDigit || byte == UInt8(ascii: "-"): try number()
    default: throw ScanError(message: "a value expected")
    }
    return false
  }

  private mutating func begin(isObject: Bool) throws(ScanError) -> Bool {
    guard open.count < DocumentLimits.depth else {
      throw ScanError(message: "nested more than \(DocumentLimits.depth) deep")
    }
    open.append(isObject)
    place += 1
    skipSpace()
    if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      place += 1
      open.removeLast()
      return false
    }
    if isObject { try key() }
    return true
  }

  /// Behind a value: a comma, or the end of what holds it.
  private mutating func separator() throws(ScanError) -> Bool {
    guard let isObject = open.last else { return false }
    skipSpace()
    switch byte {
    case UInt8(ascii: ","):
      place += 1
      if isObject { try key() }
      return true
    case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
      place += 1
      open.removeLast()
      return false
    case nil: throw ScanError(message: "it ends in the middle")
    default: throw ScanError(message: ", or \(isObject ? "}" : "]") expected")
    }
  }

  private mutating func key() throws(ScanError) {
    skipSpace()
    guard byte == UInt8(ascii: "\"") else {
      throw ScanError(message: byte == nil ? "it ends in the middle" : "a key in quotes expected")
    }
    try string()
    skipSpace()
    guard byte == UInt8(ascii: ":") else {
      throw ScanError(message: byte == nil ? "it ends in the middle" : ": expected")
    }
    place += 1
  }

  private mutating func string() throws(ScanError) {
    place += 1
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        return
      case UInt8(ascii: "\\"):
        place += 1
        try escape()
      case 0..<0x20: throw ScanError(message: "a control character in a string")
      default: place += 1
      }
    }
    throw ScanError(message: "it ends in the middle")
  }

  private mutating func escape() throws(ScanError) {
    switch byte {
    case UInt8(ascii: "u"):
      place += 1
      for _ in 0..<4 {
        guard let byte, byte.isHexDigit else { throw ScanError(message: "no such escape") }
        place += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      place += 1
    default: throw ScanError(message: "no such escape")
    }
  }

  private mutating func word(_ word: StaticString) throws(ScanError) {
    let matches = word.withUTF8Buffer { text[place...].starts(with: $0) }
    guard matches else { throw ScanError(message: "a value expected") }
    place += word.utf8CodeUnitCount
  }

  private mutating func number() throws(ScanError) {
    if byte == UInt8(ascii: "-") { place += 1 }
    if byte == UInt8(ascii: "0") { place += 1 } else { try digits() }
    if byte == UInt8(ascii: ".") {
      place += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      place += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { place += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(ScanError) {
    let start = place
    while let byte, byte.isDigit { place += 1 }
    guard place > start else { throw ScanError(message: "a digit expected") }
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isHexDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
