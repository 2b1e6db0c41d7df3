// SPDX-License-Identifier: Apache-2.0

import ParallaxWebCore
import Testing

/// The steps after each possible event, without a network.
@Suite("Fetch state machine")
struct FetchTests {
  static let text = Array(#"{"parallax":1}"#.utf8)
  static let now: Int64 = 1_763_735_000

  static func request(
    _ base: String = "https://example.org/a", _ id: String = "nudge"
  ) throws -> FetchRequest {
    FetchRequest(base: try WebAddress(base), id: try #require(DocumentID(id)))
  }

  /// Returns a copy that was checked 90 s ago.
  static func copy(tag: String? = "\"v1\"") throws -> CachedDocument {
    try CachedDocument(
      text: Array("{\"old\":1}".utf8), entityTag: tag, checkedSeconds: now - 90)
  }

  /// The events after the first request.
  enum Scenario {
    case head(ResponseHead)
    case body(ResponseHead, [UInt8])
    case tooLong(ResponseHead)
    case reason(ResponseHead, [UInt8])
    case failure(String)
    case timeout
  }

  static func play(_ scenario: Scenario, copy: CachedDocument?) throws -> Fetch.Conclusion? {
    var fetch = Fetch(try request(), copy: copy)
    _ = fetch.begin(atSeconds: now)
    let step: Fetch.Step
    switch scenario {
    case .head(let head): step = fetch.receive(head, atSeconds: now)
    case .body(let head, let body):
      #expect(fetch.receive(head, atSeconds: now) == .readBody)
      step = fetch.receive(body: body, atSeconds: now)
    case .tooLong(let head):
      #expect(fetch.receive(head, atSeconds: now) == .readBody)
      step = fetch.handleBodyTooLong(atSeconds: now)
    case .reason(let head, let text):
      #expect(fetch.receive(head, atSeconds: now) == .readReason)
      step = fetch.receive(reason: text, atSeconds: now)
    case .failure(let reason): step = fetch.fail(reason, atSeconds: now)
    case .timeout: step = .done(fetch.handleTimeout(atSeconds: now))
    }
    guard case .done(let conclusion) = step else { return nil }
    return conclusion
  }

  static let json = ResponseHead(status: 200, contentType: "application/json")

  // MARK: - Working servers

  @Test func newDocumentIsReturnedAndCached() throws {
    let id = try #require(DocumentID("nudge"))
    var head = Self.json
    head.entityTag = "\"v2\""
    for copy in [nil, try Self.copy()] {
      let conclusion = try Self.play(.body(head, Self.text), copy: copy)
      #expect(conclusion?.answer == .document(id, text: Self.text, origin: .network, note: nil))
      #expect(
        conclusion?.change
          == .store(
            try CachedDocument(text: Self.text, entityTag: "\"v2\"", checkedSeconds: Self.now)))
    }
  }

  @Test func firstRequestNamesTheCopysVersion() throws {
    let address = try WebAddress("https://example.org/a/nudge.json")
    for (copy, tag) in [
      (nil, nil), (try Self.copy(), "\"v1\""), (try Self.copy(tag: nil), nil),
    ] {
      var fetch = Fetch(try Self.request(), copy: copy)
      #expect(fetch.begin(atSeconds: Self.now) == .get(address, ifNoneMatch: tag))
    }
  }

  @Test func unchangedDocumentComesFromTheCache() throws {
    let id = try #require(DocumentID("nudge"))
    let copy = try Self.copy()
    let conclusion = try Self.play(.head(ResponseHead(status: 304)), copy: copy)
    #expect(conclusion?.answer == .document(id, text: copy.text, origin: .cache, note: nil))
    #expect(conclusion?.change == .touch(seconds: Self.now))
  }

  @Test(arguments: [404, 410])
  func missingDocumentIsRemoved(status: Int) throws {
    for copy in [nil, try Self.copy()] {
      let conclusion = try Self.play(.head(ResponseHead(status: status)), copy: copy)
      let message = "no such animation: nudge (https://example.org/a/nudge.json answered \(status))"
      #expect(
        conclusion?.answer == .error(FetchError(id: "nudge", message, isMissing: true)))
      #expect(conclusion?.change == .remove)
    }
  }

