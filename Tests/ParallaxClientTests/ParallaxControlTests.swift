// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// A control client of the library; the test plays the daemon.
@Suite("A control client", .timeLimit(.minutes(10)))
struct ParallaxControlTests {
  private let folder: TemporaryFolder
  private let server: FakeServer
  private let control: ParallaxControl
  private let peer: FakeServer.Peer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
    control = try ParallaxControl(path: server.path)
    peer = try server.accept()
  }

  @Test func eachRequestHasAnAnswer() async throws {
    let control = control
    async let set = control.set("scale", to: 8.5)
    #expect(try peer.hear() == #"{"class":"SET","tag":1,"key":"scale","value":8.5}"#)
    try peer.say(#"{"class":"ACK","tag":1,"note":"n"}"#)
    #expect(try await set == "n")
    async let paused = control.set("paused", to: true)
    #expect(try peer.hear() == #"{"class":"SET","tag":2,"key":"paused","value":true}"#)
    try peer.say(#"{"class":"ACK","tag":2}"#)
    #expect(try await paused == nil)
    async let recenter = control.recenter()
    #expect(try peer.hear() == #"{"class":"RECENTER","tag":3}"#)
    try peer.say(#"{"class":"ACK","tag":3,"note":"no effect in rate mode"}"#)
    #expect(try await recenter == "no effect in rate mode")
    async let reload = control.reload()
    #expect(try peer.hear() == #"{"class":"RELOAD","tag":4}"#)
    try peer.say(#"{"class":"ACK","tag":4}"#)
    #expect(try await reload == nil)
    async let stop = control.stop("nudge")
    #expect(try peer.hear() == #"{"class":"STOP","tag":5,"id":"nudge"}"#)
    try peer.say(#"{"class":"ACK","tag":5,"note":"no animation 'nudge' to stop"}"#)
    #expect(try await stop == "no animation 'nudge' to stop")
  }

  @Test func answersMayComeInAnyOrder() async throws {
    let control = control
    async let first = control.set("scale", to: 1)
    _ = try peer.hear()
    async let second = control.set("scale", to: 2)
    _ = try peer.hear()
    try peer.say(#"{"class":"ACK","tag":2,"note":"b"}"#, #"{"class":"ACK","tag":1,"note":"a"}"#)
    #expect(try await first == "a")
    #expect(try await second == "b")
  }

  @Test func theStatusIsTyped() async throws {
    let control = control
    async let answer = control.status()
    #expect(try peer.hear() == #"{"class":"STATUS","tag":1}"#)
    try peer.say(
      #"{"class":"STATUS","tag":1,"release":"0.1.0","uptime":12.5,"device":{"driver":"iio","state":"idle"},"gate":{"open":false,"gain":0,"reasons":["paused"]},"orientation":{"value":"left-up","source":"set"},"bias":{"mode":"auto","x":0.01,"y":0,"z":-0.5},"subscribers":2,"frames":7,"drops":{"lost":3},"latency":{"reason":"none"},"settings":{"scale":8},"overrides":["scale"]}"#
    )
    let status = try await answer
    #expect(status.gate.reasons == ["paused"])
    #expect(status.uptime.nanoseconds == 12_500_000_000)
    #expect(status.orientation == .leftUp)
    #expect(status.bias.estimateRadPerSec?.z == -0.5)
    #expect(status.drops.lost == 3)
    #expect(status.settings == [SetRequest(key: "scale", value: 8.0)])
    #expect(status.overrides == ["scale"])
  }

  @Test func aRefusalHasTheDaemonsWords() async throws {
    let answer = Task { [control] in try await control.set("scale", to: "much") }
    _ = try peer.hear()
    try peer.say(
      #"{"class":"ERROR","tag":1,"message":"SET: $.value: bad","code":"bad-request","details":["bad"],"key":"scale","allowed":"a number"}"#
    )
    let failure = await #expect(throws: RequestFailure.self) { try await answer.value }
    guard case .refused(let error)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error.code == .badRequest && error.key == "scale" && error.allowed == "a number")
    #expect(failure?.description == "SET: $.value: bad")
  }

  /// A daemon that ends a connection says why, without the tag of a request.
  @Test func theLastLineOfAConnectionIsTheReason() async throws {
    let answer = Task { [control] in try await control.status() }
    _ = try peer.hear()
    try peer.say(#"{"class":"ERROR","message":"no longer","code":"denied"}"#)
    peer.close()
    let denied = RequestFailure.refused(ErrorMessage(message: "no longer", code: .denied))
    await #expect(throws: denied) { try await answer.value }
    await #expect(throws: denied) { try await control.status() }
  }

  @Test func theEndOfTheConnectionEndsRequests() async throws {
    let answer = Task { [control] in try await control.status() }
    _ = try peer.hear()
    peer.close()
    await #expect(throws: RequestFailure.connection(.closed)) { try await answer.value }
  }

  /// JSON has no such number.
  @Test(arguments: [Double.nan, .infinity])
  func aNumberMustBeFinite(_ number: Double) async throws {
    let failure = await #expect(throws: RequestFailure.self) {
      try await control.set("scale", to: .number(number))
    }
    #expect(failure?.description == "value: expected a finite number, got \(number)")
  }

  @Test func withoutADaemonItThrows() {
    let error = #expect(throws: ParallaxError.self) {
      try ParallaxControl(path: folder("none.sock"))
    }
    #expect(error == .noDaemon(attempts: [.init(path: folder("none.sock"), errno: 2)]))
  }

  @Test func aThreadMayWaitForAnAnswer() throws {
    let answer = try BlockingAnswer<ControlLink.Reply>()
    let control = control
    try DetachedThread.start {
      answer.deliver(
        Result { () throws(RequestFailure) in try control.answer(to: .recenter) })
    }
    #expect(try peer.hear() == #"{"class":"RECENTER","tag":1}"#)
    try peer.say(#"{"class":"ACK","tag":1,"note":"n"}"#)
    let reply = try answer.wait().get()
    #expect(reply.answer == .ack(AckMessage(note: "n"), tag: .integer(1)))
    #expect(String(decoding: reply.line, as: UTF8.self) == #"{"class":"ACK","tag":1,"note":"n"}"#)
  }
}
