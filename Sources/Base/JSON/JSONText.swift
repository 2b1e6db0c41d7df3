// SPDX-License-Identifier: Apache-2.0

extension OutputBuffer {
  /// Appends a string with its quotes, escaped as JSON requires.
  package mutating func append(jsonString text: String) {
    var text = text
    append(byte: UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var plain = 0
      for (index, byte) in bytes.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        append(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[plain..<index])))
        append(escaped: byte)
        plain = index + 1
      }
      append(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[plain...])))
    }
    append(byte: UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    default:
      append("\\u00")
      append(byte: byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let low = byte & 0xF
      append(byte: low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }

  /// Appends the shortest text that reads back as the same number, whole numbers without a point.
  /// JSON has no infinities and no NaN: they become 0. May allocate: not for frames.
  package mutating func append(jsonNumber value: Double) {
    if !value.isFinite || value == 0 {
      append(byte: UInt8(ascii: "0"))
    } else if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      append(integer: whole)
    } else {
      append(shortest: value)
    }
  }

  package mutating func append(jsonBool value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Appends a value without line ends.
  package mutating func append(json value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(jsonBool: flag)
    case .integer(let number): append(integer: number)
    case .double(let number): append(jsonNumber: number)
    case .decimal(let digits): append(text: digits)
    case .string(let text): append(jsonString: text)
    case .array(let elements):
      append(byte: UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(json: element)
      }
      append(byte: UInt8(ascii: "]"))
    case .object(let object):
      append(byte: UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(jsonString: member.key)
        append(byte: UInt8(ascii: ":"))
        append(json: member.value)
      }
      append(byte: UInt8(ascii: "}"))
    }
  }
}
