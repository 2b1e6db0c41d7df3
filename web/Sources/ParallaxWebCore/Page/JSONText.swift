// SPDX-License-Identifier: Apache-2.0

/// JSON that the server writes itself.
package enum JSONText {
  /// Returns a text as a JSON string.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns `{"error":"..."}` and a line feed.
  package static func error(_ message: String) -> [UInt8] {
    Array("{\"error\":\(quoted(message))}\n".utf8)
  }
}
