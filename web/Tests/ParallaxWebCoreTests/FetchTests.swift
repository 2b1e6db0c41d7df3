import ParallaxWebCore
import Testing

/// What is done on each thing that a server may do, without one.
@Suite("Fetching a document")
struct FetchTests {
  static let text = Array(#"{"parallax":1}"#.utf8)
  static let now: Int64 = 1_763_735_000

  static func request(
    _ base: String = "https://example.org/a", _ id: String = "nudge"
  ) throws -> FetchRequest {
    FetchRequest(base: try WebAddress(base), id: try #require(DocumentID(id)))
  }

  /// A copy of 90 s ago.
  static func copy(tag: String? = "\"v1\"") throws -> CachedDocument {
    try CachedDocument(
      text: Array("{\"old\":1}".utf8), entityTag: tag, checkedSeconds: now - 90)
  }

  /// A server's answer to the first question, and what is done on it.
  enum Played {
    case head(ResponseHead)
    case body(ResponseHead, [UInt8])
    case tooLong(ResponseHead)
    case fails(String)
    case outOfTime
  }

  static func play(_ played: Played, copy: CachedDocument?) throws -> Fetch.Conclusion? {
    var fetch = Fetch(try request(), copy: copy)
    _ = fetch.begin(atSeconds: now)
    let step: Fetch.Step
    switch played {
    case .head(let head): step = fetch.take(head, atSeconds: now)
    case .body(let head, let body):
      #expect(fetch.take(head, atSeconds: now) == .readBody)
      step = fetch.take(body: body, atSeconds: now)
    case .tooLong(let head):
      #expect(fetch.take(head, atSeconds: now) == .readBody)
      step = fetch.bodyTooLong(atSeconds: now)
    case .fails(let why): step = fetch.failed(why, atSeconds: now)
    case .outOfTime: step = .done(fetch.outOfTime(atSeconds: now))
    }
    guard case .done(let conclusion) = step else { return nil }
    return conclusion
  }

  static let json = ResponseHead(status: 200, contentType: "application/json")

  // -- A server that works

  @Test func aNewDocumentIsGivenAndKept() throws {
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

  @Test func theFirstQuestionNamesTheCopysVersion() throws {
    let address = try WebAddress("https://example.org/a/nudge.json")
    for (copy, tag) in [
      (nil, nil), (try Self.copy(), "\"v1\""), (try Self.copy(tag: nil), nil),
    ] {
      var fetch = Fetch(try Self.request(), copy: copy)
      #expect(fetch.begin(atSeconds: Self.now) == .ask(address, ifNoneMatch: tag))
    }
  }

  @Test func anUnchangedDocumentIsTheCopy() throws {
    let id = try #require(DocumentID("nudge"))
    let copy = try Self.copy()
    let conclusion = try Self.play(.head(ResponseHead(status: 304)), copy: copy)
    #expect(conclusion?.answer == .document(id, text: copy.text, origin: .cache, note: nil))
    #expect(conclusion?.change == .touch(seconds: Self.now))
  }

  @Test(arguments: [404, 410])
  func whatTheServerHasNotIsForgotten(status: Int) throws {
    for copy in [nil, try Self.copy()] {
      let conclusion = try Self.play(.head(ResponseHead(status: status)), copy: copy)
      let message = "no such animation: nudge (https://example.org/a/nudge.json says \(status))"
      #expect(
        conclusion?.answer == .error(FetchTrouble(id: "nudge", message, isMissing: true)))
      #expect(conclusion?.change == .forget)
    }
  }

  // -- A server that does not

  static func head(
    _ status: Int = 200, type: String? = "application/json", length: Int? = nil,
    encoding: String? = nil, location: String? = nil
  ) -> ResponseHead {
    ResponseHead(
      status: status, contentType: type, contentLength: length, contentEncoding: encoding,
      location: location)
  }

  static let failures: [(Played, String)] = [
    (.head(head(500)), "the server says 500"),
    (.head(head(503)), "the server says 503"),
    (.head(head(401)), "the server says 401"),
    (.head(head(429)), "the server says 429"),
    (.head(head(206)), "the server says 206"),
    (.head(head(type: "text/html; charset=utf-8")), "it is text/html, and a document is"),
    (.head(head(type: "text/plain")), "it is text/plain, and a document is application/json"),
    (.head(head(type: "+json")), "it is +json, and"),
    (.head(head(type: nil)), "it does not say that it is application/json"),
    (.head(head(length: 1_048_577)), "it has 1048577 bytes, at most 1048576 are allowed"),
    (.head(head(encoding: "gzip")), "it is packed (gzip)"),
    (.tooLong(json), "it has more than 1048576 bytes"),
    (.body(json, [UInt8](repeating: 0x20, count: 1_048_577)), "it has more than 1048576 bytes"),
    (.body(json, Array("{\"a\":".utf8)), "it is no document: 1:6: it ends in the middle"),
    (.body(json, Array("[]".utf8)), "it is no document: 1:1: it is no JSON object"),
    (.body(json, []), "it is no document: 1:1: it is empty"),
    (.head(head(302)), "it redirects, and does not say where"),
    (.head(head(302, location: "ftp://example.org/x")), "ftp: is no way to a document"),
    (.head(head(302, location: "file:///etc/passwd")), "file: is no way to a document"),
    (.head(head(302, location: "http://example.org/x")), "redirects from https to http"),
    (.head(head(302, location: "https://a:b@example.org/x")), "a user's name or password"),
    (.head(head(307, location: "nudge.json")), "it redirects in a circle"),
    (.fails("the server hung up in the middle"), "the server hung up in the middle"),
    (.outOfTime, "the server did not answer within 5 s"),
  ]

  @Test(arguments: failures.indices)
  func aClearErrorAndNothingKept(index: Int) throws {
    let (played, message) = Self.failures[index]
    let conclusion = try Self.play(played, copy: nil)
    guard case .error(let trouble)? = conclusion?.answer else {
      Issue.record("no error for \(played)")
      return
    }
    #expect(trouble.id == "nudge" && !trouble.isMissing)
    #expect(trouble.message.hasPrefix("https://example.org/a/nudge.json: "), "\(trouble.message)")
    #expect(trouble.message.contains(message), "\(trouble.message)")
    #expect(conclusion?.change == Fetch.CacheChange.none)
  }

  @Test(arguments: failures.indices)
  func theCopyWhereThereIsOne(index: Int) throws {
    let (played, message) = Self.failures[index]
    let copy = try Self.copy()
    let conclusion = try Self.play(played, copy: copy)
    guard case .document(_, let text, .stale, let note?)? = conclusion?.answer else {
      Issue.record("no copy for \(played)")
      return
    }
    #expect(text == copy.text)
    #expect(note.contains(message) && note.hasSuffix("; this is the copy of 90 s ago"), "\(note)")
    #expect(conclusion?.change == Fetch.CacheChange.none, "it is no newer for that")
  }

  @Test func unchangedSaysNothingWhereNothingWasThere() throws {
    for copy in [nil, try Self.copy(tag: nil)] {
      let conclusion = try Self.play(.head(ResponseHead(status: 304)), copy: copy)
      #expect(conclusion?.change == Fetch.CacheChange.none)
    }
  }

  // -- Redirects

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
        fetch.take(head, atSeconds: Self.now)
          == .ask(try WebAddress(target), ifNoneMatch: "\"v1\""))
    }
  }

  @Test func redirectsComeToAnEnd() throws {
    var fetch = Fetch(try Self.request(), copy: nil)
    _ = fetch.begin(atSeconds: Self.now)
    for hop in 1...Fetch.redirectLimit {
      let step = fetch.take(
        ResponseHead(status: 302, location: "/\(hop)"), atSeconds: Self.now)
      #expect(step == .ask(try WebAddress("https://example.org/\(hop)"), ifNoneMatch: nil))
    }
    let step = fetch.take(ResponseHead(status: 302, location: "/more"), atSeconds: Self.now)
    guard case .done(let conclusion) = step, case .error(let trouble) = conclusion.answer else {
      Issue.record("\(step)")
      return
    }
    #expect(
      trouble.message == "https://example.org/5: it redirects more than 5 times")
  }

  // -- What counts as JSON, as a tag, as an age

  @Test(arguments: [
    ("application/json", true), ("Application/JSON;charset=UTF-8", true),
    ("application/vnd.lottie+json", true), ("text/json", true), ("application/javascript", false),
    ("application/octet-stream", false), ("json", false), ("", false),
  ])
  func types(type: String, isRead: Bool) throws {
    var fetch = Fetch(try Self.request(), copy: nil)
    _ = fetch.begin(atSeconds: Self.now)
    let step = fetch.take(Self.head(type: type), atSeconds: Self.now)
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
      Issue.record("not kept")
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
      case .document(_, _, .stale, let note?)? = try Self.play(.outOfTime, copy: copy)?.answer
    else { return }
    #expect(note.hasSuffix("; this is the copy of \(words)"))
  }
}
