// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Parses one JSON value, optionally surrounded by white space.
  ///
  /// - Throws: For syntax errors, duplicate keys, integers beyond `Int64`, numbers beyond `Double`,
  ///   NUL in strings, invalid UTF-8, and texts that exceed the limits.
  ///
  /// - Parameter keepsDecimals: Whether numbers that are not integers, or beyond `Int64`, are kept as they
  ///   are written.
  package static func parse(
    _ text: UnsafeRawBufferPointer, limits: JSONLimits, keepsDecimals: Bool = false
  ) throws(JSONSyntaxError) -> JSONValue {
    // First, because the reader recurses per level.
    try JSONPrescan.check(text, limits: limits)
    var reader = JSONReader(text, keepsDecimals: keepsDecimals)
    return try reader.read()
  }

  package static func parse(
    _ text: RawSpan, limits: JSONLimits, keepsDecimals: Bool = false
  ) throws(JSONSyntaxError) -> JSONValue {
    let result = text.withUnsafeBytes { bytes in
      Result { () throws(JSONSyntaxError) in
        try parse(bytes, limits: limits, keepsDecimals: keepsDecimals)
      }
    }
    return try result.get()
  }

  package static func parse(
    _ text: String, limits: JSONLimits
  ) throws(JSONSyntaxError) -> JSONValue {
    try parse(text.utf8Span.span.bytes, limits: limits)
  }
}
