import ParallaxWebCore
import Testing

@Suite("One JSON object, or not")
struct JSONObjectCheckTests {
  private func problem(_ text: [UInt8]) -> String? {
    do throws(JSONObjectCheck.Problem) {
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
    #expect(problem(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("", "1:1: it is empty"),
    (" \n ", "2:2: it is empty"),
    ("[]", "1:1: it is no JSON object: { expected"),
    ("1", "1:1: it is no JSON object: { expected"),
    ("\"{}\"", "1:1: it is no JSON object: { expected"),
    ("<!DOCTYPE html>", "1:1: it is no JSON object: { expected"),
    ("{", "1:2: it ends in the middle"),
    ("{\"a\"", "1:5: it ends in the middle"),
    ("{\"a\":", "1:6: it ends in the middle"),
    ("{\"a\":1", "1:7: it ends in the middle"),
    ("{\"a\":\"x", "1:8: it ends in the middle"),
    ("{\"a\":[1,", "1:9: it ends in the middle"),
    ("{}{}", "1:3: there is more behind the object"),
    ("{} x", "1:4: there is more behind the object"),
    ("{a:1}", "1:2: a key in quotes expected"),
    ("{\"a\" 1}", "1:6: : expected"),
    ("{\"a\":1,}", "1:8: a key in quotes expected"),
    ("{\"a\":[1,]}", "1:9: a value expected"),
    ("{\"a\":[1 2]}", "1:9: , or ] expected"),
    ("{\"a\":[1}}", "1:8: , or ] expected"),
    ("{\n \"é\": nul}", "2:7: a value expected"),
    ("{\"a\":tru}", "1:6: a value expected"),
    ("{\"a\":-}", "1:7: a digit expected"),
    ("{\"a\":01}", "1:7: , or } expected"),
    ("{\"a\":1.}", "1:8: a digit expected"),
    ("{\"a\":1e}", "1:8: a digit expected"),
    ("{\"a\":.5}", "1:6: a value expected"),
    ("{\"a\":NaN}", "1:6: a value expected"),
    ("{\"a\":\"\\x\"}", "1:8: no such escape"),
    ("{\"a\":\"\\u12g4\"}", "1:11: no such escape"),
    ("{\"a\":\"\n\"}", "1:7: a control character in a string"),
  ])
  func whatIsNone(text: String, message: String) {
    #expect(problem(Array(text.utf8)) == message)
  }

  @Test func bytesThatAreNoTextAreTold() {
    #expect(problem(Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)) != nil)
    #expect(problem([0xFF, 0xFE]) == "1:1: it is not UTF-8")
  }

  @Test(arguments: [(511, true), (512, false), (500_000, false)])
  func depth(arrays: Int, isAllowed: Bool) {
    let text =
      "{\"a\":" + String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
      + "}"
    #expect((problem(Array(text.utf8)) == nil) == isAllowed)
    #expect(isAllowed || problem(Array(text.utf8))?.contains("more than 512 deep") == true)
  }

  /// Every text that begins an object and does not end it.
  @Test func noPrefixOfAnObjectIsOne() {
    let text = Array(#"{"a":[1.5e3,{"b":"\u0041\n"},true,[],{}],"c":null}"#.utf8)
    #expect(problem(text) == nil)
    for length in 0..<text.count { #expect(problem(Array(text[..<length])) != nil) }
  }

  /// Random bytes of JSON's own alphabet: whatever it says, it says it.
  @Test func randomTextsEnd() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = Random(seed)
    let alphabet = Array("{}[]\",:\\u0123456789.eE+-truefalsn \n\u{e9}".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      _ = problem([UInt8(ascii: "{")] + bytes)
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
