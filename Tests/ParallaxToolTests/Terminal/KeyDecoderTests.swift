// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxTool
import Testing

@Suite struct KeyDecoderTests {
  private static let sequences: [(String, [Key])] = [
    ("q", [.character("q")]),
    ("a+ ", [.character("a"), .character("+"), .character(" ")]),
    ("\u{3}\u{1A}\u{C}", [.control("c"), .control("z"), .control("l")]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    // In application mode, and with a modifier.
    ("\u{1B}OA\u{1B}[1;5C", [.up, .right]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~", [.pageUp, .pageDown, .home, .end]),
    ("\r\t\u{7F}\u{8}", [.enter, .tab, .backspace, .backspace]),
    ("\u{1B}", [.escape]),
    ("é±", [.character("é"), .character("±")]),
    // Function keys and unknown sequences.
    ("\u{1B}[15~\u{1B}[?1;2c\u{1B}OPx", [.character("x")]),
  ]

  @Test(arguments: sequences)
  func bytesAreKeys(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: text.utf8) == keys)
  }

  @Test func aSequenceMayComeInParts() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: "\u{1B}[".utf8) == [])
    #expect(decoder.keys(in: "1;2".utf8) == [])
    #expect(decoder.keys(in: "Aq".utf8) == [.up, .character("q")])
    let bytes = Array("é".utf8)
    #expect(decoder.keys(in: bytes[..<1]) == [])
    #expect(decoder.keys(in: bytes[1...]) == [.character("é")])
  }

}
