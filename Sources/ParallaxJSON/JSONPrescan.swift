/// One pass over the bytes that holds the limits against a text before a parser sees it: in
/// constant memory and without recursion, whatever the text is.
enum JSONPrescan {
  static func check(_ text: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONSyntaxError) {
    guard text.count <= limits.bytes else {
      throw JSONSyntaxError(
        line: 1, column: 1,
        message: "\(text.count) bytes of JSON, at most \(limits.bytes) are allowed")
    }
    var depth = 0
    // Every value but the outermost follows a comma or the opening bracket of its container.
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
          text, index, "nested more than \(limits.depth) deep, which is not allowed")
      }
      if values > limits.values {
        throw error(text, index, "more than \(limits.values) values, which is not allowed")
      }
    }
    if isBlank {
      throw JSONSyntaxError(line: 1, column: 1, message: "empty, a JSON value is expected")
    }
  }

  /// Line and column as jansson counts them: characters, from 1.
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