  // MARK: - Failing servers

  static func head(
    _ status: Int = 200, type: String? = "application/json", length: Int? = nil,
    encoding: String? = nil, location: String? = nil
  ) -> ResponseHead {
    ResponseHead(
      status: status, contentType: type, contentLength: length, contentEncoding: encoding,
      location: location)
  }

  static let failures: [(Scenario, String)] = [
    (.head(head(500)), "the server answered 500"),
    (.head(head(503)), "the server answered 503"),
    (.head(head(401)), "the server answered 401"),
    (.head(head(429)), "the server answered 429"),
    (.head(head(206)), "the server answered 206"),
    (
      .reason(
        head(413, type: "text/plain"), Array("a.json has 3 bytes; the limit is 2\nmore".utf8)),
      "the server answered 413: a.json has 3 bytes; the limit is 2"
    ),
    (.reason(head(500, type: "text/plain; charset=utf-8"), []), "the server answered 500"),
    (
      .reason(head(500, type: "text/plain"), [UInt8](repeating: 0x61, count: 1000)),
      "the server answered 500: " + String(repeating: "a", count: 200)
    ),
    (.reason(head(502, type: "text/plain"), [0xFF, 0x61]), "the server answered 502: \u{FFFD}a"),
    (
      .head(head(type: "text/html; charset=utf-8")),
      "the content type is text/html; expected application/json"
    ),
    (.head(head(type: "text/plain")), "the content type is text/plain; expected application/json"),
    (.head(head(type: "+json")), "the content type is +json; expected"),
    (.head(head(type: nil)), "no content type; expected application/json"),
    (.head(head(length: 1_048_577)), "the document has 1048577 bytes; the limit is 1048576"),
    (.head(head(encoding: "gzip")), "unexpected content encoding 'gzip'"),
    (.tooLong(json), "the document has more than 1048576 bytes"),
    (
      .body(json, [UInt8](repeating: 0x20, count: 1_048_577)),
      "the document has more than 1048576 bytes"
    ),
    (.body(json, Array("{\"a\":".utf8)), "invalid document: 1:6: unexpected end of document"),
    (.body(json, Array("[]".utf8)), "invalid document: 1:1: expected a JSON object"),
    (.body(json, []), "invalid document: 1:1: empty document"),
    (.head(head(302)), "the server redirects without a location"),
    (
      .head(head(302, location: "ftp://example.org/x")),
      "invalid redirect: unsupported scheme 'ftp'"
    ),
    (
      .head(head(302, location: "file:///etc/passwd")),
      "invalid redirect: unsupported scheme 'file'"
    ),
    (
      .head(head(302, location: "http://example.org/x")),
      "a redirect from https to http is not allowed"
    ),
    (
      .head(head(302, location: "https://a:b@example.org/x")),
      "must not contain a user name or password"
    ),
    (.head(head(307, location: "nudge.json")), "redirect loop"),
    (
      .failure("the server closed the connection too early"),
      "the server closed the connection too early"
    ),
    (.timeout, "the server did not answer within 5 s"),
  ]

  @Test(arguments: failures.indices)
  func failureIsAnErrorWithoutACopy(index: Int) throws {
    let (scenario, message) = Self.failures[index]
    let conclusion = try Self.play(scenario, copy: nil)
    guard case .error(let error)? = conclusion?.answer else {
      Issue.record("no error for \(scenario)")
      return
    }
    #expect(error.id == "nudge" && !error.isMissing)
    #expect(error.message.hasPrefix("https://example.org/a/nudge.json: "), "\(error.message)")
    #expect(error.message.contains(message), "\(error.message)")
    #expect(conclusion?.change == Fetch.CacheChange.none)
  }

