// SPDX-License-Identifier: Apache-2.0

import CJansson
import ParallaxTestSupport
import Testing

@testable import ParallaxBase

/// The reader against jansson: the same texts are valid, with the same values, and errors are at the
/// same place.
@Suite("JSON as jansson reads it") struct JanssonTests {
  private static let limits = JSONLimits(bytes: 1 << 20, depth: 64, values: 100_000)

  /// What jansson makes of a text.
  private enum Reading: Equatable {
    case value(JSONValue)
    case error(line: Int, column: Int)
  }

  private static func jansson(_ text: [UInt8]) -> Reading {
    var error = json_error_t()
    let root = text.withUnsafeBytes {
      json_loadb($0.baseAddress, $0.count, Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY), &error)
    }
    guard let root else {
      return .error(line: max(1, Int(error.line)), column: max(1, Int(error.column)))
    }
    defer { json_decref(root) }
    return .value(value(root))
  }

  private static func value(_ json: UnsafeMutablePointer<json_t>) -> JSONValue {
    switch json.pointee.type {
    case JSON_OBJECT:
      var members: [JSONObject.Member] = []
      // In the order of insertion (since jansson 2.8).
      var iterator = json_object_iter(json)
      while let current = iterator {
        if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
          members.append(JSONObject.Member(key: String(cString: key), value: value(member)))
        }
        iterator = json_object_iter_next(json, current)
      }
      return .object(JSONObject(members))
    case JSON_ARRAY:
      return .array(
        (0..<json_array_size(json)).compactMap { json_array_get(json, $0).map(value) })
    case JSON_STRING: return .string(json_string_value(json).map { String(cString: $0) } ?? "")
    case JSON_INTEGER: return .integer(Int64(json_integer_value(json)))
    case JSON_REAL: return .double(json_real_value(json))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  /// - Returns: Whether the text is valid.
  private func compare(_ text: [UInt8], _ note: String = "") -> Bool {
    let own = text.withUnsafeBytes { bytes in
      Result { () throws(JSONSyntaxError) in try JSONValue.parse(bytes, limits: Self.limits) }
    }
    let shown: Comment = "\(String(decoding: text, as: UTF8.self)) \(note)"
    switch own {
    case .success(let value):
      #expect(Self.jansson(text) == .value(value), shown)
      return true
    case .failure(let error):
      // Blank texts and limits are errors of their own.
      guard !error.message.hasPrefix("empty"), !error.message.contains("limit is") else {
        return false
      }
      #expect(
        Self.jansson(text) == .error(line: error.line, column: error.column),
        "\(shown): \(error)")
      return false
    }
  }

  @Test func numbersAreTheSame() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...25, using: &generator)
      var text = Bool.random(using: &generator) ? "-" : ""
      text += "\(Int.random(in: 1...9, using: &generator))"
      for _ in 1..<digits { text += "\(Int.random(in: 0...9, using: &generator))" }
      if Bool.random(using: &generator) {
        text += "."
        for _ in 0..<Int.random(in: 1...25, using: &generator) {
          text += "\(Int.random(in: 0...9, using: &generator))"
        }
      }
      if Bool.random(using: &generator) {
        text += "e\(Int.random(in: -330...310, using: &generator))"
      }
      _ = compare(Array(text.utf8), generator.note)
    }
  }

  @Test func mutatedTextsAreTheSame() {
    var generator = SeededGenerator.forTest(salt: 1)
    let seeds = [
      #"{"class":"WATCH","rate":10.5,"layers":{"bg":-0.2,"\u00e4":[1,2,null]},"on":true}"#,
      #"[{"a":1,"b":"\ud83d\ude00\n\"x\"","ä€😀":[]},"#
        + "\n\t" + #"-1.5e-3, 0, 12345678901234567890, false]"#,
    ].map { Array($0.utf8) }
    let alphabet = Array("[]{}\",:\\u0123456789abcdefeE+-.truefalsn \n\t\u{E4}\u{20AC}".utf8)
    var valid = 0
    for _ in 0..<20_000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        // No NUL: jansson takes one as the end of a string of C in places.
        case 0: bytes[index] = UInt8.random(in: 1...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes[index] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        default: bytes.removeLast(min(bytes.count - 1, 10))
        }
      }
      if compare(bytes, generator.note) { valid += 1 }
    }
    #expect(valid > 1000)
  }

  @Test func manyKeysAreCompared() {
    let keys = (0..<200).map { "\"k\($0)\":0" }
    #expect(compare(Array("{\(keys.joined(separator: ","))}".utf8)))
    #expect(!compare(Array("{\((keys + ["\"k7\":1"]).joined(separator: ","))}".utf8)))
    // The same letter in two forms makes two keys.
    #expect(compare(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)))
  }
}
