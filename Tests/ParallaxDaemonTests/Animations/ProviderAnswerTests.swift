import ParallaxDaemon
import ParallaxTestSupport
import Testing

@Suite("What the provider answers")
struct ProviderAnswerTests {
  /// All at once, and a byte at a time.
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
  func aDocument(fields: String, document: ProvidedDocument) throws {
    let line = #"{"class":"DOCUMENT","id":"nudge","bytes":12,\#(fields)}"#
    #expect(try read(line + "\n{\"a\": 12345}") == document)
    #expect(try read(line + "\n{\"a\": 12345}and more, which is nobody's") == document)
    #expect(try read(line + "\n{\"a\": 1234") == nil, "not whole yet")
    #expect(try read(line) == nil, "not even its line")
  }

  @Test(arguments: [
    (
      #"{"class":"ERROR","id":"nudge","message":"no such animation: nudge"}"#,
      "no such animation: nudge"
    ),
    ("hello", "cannot be read: 1:"),
    ("", "cannot be read: 1:1: empty"),
    ("[]", "expected an object"),
    (#"{"class":"STATUS"}"#, "answers with STATUS; is it of this release?"),
    (#"{"class":"ERROR"}"#, "\"message\" is missing"),
    (
      #"{"class":"DOCUMENT","id":"other","bytes":1,"origin":"cache"}"#,
      "another document than nudge"
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
    (String(repeating: "x", count: 9000), "no line of JSON"),
  ])
  func trouble(line: String, message: String) throws {
    let trouble = #expect(throws: ProviderTrouble.self) { _ = try read(line + "\n") }
    #expect(trouble?.description.contains(message) == true, "\(trouble?.description ?? "none")")
  }

  @Test(arguments: [(#","missing":true"#, true), (#","missing":false"#, false), ("", false)])
  func whatTheServerDoesNotHaveIsToldApart(field: String, isMissing: Bool) {
    let trouble = #expect(throws: ProviderTrouble.self) {
      _ = try read(#"{"class":"ERROR","id":"nudge","message":"no"\#(field)}"# + "\n")
    }
    #expect(trouble == ProviderTrouble("no", isMissing: isMissing))
  }

  @Test func aLineWithoutAnEndIsNotKept() {
    var reader = ProviderAnswer(id: "nudge")
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    #expect(throws: ProviderTrouble.self) {
      _ = try block.withUnsafeBytes { bytes in try reader.add(bytes) }
    }
  }
}
