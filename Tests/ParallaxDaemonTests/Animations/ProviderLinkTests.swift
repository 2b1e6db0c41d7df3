import Glibc
import ParallaxDaemon
import ParallaxSystem
import ParallaxTestSupport
import Testing

/// The daemon's side of parallax-provider, with one that the test plays.
@Suite("Asking the provider")
struct ProviderLinkTests {
  /// A loop with a link on it, and what was answered.
  private final class Asker {
    let loop: EventLoop
    let folder: TemporaryFolder
    let link: ProviderLink
    var replies: [String: [Result<ProvidedDocument, ProviderTrouble>]] = [:]

    /// - Parameter patienceSeconds: of real time, where the loop is run.
    init(patienceSeconds: Double = 30) throws {
      loop = try EventLoop()
      folder = try TemporaryFolder()
      link = ProviderLink(
        loop, path: folder("provider.sock"),
        patienceNanoseconds: Int64(patienceSeconds * 1e9))
    }

    func fetch(_ id: String, from base: String = "https://example.org/a") {
      link.fetch(id, from: base) { [weak self] in self?.replies[id, default: []].append($0) }
    }

    /// Turns the loop until so many questions have been answered.
    func turn(untilReplies count: Int) throws {
      let end = try loop.timer { [loop] in loop.exit(code: 1) }
      end.arm(atNanoseconds: MonotonicClock.now() + 30_000_000_000)
      while replies.values.reduce(0, { $0 + $1.count }) < count { try loop.turn(waiting: true) }
    }

    func text(_ id: String) -> String? {
      guard case .success(let document)? = replies[id]?.first, replies[id]?.count == 1 else {
        return nil
      }
      return String(decoding: document.text, as: UTF8.self)
    }

    func message(_ id: String) -> String? {
      guard case .failure(let trouble)? = replies[id]?.first, replies[id]?.count == 1 else {
        return nil
      }
      return trouble.description
    }
  }

  private static func document(_ id: String, _ text: String, origin: String = "network") -> String {
    """
    {"class":"DOCUMENT","id":"\(id)","bytes":\(text.utf8.count),"origin":"\(origin)"}
    \(text)
    """
  }

  @Test func aQuestionAndItsAnswer() throws {
    let asker = try Asker()
    let provider = try FakeServer(at: asker.folder("provider.sock"))
    asker.fetch("nudge", from: "http://[::1]:8080/a\"b")
    try asker.loop.drain()
    let peer = try provider.accept()
    #expect(
      try peer.hear()
        == #"{"class":"FETCH","base":"http://[::1]:8080/a\"b","id":"nudge"}"#)
    #expect(asker.link.waiting == 1)
    try peer.send(Self.document("nudge", #"{"parallax":1}"#))
    try asker.turn(untilReplies: 1)
    #expect(asker.text("nudge") == #"{"parallax":1}"#)
    #expect(asker.link.waiting == 0)
    #expect(try peer.hear() == nil, "the connection is over")
  }

  @Test func questionsDoNotWaitForOneAnother() throws {
    let asker = try Asker()
    let provider = try FakeServer(at: asker.folder("provider.sock"))
    asker.fetch("slow")
    asker.fetch("quick")
    try asker.loop.drain()
    let slow = try provider.accept()
    let quick = try provider.accept()
    try quick.send(Self.document("quick", "{}"))
    try asker.turn(untilReplies: 1)
    #expect(asker.text("quick") == "{}" && asker.replies["slow"] == nil)
    try slow.send(Self.document("slow", "{ }", origin: "stale"))
    try asker.turn(untilReplies: 2)
    #expect(asker.text("slow") == "{ }")
  }

  @Test func aDocumentOfAMegabyteInPieces() throws {
    let asker = try Asker()
    let provider = try FakeServer(at: asker.folder("provider.sock"))
    asker.fetch("big")
    try asker.loop.drain()
    let peer = try provider.accept()
    let text = "{\"a\":\"" + String(repeating: "x", count: ProviderAnswer.documentLimit - 8) + "\"}"
    var rest = Array(Self.document("big", text).utf8)[...]
    while !rest.isEmpty {
      try peer.send(String(decoding: rest.prefix(60_000), as: UTF8.self))
      rest = rest.dropFirst(60_000)
      try asker.loop.drain()
    }
    #expect(asker.text("big") == text)
  }

  @Test func nobodyThere() throws {
    let asker = try Asker()
    asker.fetch("nudge")
    #expect(
      asker.message("nudge")?.hasSuffix(
        "systemctl --user enable --now parallax-provider.socket, or parallax-provider --socket "
          + asker.folder("provider.sock")) == true)
    #expect(asker.link.waiting == 0)
  }

  @Test(arguments: [
    ("", "ended before it had answered"),
    (#"{"class":"DOCU"#, "ended before it had answered"),
    (Self.document("nudge", "{}").dropLast() + "", "ended before it had answered"),
    (#"{"class":"ERROR","id":"nudge","message":"no such animation: nudge"}"# + "\n", "no such"),
    ("hello\n", "cannot be read"),
  ])
  func whatIsNoDocumentIsAnErrorOnce(said: String, message: String) throws {
    let asker = try Asker()
    let provider = try FakeServer(at: asker.folder("provider.sock"))
    asker.fetch("nudge")
    try asker.loop.drain()
    let peer = try provider.accept()
    _ = try peer.hear()
    try peer.send(said)
    peer.close()
    try asker.turn(untilReplies: 1)
    try asker.loop.drain()
    #expect(asker.message("nudge")?.contains(message) == true, "\(asker.replies)")
  }

  @Test func aProviderThatSaysNothingIsGivenUp() throws {
    let asker = try Asker(patienceSeconds: 0.05)
    let provider = try FakeServer(at: asker.folder("provider.sock"))
    asker.fetch("nudge")
    let began = MonotonicClock.now()
    try asker.turn(untilReplies: 1)
    #expect(asker.message("nudge") == "parallax-provider does not answer")
    #expect(MonotonicClock.now() - began >= 50_000_000)
    withExtendedLifetime(provider) {}
  }

  @Test func moreThanTheLimitIsRefusedAtOnce() throws {
    let asker = try Asker()
    let provider = try FakeServer(at: asker.folder("provider.sock"))
    // The kernel keeps fewer waiting than that: they are taken as they come.
    var peers: [FakeServer.Peer] = []
    for index in 0..<ProviderLink.limit {
      asker.fetch("a\(index)")
      peers.append(try provider.accept())
    }
    #expect(asker.link.waiting == ProviderLink.limit)
    asker.fetch("more")
    #expect(asker.message("more")?.contains("try again") == true)
    peers.removeFirst().close()
    try asker.turn(untilReplies: 2)
    #expect(asker.link.waiting == ProviderLink.limit - 1)
  }

  @Test func aLinkThatGoesTakesItsQuestionsBack() throws {
    let loop = try EventLoop()
    let folder = try TemporaryFolder()
    let provider = try FakeServer(at: folder("provider.sock"))
    var replies = 0
    var link: ProviderLink? = ProviderLink(loop, path: folder("provider.sock"))
    link?.fetch("nudge", from: "http://example.org") { _ in replies += 1 }
    let peer = try provider.accept()
    link = nil
    #expect(try peer.hear() == nil)
    try loop.drain()
    #expect(replies == 0)
  }
}
