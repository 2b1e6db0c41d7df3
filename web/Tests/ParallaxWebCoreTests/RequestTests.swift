import ParallaxWebCore
import Testing

@Suite("What the daemon asks, and the answers' lines")
struct RequestTests {
  @Test(arguments: ["a", "nudge", "A-b_c.9", ".hidden", "a..b", String(repeating: "x", count: 128)])
  func ids(text: String) {
    #expect(DocumentID(text)?.fileName == text + ".json")
  }

  @Test(arguments: [
    "", ".", "..", "a/b", "../a", "a b", "a%2fb", "a\u{0}b", "é", "a\n", "~a", "a:b", "a\\b",
    String(repeating: "x", count: 129),
  ])
  func noIDs(text: String) {
    #expect(DocumentID(text) == nil)
  }

  @Test(arguments: [
    ("https://example.org", "https://example.org/nudge.json"),
    ("https://example.org/", "https://example.org/nudge.json"),
    ("http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080/a/b/nudge.json"),
    ("http://[::1]:8080/a/", "http://[::1]:8080/a/nudge.json"),
  ])
  func addresses(base: String, address: String) throws {
    let id = try #require(DocumentID("nudge"))
    #expect(try WebAddress(base).document(id).text == address)
  }

  @Test(arguments: [
    ("", "an address is wanted"), ("example.org", "an address is wanted"),
    ("ftp://example.org", "ftp: is no way to a document"),
    ("file:///etc", "file: is no way to a document"), ("http:///a", "there is no host"),
    ("https://me:secret@example.org", "a user's name or password"),
    ("https://example.org/a b", "an address is wanted"),
    ("https://example.org/a\nb", "an address is wanted"),
    ("https://example.org/?a=b", "has no ? in it"),
    ("https://" + String(repeating: "x", count: 2048), "at most 2048 bytes"),
  ])
  func noAddresses(base: String, message: String) throws {
    let id = try #require(DocumentID("nudge"))
    let problem = #expect(throws: WebAddress.Problem.self) { try WebAddress(base).document(id) }
    #expect(problem?.description.contains(message) == true, "\(problem?.description ?? "")")
  }

  @Test func aQuestion() throws {
    let line = #"{"class":"FETCH","base":"http://[::1]:80/a","id":"nudge","later":[1]}"#
    #expect(
      try FetchRequest(line: Array(line.utf8)) == FetchTests.request("http://[::1]:80/a"))
  }

  @Test(arguments: [
    ("", nil, "one JSON object a line"), ("hello", nil, "one JSON object a line"),
    ("[]", nil, "one JSON object a line"), (#"{"id":"nudge"}"#, nil, "one JSON object a line"),
    (#"{"class":"STATUS","id":"nudge"}"#, "nudge", "knows FETCH alone"),
    (#"{"class":"FETCH","base":"http://a"}"#, nil, "an id is 1 to 128"),
    (#"{"class":"FETCH","base":"http://a","id":"../a"}"#, "../a", "an id is 1 to 128"),
    (#"{"class":"FETCH","id":"nudge"}"#, "nudge", "an address is wanted"),
    (#"{"class":"FETCH","base":"gopher://a","id":"nudge"}"#, "nudge", "gopher: is no way"),
    (#"{"class":"FETCH","base":"http://a/?b","id":"nudge"}"#, "nudge", "no ? in it"),
  ])
  func noQuestions(line: String, id: String?, message: String) {
    let trouble = #expect(throws: FetchTrouble.self) { try FetchRequest(line: Array(line.utf8)) }
    #expect(
      trouble?.id == id && trouble?.message.contains(message) == true,
      "\(String(describing: trouble))")
  }

  @Test func answers() throws {
    let id = try #require(DocumentID("nudge"))
    func text(_ answer: FetchAnswer) -> String { String(decoding: answer.bytes, as: UTF8.self) }
    #expect(
      text(.document(id, text: Array("{}\n".utf8), origin: .network, note: nil))
        == #"{"class":"DOCUMENT","id":"nudge","bytes":3,"origin":"network"}"# + "\n{}\n")
    #expect(
      text(.document(id, text: Array("{}".utf8), origin: .stale, note: "of\n\"then\""))
        == #"{"class":"DOCUMENT","id":"nudge","bytes":2,"origin":"stale","note":"of \"then\""}"#
        + "\n{}")
    #expect(
      text(.error(FetchTrouble(id: "../\n", "no: https://a/b")))
        == #"{"class":"ERROR","id":"../ ","message":"no: https://a/b"}"# + "\n")
    #expect(
      text(.error(FetchTrouble(id: "nudge", "no", isMissing: true)))
        == #"{"class":"ERROR","id":"nudge","message":"no","missing":true}"# + "\n")
    #expect(
      text(.error(FetchTrouble(id: nil, String(repeating: "x", count: 9000)))).utf8.count < 1100)
  }
}
