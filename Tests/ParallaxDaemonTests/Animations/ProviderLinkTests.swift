// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDaemon
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// The daemon's connection to parallax-provider, which the test plays.
struct ProviderLinkTests {
  /// A loop with a link, and the replies.
  private final class Requester {
    let loop: EventLoop
    let folder: TemporaryFolder
    let link: ProviderLink
    var replies: [String: [Result<ProvidedDocument, ProviderError>]] = [:]

    /// - Parameter timeLimit: In real time.
    init(timeLimit: MotionDuration = .seconds(30)) throws {
      loop = try EventLoop()
      folder = try TemporaryFolder()
      link = ProviderLink(loop, path: folder("provider.sock"), timeLimit: timeLimit)
    }

    func fetch(_ id: String, from base: String = "https://example.org/a") {
      link.fetch(id, from: base) { [weak self] in self?.replies[id, default: []].append($0) }
    }

    /// Runs the loop until `count` replies have arrived.
    func turn(untilReplies count: Int) throws {
      let end = try loop.timer { [loop] in loop.exit(code: 1) }
      end.arm(at: MonotonicClock.now() + .seconds(30))
      while replies.values.reduce(0, { $0 + $1.count }) < count { try loop.turn(waiting: true) }
    }

    func text(_ id: String) -> String? {
      guard case .success(let document)? = replies[id]?.first, replies[id]?.count == 1 else {
        return nil
      }
      return String(decoding: document.text, as: UTF8.self)
    }

    func message(_ id: String) -> String? {
      guard case .failure(let error)? = replies[id]?.first, replies[id]?.count == 1 else {
        return nil
      }
      return error.description
    }
  }

  private static func document(_ id: String, _ text: String, origin: String = "network") -> String {
    """
    {"class":"DOCUMENT","id":"\(id)","bytes":\(text.utf8.count),"origin":"\(origin)"}
    \(text)
    """
  }

  @Test func aRequestIsAnswered() throws {
    let requester = try Requester()
    let provider = try FakeServer(at: requester.folder("provider.sock"))
    requester.fetch("nudge", from: "http://[::1]:8080/a\"b")
    try requester.loop.drain()
    let peer = try provider.accept()
    #expect(
      try peer.hear()
        == #"{"class":"FETCH","base":"http://[::1]:8080/a\"b","id":"nudge"}"#)
    #expect(requester.link.pending == 1)
    try peer.send(Self.document("nudge", #"{"parallax":1}"#))
    try requester.turn(untilReplies: 1)
    #expect(requester.text("nudge") == #"{"parallax":1}"#)
    #expect(requester.link.pending == 0)
    #expect(try peer.hear() == nil, "the connection is closed")
  }

  @Test func requestsDoNotWaitForOneAnother() throws {
    let requester = try Requester()
    let provider = try FakeServer(at: requester.folder("provider.sock"))
    requester.fetch("slow")
    requester.fetch("quick")
    try requester.loop.drain()
    let slow = try provider.accept()
    let quick = try provider.accept()
    try quick.send(Self.document("quick", "{}"))
    try requester.turn(untilReplies: 1)
    #expect(requester.text("quick") == "{}" && requester.replies["slow"] == nil)
    try slow.send(Self.document("slow", "{ }", origin: "stale"))
    try requester.turn(untilReplies: 2)
    #expect(requester.text("slow") == "{ }")
  }

  @Test func aDocumentOfAMegabyteInPieces() throws {
    let requester = try Requester()
    let provider = try FakeServer(at: requester.folder("provider.sock"))
    requester.fetch("big")
    try requester.loop.drain()
    let peer = try provider.accept()
    let text = "{\"a\":\"" + String(repeating: "x", count: ProviderAnswer.documentLimit - 8) + "\"}"
    var rest = Array(Self.document("big", text).utf8)[...]
    while !rest.isEmpty {
      try peer.send(String(decoding: rest.prefix(60_000), as: UTF8.self))
      rest = rest.dropFirst(60_000)
      try requester.loop.drain()
    }
    #expect(requester.text("big") == text)
  }

  @Test func aMissingProviderIsReported() throws {
    let requester = try Requester()
    requester.fetch("nudge")
    #expect(
      requester.message("nudge")?.hasSuffix(
        "systemctl --user enable --now parallax-provider.socket, or parallax-provider --socket "
          + requester.folder("provider.sock")) == true)
    #expect(requester.link.pending == 0)
  }

  @Test(arguments: [
    ("", "ended before answering"),
    (#"{"class":"DOCU"#, "ended before answering"),
    (Self.document("nudge", "{}").dropLast() + "", "ended before answering"),
    (#"{"class":"ERROR","id":"nudge","message":"no such animation: nudge"}"# + "\n", "no such"),
    ("hello\n", "cannot be read"),
  ])
  func anInvalidAnswerIsReportedOnce(answer: String, message: String) throws {
    let requester = try Requester()
    let provider = try FakeServer(at: requester.folder("provider.sock"))
    requester.fetch("nudge")
    try requester.loop.drain()
    let peer = try provider.accept()
    _ = try peer.hear()
    try peer.send(answer)
    peer.close()
    try requester.turn(untilReplies: 1)
    try requester.loop.drain()
    #expect(requester.message("nudge")?.contains(message) == true, "\(requester.replies)")
  }

  @Test func aSilentProviderIsAbandoned() throws {
    let requester = try Requester(timeLimit: .milliseconds(50))
    let provider = try FakeServer(at: requester.folder("provider.sock"))
    requester.fetch("nudge")
    let began = MonotonicClock.now()
    try requester.turn(untilReplies: 1)
    #expect(requester.message("nudge") == "parallax-provider does not answer")
    #expect(MonotonicClock.now() - began >= .milliseconds(50))
    withExtendedLifetime(provider) {}
  }

  @Test func requestsAboveTheLimitAreRefusedAtOnce() throws {
    let requester = try Requester()
    let provider = try FakeServer(at: requester.folder("provider.sock"))
    // The kernel's queue is shorter than the limit, so the connections are accepted one by one.
    var peers: [FakeServer.Peer] = []
    for index in 0..<ProviderLink.limit {
      requester.fetch("a\(index)")
      peers.append(try provider.accept())
    }
    #expect(requester.link.pending == ProviderLink.limit)
    requester.fetch("more")
    #expect(requester.message("more")?.contains("try again") == true)
    peers.removeFirst().close()
    try requester.turn(untilReplies: 2)
    #expect(requester.link.pending == ProviderLink.limit - 1)
  }

  @Test func releasingTheLinkCancelsItsRequests() throws {
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
