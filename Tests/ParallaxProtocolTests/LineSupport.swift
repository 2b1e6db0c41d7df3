// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport

/// Returns the text that `body` writes.
func written(_ body: (inout OutputBuffer) throws -> Void) rethrows -> String {
  var buffer = OutputBuffer()
  try body(&buffer)
  return buffer.text
}

/// Returns the number after the first `"key":` that follows `mark` in a line, parsed by the C library.
func number(_ key: String, in line: String, after mark: String = "") -> Double? {
  line.withCString { text -> Double? in
    guard let start = mark.isEmpty ? UnsafePointer(text) : strstr(text, mark).map({ .init($0) }),
      let found = strstr(start, "\"\(key)\":")
    else { return nil }
    let digits = found + key.utf8.count + 3
    var end: UnsafeMutablePointer<CChar>?
    let value = strtod(digits, &end)
    return end == digits ? nil : value
  }
}
