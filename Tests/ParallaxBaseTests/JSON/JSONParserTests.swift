// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

private let ample = JSONLimits(bytes: 1 << 20, depth: 64, values: 100_000)

private func parse(_ text: String, _ limits: JSONLimits = ample) throws(JSONSyntaxError)
  -> JSONValue
{
  try JSONValue.parse(text, limits: limits)
}

private func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
  .object(JSONObject(members.map { JSONObject.Member(key: $0.key, value: $0.value) }))
}

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
      ("0", .integer(0)), ("-0", .integer(0)), ("42", .integer(42)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("1.5", .double(1.5)), ("1e3", .double(1000)), ("1.0", .double(1)), ("-0.0", .double(-0.0)),
      ("0.1", .double(0.1)), ("1e-400", .double(0)),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      (#""""#, .string("")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u00e4\ud83d\ude00""#, .string("\u{E4}\u{1F600}")),
      ("\"\u{E4}\u{1F600}\u{7F}\"", .string("\u{E4}\u{1F600}\u{7F}")),
      ("[]", .array([])), ("{}", object([:])),
      (" \t\r\n[1 , [ ] ]\n", .array([.integer(1), .array([])])),
      (#"{"a":{"b":[{}]}}"#, object(["a": object(["b": .array([object([:])])])])),
      (#"{"":1}"#, object(["": .integer(1)])),
    ] as [(String, JSONValue)])
  func validTextsAreParsed(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test func minusZeroKeepsItsSign() throws {
    guard case .double(let zero) = try parse("-0.0") else {
      Issue.record("not a double")
      return
    }
    #expect(zero.sign == .minus)
  }

  @Test func membersKeepTheirOrder() throws {
    let keys = (0..<300).map { "k\(($0 * 7919) % 300)" }
    let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    guard case .object(let object) = try parse(text) else {
      Issue.record("not an object")
      return
    }
    #expect(object.members.map(\.key) == keys)
    #expect(object["k299"] == .integer(0) && object["k300"] == nil)
  }

  /// A text, the line and column of the last character read, and a part of the message.
  @Test(
    arguments: [
      ("", 1, 1, "empty"), (" \n\t", 1, 1, "empty"),
      ("[1,,2]", 1, 4, "unexpected token near ','"),
      ("[1,2", 1, 4, "']' expected near end of file"),
      ("{\n \"a\": 1,\n \"a\": 2}", 3, 4, "duplicate object key"),
      ("{\"a\" 1}", 1, 6, "':' expected"),
      ("{a:1}", 1, 2, "string or '}' expected"),
      ("{\"a\":1,}", 1, 8, "string or '}' expected near '}'"),
      ("[1]x", 1, 4, "end of file expected"), ("[1][2]", 1, 4, "end of file expected"),
      ("nul", 1, 3, "invalid token"), ("True", 1, 4, "invalid token"),
      ("NaN", 1, 3, "invalid token"), ("[Infinity]", 1, 9, "invalid token"),
      ("01", 1, 1, "invalid token"), ("+1", 1, 1, "invalid token"), (".5", 1, 1, "invalid token"),
      ("1.", 1, 2, "invalid token"), ("0x10", 1, 2, "end of file expected"),
      ("-", 1, 1, "invalid token"),
      ("9223372036854775808", 1, 19, "too big integer"),
      ("-9223372036854775809", 1, 20, "too big negative integer"),
      ("1e400", 1, 5, "real number overflow"),
      ("\"abc", 1, 4, "premature end of input"), ("\"a\nb\"", 1, 2, "newline"),
      ("\"\u{1}\"", 1, 1, "control character 0x1"),
      (#""\u0000""#, 1, 8, "NUL"), (#"{"\u0000":1}"#, 1, 9, "NUL"),
      (#""\ud800""#, 1, 8, "invalid Unicode"), (#""\udc00""#, 1, 8, "invalid Unicode"),
      (#""\x""#, 1, 3, "invalid escape"), ("'a'", 1, 1, "invalid token"),
      ("[1] // comment", 1, 5, "end of file expected"), ("\u{FEFF}[]", 1, 1, "invalid token"),
    ])
  func invalidTextsAreRefusedWithTheirPlace(
    text: String, line: Int, column: Int, message: String
  ) {
    let error = #expect(throws: JSONSyntaxError.self) { _ = try parse(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xC3], [0x80], [0x00],
    ] as [[UInt8]])
  func invalidUTF8IsRefusedEverywhere(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let texts = [
      [quote] + bytes + [quote], Array("{\"".utf8) + bytes + Array("\":1}".utf8),
      Array("[1]".utf8) + bytes, bytes,
    ]
    for text in texts {
      #expect(throws: JSONSyntaxError.self) {
        _ = try text.withUnsafeBytes { bytes in try JSONValue.parse(bytes, limits: ample) }
      }
    }
  }

  // MARK: - Limits

  @Test(arguments: [1, 2, 63, 64, 65, 66, 100])
  func depthIsLimited(depth: Int) throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let text =
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      if depth <= 64 {
        _ = try parse(text)
      } else {
        let error = #expect(throws: JSONSyntaxError.self) { _ = try parse(text) }
        #expect(error?.message == "nested too deep; the limit is 64 levels")
        #expect(error?.column == 64 * open.count + 1)
      }
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],", "\n["])
  func depthBombsOfOneMebibyteAreRefused(piece: String) {
    let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    let error = #expect(throws: JSONSyntaxError.self) { _ = try parse(text) }
    #expect(error?.message == "nested too deep; the limit is 64 levels")
    #expect(error?.line == (piece.hasPrefix("\n") ? 66 : 1))
  }

  @Test func bracketsInStringsAreText() throws {
    let text = "\"" + String(repeating: "[{\\\"", count: 1000) + "\""
    #expect(try parse(text) == .string(String(repeating: "[{\"", count: 1000)))
  }

  @Test func valuesAreLimited() throws {
    let limits = JSONLimits(bytes: 4096, depth: 8, values: 10)
    func array(_ count: Int) -> String {
      "[" + (0..<count).map { "\($0)" }.joined(separator: ",") + "]"
    }
    // The array is a value too.
    _ = try parse(array(9), limits)
    let error = #expect(throws: JSONSyntaxError.self) { _ = try parse(array(10), limits) }
    #expect(error?.message == "too many values; the limit is 10")
  }

  @Test func bytesAreLimited() throws {
    let limits = JSONLimits(bytes: 10, depth: 8, values: 10)
    #expect(try parse("\"12345678\"", limits) == .string("12345678"))
    let error = #expect(throws: JSONSyntaxError.self) { _ = try parse("\"123456789\"", limits) }
    #expect(error?.description == "1:1: 11 bytes of JSON; the limit is 10")
  }

  // MARK: - Random texts

  @Test func randomBytesStayWithinTheLimits() {
    var generator = SeededGenerator.forTest()
    let limits = JSONLimits(bytes: 200, depth: 5, values: 20)
    // Mostly the alphabet of JSON, so that the parser gets far into many texts.
    let alphabet = Array("[]{}\",:\\u0123456789abcdefeE+-.truefalsn \n\t\u{E4}".utf8)
    var valid = 0
    for _ in 0..<10_000 {
      let count = Int.random(in: 0...210, using: &generator)
      let isWild = Bool.random(using: &generator)
      let bytes = (0..<count).map { _ in
        isWild
          ? UInt8.random(in: 0...255, using: &generator)
          : alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      check(bytes, limits, "\(generator.note)", &valid)
    }
  }

  @Test func mutatedTextsStayWithinTheLimits() {
    var generator = SeededGenerator.forTest(salt: 1)
    let limits = JSONLimits(bytes: 200, depth: 5, values: 20)
    let seed = Array(
      #"{"class":"WATCH","rate":10.5,"layers":{"bg":-0.2,"\u00e4":[1,2,null]},"on":true}"#.utf8)
    var valid = 0
    for _ in 0..<10_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[index], at: index)
        }
      }
      check(bytes, limits, "\(generator.note)", &valid)
    }
    #expect(valid > 100, "\(generator.note)")
  }

  private func check(
    _ bytes: [UInt8], _ limits: JSONLimits, _ note: Comment, _ valid: inout Int
  ) {
    let text = bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONSyntaxError) in try JSONValue.parse(bytes, limits: limits) }
    }
    switch text {
    case .success(let value):
      valid += 1
      #expect(bytes.count <= limits.bytes, note)
      #expect(depth(of: value) <= limits.depth, note)
      #expect(count(of: value) <= limits.values, note)
    case .failure(let error):
      #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty, note)
      #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 }, note)
    }
  }

  private func depth(of value: JSONValue) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
    default: 0
    }
  }

  private func count(of value: JSONValue) -> Int {
    switch value {
    case .array(let elements): elements.reduce(1) { $0 + count(of: $1) }
    case .object(let object): object.members.reduce(1) { $0 + count(of: $1.value) }
    default: 1
    }
  }
}
