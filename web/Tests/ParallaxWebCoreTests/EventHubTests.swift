// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import ParallaxWebCore

/// A subscription that a test drives.
private final class FakeFeed: Sendable {
  struct State {
    var receive: (@Sendable (EventHub.Report) -> Void)?
    var (started, ended) = (0, 0)
  }

  let state = Mutex(State())

  func hub() -> EventHub {
    EventHub(clock: { line("CLOCK") }) { receive in
      self.state.withLock {
        $0.receive = receive
        $0.started += 1
      }
      return { self.state.withLock { $0.ended += 1 } }
    }
  }

  func send(_ texts: String...) {
    let receive = state.withLock { $0.receive }
    for text in texts { receive?(.line(line(text).bytes)) }
  }

  func report(_ report: EventHub.Report) { state.withLock { $0.receive }?(report) }

  var counts: [Int] { state.withLock { [$0.started, $0.ended] } }
}

/// `OFFSET 1` is `{"class":"OFFSET","n":1}`.
private func line(_ text: String) -> EventLine {
  let words = text.split(separator: " ")
  let number = words.count > 1 ? ",\"n\":\(words[1])" : ""
  return EventLine(Array("{\"class\":\"\(words[0])\"\(number)}".utf8))
}

/// The lines of events, in the form of `line`.
private func texts(_ events: [UInt8]?) -> [String] {
  let events = String(decoding: events ?? [], as: UTF8.self).split(separator: "\n")
  return events.map { event in
    let parts = event.split(separator: "\"")
    let number = parts.count > 5 ? parts[6].dropFirst().dropLast() : ""
    return number.isEmpty ? String(parts[3]) : "\(parts[3]) \(number)"
  }
}

@Suite("Events for pages")
struct EventHubTests {
  @Test func aLineIsAnEvent() {
    let event = String(decoding: line("GATE").event, as: UTF8.self)
    #expect(event == "data: {\"class\":\"GATE\"}\n\n")
  }

  @Test(arguments: [
    ("{\"class\":\"OFFSET\",\"x\":1}", "OFFSET"), ("{\"x\":1,\"class\":\"A\"}", ""), ("", ""),
    ("{\"class\":\"", ""), ("{\"class\":\"A", "A"),
  ])
  func names(text: String, name: String) {
    #expect(EventLine(Array(text.utf8)).name == name)
  }

  @Test func oneSubscriptionServesAllPages() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    #expect(feed.counts == [0, 0])
    let pages = (0..<50).map { _ in hub.join() }
    #expect(feed.counts == [1, 0])
    feed.send("VERSION", "OFFSET 1")
    for page in pages {
      #expect(texts(await page.next()) == ["CLOCK", "VERSION", "OFFSET 1"])
    }
    for page in pages.dropLast() { hub.leave(page) }
    #expect(feed.counts == [1, 0])
    hub.leave(pages[49])
    #expect(feed.counts == [1, 1])
    #expect(hub.count == 0)
    hub.leave(pages[49])
    #expect(feed.counts == [1, 1])
  }

  @Test func aNewPageIsGreeted() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    let first = hub.join()
    feed.send("VERSION", "DEVICE 1", "OFFSET 1", "GATE 1", "DEVICE 2", "ANIMATION", "OFFSET 2")
    #expect(texts(await first.next()).count == 8)
    let second = hub.join()
    #expect(
      texts(await second.next()) == ["CLOCK", "VERSION", "DEVICE 2", "GATE 1", "OFFSET 2"])
  }

  @Test func aNewSubscriptionKnowsNothingOfTheLast() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    hub.leave(
      {
        let page = hub.join()
        feed.send("VERSION", "OFFSET 1")
        return page
      }())
    let old = feed.state.withLock { $0.receive }
    let page = hub.join()
    #expect(feed.counts == [2, 1])
    // A late line of the subscription before.
    old?(.line(line("OFFSET 9").bytes))
    #expect(texts(await page.next()) == ["CLOCK"])
  }

  @Test func theDaemonGoesAndComes() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    let page = hub.join()
    feed.report(.up)
    feed.send("VERSION 1", "OFFSET 1")
    #expect(texts(await page.next()) == ["CLOCK", "VERSION 1", "OFFSET 1"])
    feed.report(.down("a \"b\"\n"))
    let down = "data: {\"class\":\"LINK\",\"state\":\"down\",\"message\":\"a \\\"b\\\"\\n\"}\n\n"
    #expect(String(decoding: await page.next() ?? [], as: UTF8.self) == down)
    let late = hub.join()
    #expect(texts(await late.next()).dropFirst().first?.hasPrefix("LINK") == true)
    // The same again says nothing new.
    feed.report(.down("a \"b\"\n"))
    feed.report(.up)
    feed.send("VERSION 2")
    let events = String(decoding: await page.next() ?? [], as: UTF8.self)
    #expect(
      events == "data: {\"class\":\"LINK\",\"state\":\"up\"}\n\n"
        + "data: {\"class\":\"VERSION\",\"n\":2}\n\n")
  }

  /// A page that does not read costs bounded memory, and the others nothing.
  @Test func aSlowPageLosesOffsets() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    let slow = hub.join()
    let fast = hub.join()
    _ = await fast.next()
    for number in 1...1_000 {
      feed.send("OFFSET \(number)")
      #expect(texts(await fast.next()) == ["OFFSET \(number)"])
    }
    feed.send("GATE 1")
    for _ in 0..<1_000 { feed.report(.tick) }
    let newest = ((1_001 - EventBacklog.maxOffsets)...1_000).map { "OFFSET \($0)" }
    #expect(texts(await slow.next()) == newest + ["GATE 1", "CLOCK"])
  }

  @Test func aPageForWhichTooMuchWaitsIsClosed() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    let page = hub.join()
    for number in 1...1_000 { feed.send("GATE \(number)") }
    #expect(await page.next() == nil)
    let huge = hub.join()
    let bytes = Array("{\"class\":\"OFFSET\"".utf8) + [UInt8](repeating: 32, count: 1 << 20)
    feed.report(.line(bytes))
    #expect(await huge.next() == nil)
  }

  @Test func closingEndsTheWaiting() async {
    let hub = FakeFeed().hub()
    let page = hub.join()
    _ = await page.next()
    async let waiting = page.next()
    hub.leave(page)
    #expect(await waiting == nil)
    #expect(await page.next() == nil)
  }

  @Test func waitingEndsWithALine() async {
    let feed = FakeFeed()
    let hub = feed.hub()
    let page = hub.join()
    _ = await page.next()
    async let waiting = page.next()
    feed.send("GATE 1")
    #expect(texts(await waiting) == ["GATE 1"])
  }
}
