// SPDX-License-Identifier: Apache-2.0

/// A value of a JSON document.
package enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// The last one of equal keys counts.
  case object([String: JSONValue])

  /// Reads exactly one JSON object.
  package static func object(
    _ text: [UInt8]
  ) throws(JSONObjectCheck.SyntaxError) -> [String: JSONValue] {
    try JSONObjectCheck.check(text)
    var builder = Builder(text: text)
    guard case .object(let fields) = builder.value() else { return [:] }
    return fields
  }

  package var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  package subscript(_ key: String) -> JSONValue? {
    if case .object(let fields) = self { fields[key] } else { nil }
  }
}

/// Builds the values of a text that `JSONObjectCheck` has accepted, which also limits the depth of the recursion.
private struct Builder {
  let text: [UInt8]
  var position = 0

  init(text: [UInt8]) {
    self.text = text
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func value() -> JSONValue {
    switch next() {
    case UInt8(ascii: "{"):
      var fields: [String: JSONValue] = [:]
      position += 1
      while next() != UInt8(ascii: "}") {
        let key = string()
        _ = next()
        position += 1  // The colon.
        fields[key] = value()
        if next() == UInt8(ascii: ",") { position += 1 }
      }
      position += 1
      return .object(fields)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      position += 1
      while next() != UInt8(ascii: "]") {
        values.append(value())
        if next() == UInt8(ascii: ",") { position += 1 }
      }
      position += 1
      return .array(values)
    case UInt8(ascii: "\""): return .string(string())
    case UInt8(ascii: "t"): return word(4, .boolean(true))
    case UInt8(ascii: "f"): return word(5, .boolean(false))
    case UInt8(ascii: "n"): return word(4, .null)
    default: return number()
    }
  }

  /// Skips white space. Returns the byte after it.
  private mutating func next() -> UInt8 {
    while [0x20, 0x0A, 0x0D, 0x09].contains(text[position]) { position += 1 }
    return text[position]
  }

  private mutating func word(_ count: Int, _ value: JSONValue) -> JSONValue {
    position += count
    return value
  }

  private mutating func number() -> JSONValue {
    let start = position
    while position < text.count, !Self.ends.contains(text[position]) { position += 1 }
    // The check has accepted it; a number that is too large is infinite.
    return .number(Double(String(decoding: text[start..<position], as: UTF8.self)) ?? .nan)
  }

  private static let ends = Array(",]} \n\r\t".utf8)

  private mutating func string() -> String {
    var units: [UInt16] = []
    var plain: [UInt8] = []
    func flush() {
      units += String(decoding: plain, as: UTF8.self).utf16
      plain = []
    }
    position += 1
    while text[position] != UInt8(ascii: "\"") {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        plain.append(byte)
        continue
      }
      let escape = text[position]
      position += 1
      guard escape == UInt8(ascii: "u") else {
        plain.append(Self.escapes[escape] ?? escape)
        continue
      }
      flush()
      let digits = String(decoding: text[position..<position + 4], as: UTF8.self)
      units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
      position += 4
    }
    position += 1
    flush()
    return String(decoding: units, as: UTF16.self)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]
}
