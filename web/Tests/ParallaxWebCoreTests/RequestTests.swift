// SPDX-License-Identifier: Apache-2.0

import ParallaxWebCore
import Testing

@Suite("Requests and answers")
struct RequestTests {
  @Test(arguments: ["a", "nudge", "A-b_c.9", ".hidden", "a..b", String(repeating: "x", count: 128)])
  func ids(text: String) {
    #expect(DocumentID(text)?.fileName == text + ".json")
  }

  @Test(arguments: [
    "", ".", "..", "a/b", "../a", "a b", "a%2fb", "a\u{0}b", "é", "a\n", "~a", "a:b", "a\\b",
    String(repeating: "x", count: 129),
  ])
  func invalidIDs(text: String) {
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
    ("", "expected a URL such as"), ("example.org", "expected a URL such as"),
    ("ftp://example.org", "unsupported scheme 'ftp'"),
    ("file:///etc", "unsupported scheme 'file'"), ("http:///a", "no host"),
    ("https://me:secret@example.org", "a user name or password"),
    ("https://example.org/a b", "expected a URL such as"),
    ("https://example.org/a\nb", "expected a URL such as"),
    ("https://example.org/?a=b", "must not contain '?'"),
    ("https://" + String(repeating: "x", count: 2048), "at most 2048 bytes"),
  ])
  func invalidAddresses(base: String, message: String) throws {
    let id = try #require(DocumentID("nudge"))
    let error = #expect(throws: WebAddress.InvalidAddressError.self) {
      try WebAddress(base).document(id)
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func validRequest() throws {
    let line = #"{"class":"FETCH","base":"http://[::1]:80/a","id":"nudge","later":[1]}"#
    #expect(
      try FetchRequest(line: Array(line.utf8)) == FetchTests.request("http://[::1]:80/a"))
  }

  @Test(arguments: [
    ("", nil, "one JSON object per line"), ("hello", nil, "one JSON object per line"),
    ("[]", nil, "one JSON object per line"), (#"{"id":"nudge"}"#, nil, "one JSON object per line"),
    (#"{"class":"STATUS","id":"nudge"}"#, "nudge", "supports only FETCH"),
    (#"{"class":"FETCH","base":"http://a"}"#, nil, "an id must be 1 to 128"),
    (#"{"class":"FETCH","base":"http://a","id":"../a"}"#, "../a", "an id must be 1 to 128"),
    (#"{"class":"FETCH","id":"nudge"}"#, "nudge", "expected a URL such as"),
    (
      #"{"class":"FETCH","base":"gopher://a","id":"nudge"}"#, "nudge", "unsupported scheme 'gopher'"
    ),
    (#"{"class":"FETCH","base":"http://a/?b","id":"nudge"}"#, "nudge", "must not contain '?'"),
  ])
  func invalidRequests(line: String, id: String?, message: String) {
    let error = #expect(throws: FetchError.self) { try FetchRequest(line: Array(line.utf8)) }
    #expect(
      error?.id == id && error?.message.contains(message) == true,
      "\(String(describing: error))")
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
      text(.error(FetchError(id: "../\n", "no: https://a/b")))
        == #"{"class":"ERROR","id":"../ ","message":"no: https://a/b"}"# + "\n")
    #expect(
      text(.error(FetchError(id: "nudge", "no", isMissing: true)))
        == #"{"class":"ERROR","id":"nudge","message":"no","missing":true}"# + "\n")
    #expect(
      text(.error(FetchError(id: nil, String(repeating: "x", count: 9000)))).utf8.count < 1100)
  }
}