  @Test(arguments: failures.indices)
  func failureReturnsTheCopy(index: Int) throws {
    let (scenario, message) = Self.failures[index]
    let copy = try Self.copy()
    let conclusion = try Self.play(scenario, copy: copy)
    guard case .document(_, let text, .stale, let note?)? = conclusion?.answer else {
      Issue.record("no copy for \(scenario)")
      return
    }
    #expect(text == copy.text)
    #expect(
      note.contains(message) && note.hasSuffix("; using the copy checked 90 s ago"), "\(note)")
    #expect(conclusion?.change == Fetch.CacheChange.none, "its time of check stays")
  }

  @Test func notModifiedWithoutATagChangesNothing() throws {
    for copy in [nil, try Self.copy(tag: nil)] {
      let conclusion = try Self.play(.head(ResponseHead(status: 304)), copy: copy)
      #expect(conclusion?.change == Fetch.CacheChange.none)
    }
  }

  // MARK: - Redirects

  @Test(arguments: [
    ("https://cdn.example.org/x.json", "https://cdn.example.org/x.json"),
    ("/b/x.json", "https://example.org/b/x.json"),
    ("x.json?v=2", "https://example.org/a/x.json?v=2"),
    ("//other.org/x.json#part", "https://other.org/x.json"),
    ("HTTPS://example.org/x", "HTTPS://example.org/x"),
  ])
  func redirectsAreFollowed(location: String, target: String) throws {
    for status in [301, 302, 303, 307, 308] {
      var fetch = Fetch(try Self.request(), copy: try Self.copy())
      _ = fetch.begin(atSeconds: Self.now)
      let head = ResponseHead(status: status, location: location)
      #expect(
        fetch.receive(head, atSeconds: Self.now)
          == .get(try WebAddress(target), ifNoneMatch: "\"v1\""))
    }
  }

  @Test func redirectsAreLimited() throws {
    var fetch = Fetch(try Self.request(), copy: nil)
    _ = fetch.begin(atSeconds: Self.now)
    for hop in 1...Fetch.redirectLimit {
      let step = fetch.receive(
        ResponseHead(status: 302, location: "/\(hop)"), atSeconds: Self.now)
      #expect(step == .get(try WebAddress("https://example.org/\(hop)"), ifNoneMatch: nil))
    }
    let step = fetch.receive(ResponseHead(status: 302, location: "/more"), atSeconds: Self.now)
    guard case .done(let conclusion) = step, case .error(let error) = conclusion.answer else {
      Issue.record("\(step)")
      return
    }
    #expect(
      error.message == "https://example.org/5: more than 5 redirects")
  }

  // MARK: - Types, tags and ages

  @Test(arguments: [
    ("application/json", true), ("Application/JSON;charset=UTF-8", true),
    ("application/vnd.lottie+json", true), ("text/json", true), ("application/javascript", false),
    ("application/octet-stream", false), ("json", false), ("", false),
  ])
  func types(type: String, isRead: Bool) throws {
    var fetch = Fetch(try Self.request(), copy: nil)
    _ = fetch.begin(atSeconds: Self.now)
    let step = fetch.receive(Self.head(type: type), atSeconds: Self.now)
    #expect((step == .readBody) == isRead)
  }

  @Test(arguments: [
    ("\"a\"", "\"a\""), ("W/\"a\"", "W/\"a\""), ("\"\"", "\"\""), ("a", nil), ("\"", nil),
    ("\"a\nb\"", nil), ("\"a\"b\"", nil), ("\"" + String(repeating: "x", count: 300) + "\"", nil),
  ])
  func tags(tag: String, kept: String?) throws {
    var head = Self.json
    head.entityTag = tag
    guard case .store(let document)? = try Self.play(.body(head, Self.text), copy: nil)?.change
    else {
      Issue.record("not cached")
      return
    }
    #expect(document.entityTag == kept)
  }

  @Test(arguments: [
    (0, "just now"), (2, "2 s ago"), (119, "119 s ago"), (120, "2 min ago"),
    (7200, "2 h ago"), (172_800, "2 days ago"), (-5, "just now"),
  ])
  func ages(seconds: Int64, words: String) throws {
    let copy = try CachedDocument(
      text: Self.text, entityTag: nil, checkedSeconds: Self.now - seconds)
    guard
      case .document(_, _, .stale, let note?)? = try Self.play(.timeout, copy: copy)?.answer
    else { return }
    #expect(note.hasSuffix("; using the copy checked \(words)"))
  }
}
