// SPDX-License-Identifier: Apache-2.0

/// Checks a text against the limits before it is parsed, in one pass, in constant memory and
/// without recursion.
enum JSONPrescan {
  static func check(_ text: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONSyntaxError) {
    guard text.count <= limits.bytes else {
      throw JSONSyntaxError(
        line: 1, column: 1,
        message: "\(text.count) bytes of JSON; the limit is \(limits.bytes)")
    }
    var depth = 0
    // Every value except the outermost follows a comma or the opening bracket of its container.
    var values = 1
    var isInString = false
    var isEscaped = false
    var isBlank = true
    for (index, byte) in text.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
        isBlank = false
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        values += 1
        isBlank = false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        isBlank = false
      case UInt8(ascii: ","):
        values += 1
        isBlank = false
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        continue
      default:
        isBlank = false
        continue
      }
      if depth > limits.depth {
        throw error(
          text, index, "nested too deep; the limit is \(limits.depth) levels")
      }
      if values > limits.values {
        throw error(text, index, "too many values; the limit is \(limits.values)")
      }
    }
    if isBlank {
      throw JSONSyntaxError(line: 1, column: 1, message: "empty; expected a JSON value")
    }
  }

  /// Returns an error with line and column counted as jansson does: in characters, from 1.
  private static func error(
    _ text: UnsafeRawBufferPointer, _ index: Int, _ message: String
  ) -> JSONSyntaxError {
    var line = 1
    var column = 1
    for byte in text[..<index] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return JSONSyntaxError(line: line, column: column, message: message)
  }
}
