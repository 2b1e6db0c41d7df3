import Glibc
import ParallaxMotion
import ParallaxTestSupport

/// What `body` writes, as text.
func written(_ body: (inout OutputBuffer) throws -> Void) rethrows -> String {
  var buffer = OutputBuffer()
  try body(&buffer)
  return buffer.text
}

/// The number behind `"key":` in a line, read by the C library: the first one behind `after`.
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
