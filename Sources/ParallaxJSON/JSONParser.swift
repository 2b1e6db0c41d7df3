// SPDX-License-Identifier: Apache-2.0

import CJansson
import ParallaxText

extension JSONValue {
  /// Parses one JSON value, optionally surrounded by white space.
  ///
  /// - Throws: For syntax errors, duplicate keys, integers beyond `Int64`, numbers beyond `Double`,
  ///   NUL in strings, invalid UTF-8, and texts that exceed the limits.
  package static func parse(
    _ text: UnsafeRawBufferPointer, limits: JSONLimits
  ) throws(JSONSyntaxError) -> JSONValue {
    // Before jansson, which recurses per level and builds all values first.
    try JSONPrescan.check(text, limits: limits)
    var error = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
    let root = json_loadb(text.baseAddress, text.count, flags, &error)
    guard let root else { throw JSONSyntaxError(error) }
    defer { json_decref(root) }
    return JSONValue(root)
  }

  package static func parse(
    _ text: RawSpan, limits: JSONLimits
  ) throws(JSONSyntaxError) -> JSONValue {
    let result = text.withUnsafeBytes { bytes in
      Result { () throws(JSONSyntaxError) in try parse(bytes, limits: limits) }
    }
    return try result.get()
  }

  package static func parse(
    _ text: String, limits: JSONLimits
  ) throws(JSONSyntaxError) -> JSONValue {
    try parse(text.utf8Span.span.bytes, limits: limits)
  }

  /// Copies a value that jansson built. Its depth is within the limits.
  private init(_ json: UnsafeMutablePointer<json_t>) {
    switch json.pointee.type {
    case JSON_OBJECT:
      var members: [JSONObject.Member] = []
      members.reserveCapacity(json_object_size(json))
      // jansson iterates in the order of insertion (since 2.8).
      var iterator = json_object_iter(json)
      while let current = iterator {
        if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
          members.append(
            JSONObject.Member(
              key: Self.text(key, json_object_iter_key_len(current)), value: JSONValue(value)))
        }
        iterator = json_object_iter_next(json, current)
      }
      self = .object(JSONObject(members))
    case JSON_ARRAY:
      let count = json_array_size(json)
      var elements: [JSONValue] = []
      elements.reserveCapacity(count)
      for index in 0..<count {
        if let element = json_array_get(json, index) { elements.append(JSONValue(element)) }
      }
      self = .array(elements)
    case JSON_STRING:
      self = .string(json_string_value(json).map { Self.text($0, json_string_length(json)) } ?? "")
    case JSON_INTEGER:
      self = .integer(Int64(json_integer_value(json)))
    case JSON_REAL:
      self = .double(json_real_value(json))
    case JSON_TRUE:
      self = .bool(true)
    case JSON_FALSE:
      self = .bool(false)
    default:
      self = .null
    }
  }

  private static func text(_ characters: UnsafePointer<CChar>, _ count: Int) -> String {
    // jansson has checked the UTF-8.
    String(decoding: UnsafeRawBufferPointer(start: characters, count: count), as: UTF8.self)
  }
}

extension JSONSyntaxError {
  /// Creates an error with jansson's message, such as `duplicate object key near '"a"'`. Control
  /// characters, which its quotation of the text may contain, become spaces.
  fileprivate init(_ error: json_error_t) {
    var error = error
    let text = withUnsafeBytes(of: &error.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      line: max(1, Int(error.line)), column: max(1, Int(error.column)),
      message: PrintableText.line(text))
  }
}
