// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct ProviderAnswerTests {
  /// Reads an answer at once and byte by byte, which must give the same.
  private func read(_ answer: String) throws -> ProvidedDocument? {
    func document(inPiecesOf size: Int) throws -> ProvidedDocument? {
      var reader = ProviderAnswer(id: "nudge")
      var rest = Array(answer.utf8)[...]
      while !rest.isEmpty {
        let isWhole = try rest.prefix(size).withUnsafeBytes { bytes in
          try reader.add(bytes)
        }
        if isWhole { break }
        rest = rest.dropFirst(size)
      }
      return reader.whole()
    }
    let whole = try document(inPiecesOf: .max)
    let pieces = try document(inPiecesOf: 1)
    #expect(whole == pieces)
    return whole
  }

  @Test(arguments: [
    (
      #""origin":"network""#, ProvidedDocument(text: Array("{\"a\": 12345}".utf8), origin: .network)
    ),
    (#""origin":"cache""#, ProvidedDocument(text: Array("{\"a\": 12345}".utf8), origin: .cache)),
    (
      #""origin":"stale","note":"of 3 min ago","later":1"#,
      ProvidedDocument(
        text: Array("{\"a\": 12345}".utf8), origin: .stale, note: "of 3 min ago")
    ),
  ])
  func documentsAreRead(fields: String, document: ProvidedDocument) throws {
    let line = #"{"class":"DOCUMENT","id":"nudge","bytes":12,\#(fields)}"#
    #expect(try read(line + "\n{\"a\": 12345}") == document)
    #expect(try read(line + "\n{\"a\": 12345}and more, which is ignored") == document)
    #expect(try read(line + "\n{\"a\": 1234") == nil, "incomplete document")
    #expect(try read(line) == nil, "incomplete line")
  }

  @Test(arguments: [
    (
      #"{"class":"ERROR","id":"nudge","message":"no such animation: nudge"}"#,
      "no such animation: nudge"
    ),
    ("hello", "cannot be read: 1:"),
    ("", "cannot be read: 1:1: empty"),
    ("[]", "expected an object"),
    (#"{"class":"STATUS"}"#, "answered with STATUS; is it the same release?"),
    (#"{"class":"ERROR"}"#, "\"message\" is missing"),
    (
      #"{"class":"DOCUMENT","id":"other","bytes":1,"origin":"cache"}"#,
      "a document other than nudge"
    ),
    (
      #"{"class":"DOCUMENT","id":"nudge","bytes":1,"origin":"moon"}"#,
      #"$.origin: expected one of "network", "cache", "stale""#
    ),
    (#"{"class":"DOCUMENT","id":"nudge","bytes":0,"origin":"cache"}"#, "$.bytes: expected a"),
    (#"{"class":"DOCUMENT","id":"nudge","bytes":-1,"origin":"cache"}"#, "$.bytes: expected a"),
    (
      #"{"class":"DOCUMENT","id":"nudge","bytes":1048577,"origin":"cache"}"#,
      "$.bytes: expected a"
    ),
    (String(repeating: "x", count: 9000), "not a line of JSON"),
  ])
  func invalidAnswersAreErrors(line: String, message: String) throws {
    let error = #expect(throws: ProviderError.self) { _ = try read(line + "\n") }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "none")")
  }

  /// Its texts reach clients and terminals: each is one line without control characters.
  @Test(arguments: [
    (#"{"class":"ERROR","message":"a\nb\u001b[2J"}"#, "a b [2J"),
    (#"{"class":"ERROR","message":""}"#, "the provider gives no reason"),
    (
      #"{"class":"\u001b]0;x\u0007"}"#,
      "the provider answered with  ]0;x ; is it the same release?"
    ),
  ])
  func textsOfErrorsArePrintable(line: String, message: String) throws {
    let error = #expect(throws: ProviderError.self) { _ = try read(line + "\n") }
    #expect(error?.description == message)
  }

  @Test(arguments: [("of \\u001b[1m3 min\\n ago", "of  [1m3 min  ago"), ("", nil)])
  func notesArePrintable(note: String, shown: String?) throws {
    let line = #"{"class":"DOCUMENT","id":"nudge","bytes":2,"origin":"stale","note":"\#(note)"}"#
    #expect(try read(line + "\n{}")?.note == shown)
  }

  @Test(arguments: [(#","missing":true"#, true), (#","missing":false"#, false), ("", false)])
  func missingDocumentsAreDistinguished(field: String, isMissing: Bool) {
    let error = #expect(throws: ProviderError.self) {
      _ = try read(#"{"class":"ERROR","id":"nudge","message":"no"\#(field)}"# + "\n")
    }
    #expect(error == ProviderError("no", isMissing: isMissing))
  }

  @Test func aLineWithoutAnEndIsRefused() {
    var reader = ProviderAnswer(id: "nudge")
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    #expect(throws: ProviderError.self) {
      _ = try block.withUnsafeBytes { bytes in try reader.add(bytes) }
    }
  }
}
