// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct LineReaderTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var chunks: [String]
    var lines: [String]
    var testDescription: String { name }
  }

  /// Lines as text; `!` is a line over the limit of 8 bytes.
  @Test(arguments: [
    Case(name: "one line", chunks: ["abc\n"], lines: ["abc"]),
    Case(name: "two at once", chunks: ["ab\ncd\n"], lines: ["ab", "cd"]),
    Case(name: "in pieces", chunks: ["a", "b", "c\nd", "\n"], lines: ["abc", "d"]),
    Case(name: "CR LF", chunks: ["ab\r\ncd\r", "\n"], lines: ["ab", "cd"]),
    Case(name: "a CR inside stays", chunks: ["a\rb\n"], lines: ["a\rb"]),
    Case(name: "blank lines are skipped", chunks: ["\n\r\n\nab\n"], lines: ["ab"]),
    Case(name: "the last line without LF", chunks: ["ab\ncd"], lines: ["ab", "cd"]),
    Case(name: "exactly the limit", chunks: ["12345678\n"], lines: ["12345678"]),
    Case(name: "exactly the limit, CR LF", chunks: ["12345678\r\n"], lines: ["12345678"]),
    Case(name: "exactly the limit at the end", chunks: ["12345678"], lines: ["12345678"]),
    Case(name: "one byte more", chunks: ["123456789\nab\n"], lines: ["!"]),
    Case(name: "one byte more at the end", chunks: ["ab\n123456789"], lines: ["ab", "!"]),
    Case(name: "never ending", chunks: ["1234567890123", "456", "\nab\n"], lines: ["!"]),
    Case(name: "nothing", chunks: [""], lines: []),
  ])
  func bytesBecomeLines(_ it: Case) {
    var reader = LineReader(limit: LineLimit(bytes: 8))
    var lines: [String] = []
    func note(_ line: LineReader.Line) {
      switch line {
      case .text(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
      case .tooLong: lines.append("!")
      }
    }
    for chunk in it.chunks {
      Array(chunk.utf8).withUnsafeBytes { reader.add($0) }
      while let line = reader.next() { note(line) }
    }
    reader.end()
    while let line = reader.next() { note(line) }
    #expect(!reader.mayHaveLine)
    #expect(lines == it.lines)
  }

  /// The lines do not depend on how the bytes are divided.
  @Test func divisionDoesNotMatter() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Array("a\r\n".utf8).randomElement(using: &generator) ?? 0
      }
      var whole: [[UInt8]] = []
      var cut: [[UInt8]] = []
      Self.read([text], into: &whole)
      var pieces: [[UInt8]] = []
      var rest = text[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &generator)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      Self.read(pieces, into: &cut)
      #expect(cut == whole, generator.commented(text))
    }
  }

  /// The lengths of the lines read with a limit of 8 bytes, and of 40 for a PLAY or an ANIMATE; -1: too long.
  @Test(arguments: [
    ([#"{"class":"PLAY","d":1}"#], [22]),
    ([#"{"class":"PLAY","d":1}"#, "abc"], [22, 3]),
    ([#"{"tag":"a","d":{},"class":"PLAY"}"#], [33]),
    ([#"{"class":"ANIMATE","a":1}"#], [25]),
    ([#"{"class":"STATUS"}"#], [-1]),
    ([#"{"class":"STATUS","class":"PLAY"}"#], [-1]),
    ([#"{"tag":"PLAY","x":["class","PLAY"]}"#], [-1]),
    ([#"{"x":{"class":"PLAY"},"class":"SET"}"#], [-1]),
    (["123456789"], [-1]),
    ([#"{"class":"PLAY","d":"# + String(repeating: "1", count: 19) + "}"], [40]),
    ([#"{"class":"PLAY","d":"# + String(repeating: "1", count: 20) + "}"], [-1]),
    ([#"{"class":"PLAY"}"#, "123456789"], [16, -1]),
  ])
  func onlyARequestWithADocumentMayBeLong(_ lines: [String], _ lengths: [Int]) {
    let text = Array(lines.joined(separator: "\r\n").utf8)
    for step in 1...text.count {
      var reader = LineReader(limit: LineLimit(bytes: 8, documentBytes: 40))
      var found: [Int] = []
      func note(_ line: LineReader.Line) {
        if case .text(let bytes) = line { found.append(bytes.count) } else { found.append(-1) }
      }
      for start in stride(from: 0, to: text.count, by: step) {
        Array(text[start..<min(text.count, start + step)]).withUnsafeBytes { reader.add($0) }
        while let line = reader.next() { note(line) }
      }
      reader.end()
      while let line = reader.next() { note(line) }
      #expect(found == lengths, "in blocks of \(step) bytes")
    }
  }

  private static func read(_ chunks: [[UInt8]], into lines: inout [[UInt8]]) {
    var reader = LineReader(limit: LineLimit(bytes: 8))
    var found: [[UInt8]] = []
    func note(_ line: LineReader.Line) {
      switch line {
      case .text(let bytes): found.append(bytes)
      case .tooLong: found.append([])
      }
    }
    for chunk in chunks {
      chunk.withUnsafeBytes { reader.add($0) }
      while let line = reader.next() { note(line) }
    }
    reader.end()
    while let line = reader.next() { note(line) }
    lines = found
  }
}

extension SeededGenerator {
  /// The seed, with a value that failed.
  func commented(_ value: some Any) -> Comment { "\(note), with \(String(describing: value))" }
}
