// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// What an animation handle sends; the test plays the daemon.
@Suite("The requests of an animation handle", .timeLimit(.minutes(10)))
struct AnimationRequestTests {
  private static let fade = Animation.fade(to: 0.5)
  private static let fadeText =
    #"{\"parallax\":1,\"animation\":{\"fade\":{\"to\":0.5}}}"#
  private static let state =
    #","state":"paused","fraction":0.3,"reversed":false,"speed":1,"time":12.5}"#

  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  /// Plays an animation, and returns its handle and the daemon's end of its connection.
  private func play(
    _ play: @Sendable @escaping (String) async throws -> AnimationHandle, _ line: String,
    id: String = "a"
  ) async throws -> (AnimationHandle, FakeServer.Peer) {
    let path = server.path
    async let handle = play(path)
    let peer = try server.accept()
    #expect(try peer.hear() == line)
    try peer.say(#"{"class":"ACK","tag":1,"id":"\#(id)","time":12.345678901}"#)
    return (try await handle, peer)
  }

  @Test func anAnimationIsSentAsADocument() async throws {
    let (handle, _) = try await play(
      {
        try await AnimationHandle.play(
          Self.fade, layer: "card", name: "a", isPaused: true, pausesAtEnd: true, isDetached: true,
          controlPath: $0)
      },
      #"{"class":"PLAY","tag":1,"layer":"card","as":"a","detached":true,"paused":true,"pauses_at_end":true,"text":"\#(Self.fadeText)"}"#
    )
    #expect(handle.id == "a")
    #expect(handle.startTime?.nanoseconds == 12_345_678_901)
    #expect(handle.isDetached)
  }

  @Test func variablesHaveTypes() async throws {
    _ = try await play(
      {
        try await AnimationHandle.play(
          .id("shake"),
          variables: ["strength": 12, "at": [1.5, 0], "curve": .curve(.smooth), "name": "x"],
          controlPath: $0)
      },
      #"{"class":"PLAY","tag":1,"id":"shake","variables":{"at":[1.5,0],"curve":"smooth","name":"x","strength":12}}"#
    )
  }

  @Test func aChainHasParts() async throws {
    let chain = AnimationChain(
      [
        .init(.id("nudge")), .init(Self.fade, layer: "card"),
        .init(.document(Array("{}".utf8), name: "b.json"), variables: ["x": 1]),
      ], delay: .milliseconds(500), passes: .forever, maxParts: 7)
    let (handle, peer) = try await play(
      { try await AnimationHandle.play(chain, layer: "bg", name: "tour", controlPath: $0) },
      #"{"class":"PLAY","tag":1,"chain":["nudge",{"text":"\#(Self.fadeText)","layer":"card"},{"text":"{}","file":"b.json","variables":{"x":1}}],"delay":0.5,"repeat":"forever","take":7,"layer":"bg","as":"tour"}"#,
      id: "tour")
    async let appended: Void = handle.append(.init(.id("sway"), layer: "card"))
    #expect(
      try peer.hear()
        == #"{"class":"ANIMATE","tag":2,"id":"tour","action":"append","part":{"id":"sway","layer":"card"}}"#
    )
    try peer.say(#"{"class":"ACK","tag":2,"id":"tour"}"#)
    try await appended
  }

  @Test func partsMayPlayTogether() async throws {
    let chain = AnimationChain([.init(.id("a"))], order: .parallel, passes: .times(3))
    _ = try await play(
      { try await AnimationHandle.play(chain, controlPath: $0) },
      #"{"class":"PLAY","tag":1,"chain":["a"],"order":"parallel","repeat":3}"#)
  }

  @Test func aCurveAndAVelocityHaveTypes() async throws {
    let (handle, peer) = try await play(
      { try await AnimationHandle.play(.id("a"), controlPath: $0) },
      #"{"class":"PLAY","tag":1,"id":"a"}"#)
    async let progress = handle.continue(
      curve: .spring(response: .milliseconds(400), damping: 1), durationFactor: 0.5,
      velocity: .init(x: 900, rotation: -90))
    #expect(
      try peer.hear()
        == #"{"class":"ANIMATE","tag":2,"id":"a","action":"continue","curve":{"spring":{"response":0.4,"damping":1}},"duration_factor":0.5,"velocity":[900,0,-90,0]}"#
    )
    try peer.say(#"{"class":"ACK","tag":2,"id":"a""# + Self.state)
    #expect(try await progress == AnimationProgress(state: .paused, fraction: 0.3))
    async let added = handle.add(.animation(AnimationDocument(Self.fade)), delayFactor: 0.25)
    #expect(
      try peer.hear()
        == #"{"class":"ANIMATE","tag":3,"id":"a","action":"add","delay_factor":0.25,"text":"\#(Self.fadeText)"}"#
    )
    try peer.say(#"{"class":"ACK","tag":3,"id":"a""# + Self.state)
    _ = try await added
  }

  @Test func anotherHandleMayBeAttached() async throws {
    let handle = try AnimationHandle.attached(to: "a", layer: "card", controlPath: server.path)
    let peer = try server.accept()
    async let progress = handle.pause()
    #expect(
      try peer.hear()
        == #"{"class":"ANIMATE","tag":1,"id":"a","layer":"card","action":"pause"}"#)
    try peer.say(#"{"class":"ACK","tag":1,"id":"a""# + Self.state)
    #expect(try await progress.state == .paused)
    handle.cancel()
    #expect(try peer.hear() == #"{"class":"STOP","tag":2,"id":"a"}"#)
  }

  @Test func whatHasNoFormOnTheLineIsRefused() async throws {
    let path = server.path
    let handle = try AnimationHandle.attached(to: "a", controlPath: path)
    let attempts: [(String, @Sendable () async throws -> Void)] = [
      ("fraction: expected", { try await handle.seek(toFraction: .nan) }),
      ("speed: expected", { try await handle.setSpeed(.infinity) }),
      ("velocity: expected", { try await handle.continue(velocity: .init(y: .nan)) }),
      (
        "$.curve.cubic-bezier[0]: expected a number from 0 to 1, got 2",
        { try await handle.continue(curve: .bezier(CubicBezier(x1: 2, y1: 0, x2: 1, y2: 1))) }
      ),
      (
        "document: $.animation.fade.to: expected a number from 0 to 1, got 2",
        { _ = try await AnimationHandle.play(.fade(to: 2), controlPath: path) }
      ),
      (
        "variables: expected",
        {
          _ = try await AnimationHandle.play(
            .id("a"), variables: ["x": [.number(.nan)]], controlPath: path)
        }
      ),
      (
        "a.json:1:1: invalid JSON: unable to decode byte 0xff",
        {
          _ = try await AnimationHandle.play(
            .document([0xFF], name: "a.json"), controlPath: path)
        }
      ),
    ]
    for (message, attempt) in attempts {
      let failure = await #expect(throws: RequestFailure.self) { try await attempt() }
      #expect(failure?.description.hasPrefix(message) == true, "\(String(describing: failure))")
    }
  }
}
