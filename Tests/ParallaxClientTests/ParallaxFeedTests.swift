// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// A feed of the library; the test plays the daemon.
@Suite("A feed", .timeLimit(.minutes(10)))
struct ParallaxFeedTests {
  private static let ack = #"{"class":"ACK","tag":1}"#
  private static let idle = #"{"class":"DEVICE","driver":"feed","name":"g","state":"idle"}"#
  private static let used =
    #"{"class":"DEVICE","driver":"feed","name":"g","state":"streaming","rate":60}"#

  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  private func configuration(
    matrix: [Double]? = nil, reconnection: ReconnectionPolicy = .standard
  ) -> ParallaxFeed.Configuration {
    .init(
      name: "g", clock: .monotonic, rateHertz: 60, mountMatrix: matrix, controlPath: server.path,
      reconnection: reconnection)
  }

  @Test func samplesAreSentOnceTheDaemonAccepts() async throws {
    let feed = ParallaxFeed(configuration(matrix: [0, 1, 0, -1, 0, 0, 0, 0, 1]))
    var events = feed.events.makeAsyncIterator()
    let peer = try server.accept()
    #expect(
      try peer.hear()
        == #"{"class":"FEED","tag":1,"name":"g","clock":"monotonic","rate":60,"mount_matrix":"0,1,0;-1,0,0;0,0,1"}"#
    )
    // Too early: it must not come later.
    feed.send([.init(time: MonotonicInstant(nanoseconds: 1), x: 9, y: 9, z: 9)])
    try peer.say(Self.ack, Self.idle)
    #expect(await events.next() == .connected)
    guard case .device(let device)? = await events.next() else {
      Issue.record("no device")
      return
    }
    #expect(device.state == .idle && feed.device == device && !feed.isUsed)
    feed.send([
      .init(x: .nan, y: 0, z: 0),
      .init(time: MonotonicInstant(nanoseconds: 12_345_678_901), x: 0.01, y: -0.2, z: 0),
    ])
    #expect(
      try peer.hear() == #"{"class":"SAMPLE","time":12.345678901,"x":0.01,"y":-0.2,"z":0}"#)
    try peer.say(Self.used)
    _ = await events.next()
    #expect(feed.isUsed)
    try peer.say(#"{"class":"ERROR","message":"m","code":"bad-request"}"#)
    #expect(await events.next() == .rejected(ErrorMessage(message: "m", code: .badRequest)))
    feed.send([.init(x: 1, y: 2, z: 3)])
    #expect(try peer.hear() == #"{"class":"SAMPLE","x":1,"y":2,"z":3}"#)
    feed.close()
    #expect(try peer.hear() == nil)
    #expect(await events.next() == .ended(nil))
    #expect(await events.next() == nil)
  }

  @Test func aRestartedDaemonIsAskedAgain() async throws {
    let feed = ParallaxFeed(configuration())
    var events = feed.events.makeAsyncIterator()
    for _ in 0..<2 {
      let peer = try server.accept()
      #expect(try peer.hear()?.contains("FEED") == true)
      try peer.say(Self.ack, Self.used)
      #expect(await events.next() == .connected)
      _ = await events.next()
      peer.close()
      #expect(await events.next() == .disconnected(.closed))
      #expect(!feed.isUsed)
      // Without a connection, samples are discarded.
      feed.send([.init(x: 1, y: 2, z: 3)])
    }
  }

  @Test func aRefusalIsTheEnd() async throws {
    let feed = ParallaxFeed(configuration())
    var events = feed.events.makeAsyncIterator()
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(#"{"class":"ERROR","tag":1,"message":"FEED is for root","code":"denied"}"#)
    #expect(
      await events.next()
        == .ended(.refused(ErrorMessage(message: "FEED is for root", code: .denied))))
    #expect(await events.next() == nil)
    #expect(try peer.hear() == nil)
  }

  @Test func aWrongMatrixIsRefused() async {
    var events = ParallaxFeed(configuration(matrix: [1, 0, 0, 0, 1, 0])).events.makeAsyncIterator()
    guard case .ended(.refused(let error))? = await events.next() else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .badRequest && error.message.contains("nine"))
  }

  @Test func withoutADaemonAndWithoutRetriesItEnds() async throws {
    let path = folder("no.sock")
    let feed = ParallaxFeed(
      .init(name: "g", controlPath: path, reconnection: .never))
    var events = feed.events.makeAsyncIterator()
    guard case .ended(.connection(.noDaemon(let attempts)))? = await events.next() else {
      Issue.record("did not end")
      return
    }
    #expect(attempts.map(\.path) == [path])
  }

  @Test func releasingItClosesTheConnection() throws {
    var feed: ParallaxFeed? = ParallaxFeed(configuration())
    let peer = try server.accept()
    _ = try peer.hear()
    #expect(feed?.device == nil)
    feed = nil
    #expect(try peer.hear() == nil)
  }

  /// A daemon that does not read gets no stale samples, and memory does not grow.
  @Test func aBusyDaemonLosesSamples() async throws {
    let feed = ParallaxFeed(configuration())
    var events = feed.events.makeAsyncIterator()
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(Self.ack)
    #expect(await events.next() == .connected)
    let count = 200_000
    for index in 0..<count {
      feed.send([.init(time: MonotonicInstant(nanoseconds: Int64(index)), x: 1, y: 2, z: 3)])
    }
    feed.close()
    var heard = 0
    while let line = try peer.hear() {
      #expect(line.hasPrefix(#"{"class":"SAMPLE","#))
      heard += 1
    }
    #expect(heard > 0 && heard < count)
  }
}
