// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("\u{E4}\u{1F600}", "\u{E4}\u{1F600}"),
    ("a\nb\r\tc", "a b  c"), ("\u{1B}[2J", " [2J"), ("a\u{0}b\u{7F}c", "a b c"),
    ("a\u{85}b\u{9B}c", "a b c"), ("a\u{2028}b\u{2029}c", "a b c"),
  ])
  func controlCharactersBecomeSpaces(text: String, line: String) {
    #expect(PrintableText.line(text) == line)
  }

  @Test func theReplacementMayBeAnother() {
    #expect(PrintableText.line("a\nb\u{1B}c", replacement: "?") == "a?b?c")
  }

  @Test(arguments: [
    ("plain \u{E4}", "plain \u{E4}"), ("a\u{1B}b", "a\\u{1b}b"), ("a\nb", "a\\u{a}b"),
    // A zero-width space, a soft hyphen, a right-to-left override: not controls, but invisible.
    ("a\u{200B}b", "a\\u{200b}b"), ("a\u{AD}b", "a\\u{ad}b"), ("a\u{202E}b", "a\\u{202e}b"),
    ("a\u{2028}b", "a\\u{2028}b"), ("a\u{A0}b", "a\u{A0}b"),
  ])
  func invisibleCharactersAreEscaped(text: String, escaped: String) {
    #expect(PrintableText.escaped(text) == escaped)
  }

  @Test func randomTextIsPrintableAfterwards() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        let range: ClosedRange<UInt32> =
          Bool.random(using: &generator) ? 0...0xA0 : 0x2000...0x2070
        if let scalar = Unicode.Scalar(.random(in: range, using: &generator)) {
          scalars.append(scalar)
        }
      }
      let text = String(scalars)
      let line = PrintableText.line(text)
      #expect(!line.unicodeScalars.contains(where: PrintableText.isControl), "\(generator.note)")
      #expect(line.unicodeScalars.count == scalars.count, "\(generator.note)")
      #expect(PrintableText.line(line) == line, "\(generator.note)")
      let escaped = PrintableText.escaped(text)
      #expect(
        !escaped.unicodeScalars.contains(where: PrintableText.isInvisible), "\(generator.note)")
    }
  }

  @Test func aLongTextIsCutAtACharacter() {
    #expect(PrintableText.cut("abcdef", toBytes: 6) == "abcdef")
    #expect(PrintableText.cut("abcdefg", toBytes: 6) == "abc...")
    #expect(PrintableText.cut("ab\u{1F600}cd", toBytes: 7) == "ab...")
    #expect(PrintableText.cut("ab\u{1F600}cd", toBytes: 8) == "ab\u{1F600}cd")
    for limit in 0..<12 {
      #expect(
        PrintableText.cut("\u{E4}\u{1F600}\u{1F600}\u{E4}", toBytes: limit).utf8.count
          <= max(3, limit))
    }
  }
}
