// SPDX-License-Identifier: Apache-2.0

import ParallaxWebCore
import Testing

@Suite("JSON object check")
struct JSONObjectCheckTests {
  private func message(_ text: [UInt8]) -> String? {
    do throws(JSONObjectCheck.SyntaxError) {
      try JSONObjectCheck.check(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    "{}", " \t\r\n{ } \n", #"{"a":1}"#, #"{"a":[],"b":{},"c":[{}],"":null}"#,
    #"{"a":[1,-0,0.5,1e9,-1.25E-3,0e+1,true,false,null,"x"]}"#,
    #"{"a":"\"\\\/\b\f\n\r\tX\u00e9 é 日本"}"#, "\u{FEFF}{}",
    #"{"parallax": 1, "animation": {"move": {"by": [12, 0]}}}"#,
  ])
  func objects(text: String) {
    #expect(message(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("", "1:1: empty document"),
    (" \n ", "2:2: empty document"),
    ("[]", "1:1: expected a JSON object, which starts with {"),
    ("1", "1:1: expected a JSON object, which starts with {"),
    ("\"{}\"", "1:1: expected a JSON object, which starts with {"),
    ("<!DOCTYPE html>", "1:1: expected a JSON object, which starts with {"),
    ("{", "1:2: unexpected end of document"),
    ("{\"a\"", "1:5: unexpected end of document"),
    ("{\"a\":", "1:6: unexpected end of document"),
    ("{\"a\":1", "1:7: unexpected end of document"),
    ("{\"a\":\"x", "1:8: unexpected end of document"),
    ("{\"a\":[1,", "1:9: unexpected end of document"),
    ("{}{}", "1:3: unexpected text after the object"),
    ("{} x", "1:4: unexpected text after the object"),
    ("{a:1}", "1:2: expected a key in quotes"),
    ("{\"a\" 1}", "1:6: expected :"),
    ("{\"a\":1,}", "1:8: expected a key in quotes"),
    ("{\"a\":[1,]}", "1:9: expected a value"),
    ("{\"a\":[1 2]}", "1:9: expected , or ]"),
    ("{\"a\":[1}}", "1:8: expected , or ]"),
    ("{\n \"é\": nul}", "2:7: expected a value"),
    ("{\"a\":tru}", "1:6: expected a value"),
    ("{\"a\":-}", "1:7: expected a digit"),
    ("{\"a\":01}", "1:7: expected , or }"),
    ("{\"a\":1.}", "1:8: expected a digit"),
    ("{\"a\":1e}", "1:8: expected a digit"),
    ("{\"a\":.5}", "1:6: expected a value"),
    ("{\"a\":NaN}", "1:6: expected a value"),
    ("{\"a\":\"\\x\"}", "1:8: invalid escape"),
    ("{\"a\":\"\\u12g4\"}", "1:11: invalid escape"),
    ("{\"a\":\"\n\"}", "1:7: control character in a string"),
  ])
  func invalidTexts(text: String, expected: String) {
    #expect(message(Array(text.utf8)) == expected)
  }

  @Test func invalidUTF8() {
    #expect(message(Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)) != nil)
    #expect(message([0xFF, 0xFE]) == "1:1: not UTF-8")
  }

  @Test(arguments: [(511, true), (512, false), (500_000, false)])
  func depth(arrays: Int, isAllowed: Bool) {
    let text =
      "{\"a\":" + String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
      + "}"
    #expect((message(Array(text.utf8)) == nil) == isAllowed)
    #expect(isAllowed || message(Array(text.utf8))?.contains("more than 512 levels deep") == true)
  }

  @Test func prefixOfAnObjectIsInvalid() {
    let text = Array(#"{"a":[1.5e3,{"b":"\u0041\n"},true,[],{}],"c":null}"#.utf8)
    #expect(message(text) == nil)
    for length in 0..<text.count { #expect(message(Array(text[..<length])) != nil) }
  }

  /// Random texts of JSON's characters must not crash the check.
  @Test func randomTexts() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = Random(seed)
    let alphabet = Array("{}[]\",:\\u0123456789.eE+-truefalsn \n\u{e9}".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      _ = message([UInt8(ascii: "{")] + bytes)
    }
    print("JSON check: seed \(seed)")
  }
}

/// SplitMix64.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
