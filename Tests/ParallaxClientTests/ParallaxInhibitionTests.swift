// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxTestSupport
import Testing

/// An inhibition of the library; the test plays the daemon.
@Suite("An inhibition", .timeLimit(.minutes(10)))
struct ParallaxInhibitionTests {
  private static let request = #"{"class":"INHIBIT","tag":1,"reason":"password"}"#
  private static let ack = #"{"class":"ACK","tag":1}"#

  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  @Test func itIsRenewedAtANewDaemonUntilItEnds() async throws {
    let path = server.path
    let (events, continuation) = AsyncStream.makeStream(of: ParallaxInhibition.Event.self)
    var changes = events.makeAsyncIterator()
    async let beginning = ParallaxInhibition.begin(
      reason: "password", controlPath: path, onEvent: { continuation.yield($0) })
    let first = try server.accept()
    #expect(try first.hear() == Self.request)
    try first.say(Self.ack)
    let inhibition = try await beginning
    first.close()
    #expect(await changes.next() == .lost(.closed))
    let second = try server.accept()
    #expect(try second.hear() == Self.request)
    try second.say(Self.ack)
    #expect(await changes.next() == .renewed)
    inhibition.end()
    #expect(try second.hear() == nil)
  }

  @Test func aRefusalIsAnErrorAtFirstAndAnEventLater() async throws {
    let path = server.path
    let refusal = ErrorMessage(message: "m", code: .denied)
    let error = #"{"class":"ERROR","tag":1,"message":"m","code":"denied"}"#
    let refused = Task {
      try await ParallaxInhibition.begin(reason: "password", controlPath: path)
    }
    let first = try server.accept()
    _ = try first.hear()
    try first.say(error)
    await #expect(throws: RequestFailure.refused(refusal)) { try await refused.value }
    #expect(try first.hear() == nil)

    let (events, continuation) = AsyncStream.makeStream(of: ParallaxInhibition.Event.self)
    async let beginning = ParallaxInhibition.begin(
      reason: "password", controlPath: path, onEvent: { continuation.yield($0) })
    let second = try server.accept()
    _ = try second.hear()
    try second.say(Self.ack)
    let inhibition = try await beginning
    try second.say(error)
    var changes = events.makeAsyncIterator()
    #expect(await changes.next() == .refused(refusal))
    #expect(try second.hear() == nil)
    inhibition.end()
  }

  @Test func releasingItEndsIt() async throws {
    let path = server.path
    let release = Task {
      _ = try await ParallaxInhibition.begin(reason: "password", controlPath: path)
    }
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(Self.ack)
    try await release.value
    #expect(try peer.hear() == nil)
  }

  @Test func aReasonIsAWord() async throws {
    let failure = await #expect(throws: RequestFailure.self) {
      try await ParallaxInhibition.begin(reason: "a b", controlPath: server.path)
    }
    #expect(failure?.description.hasPrefix("invalid reason 'a b'") == true)
  }

  @Test func withoutADaemonItThrows() async throws {
    await #expect(throws: RequestFailure.self) {
      try await ParallaxInhibition.begin(
        reason: "password", controlPath: folder("none.sock"))
    }
  }
}
