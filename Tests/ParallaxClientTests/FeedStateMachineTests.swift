// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// What the daemon's lines mean for a feed.
@Suite struct FeedStateMachineTests {
  private static let ack = #"{"class":"ACK","tag":1}"#
  private static let device =
    #"{"class":"DEVICE","driver":"feed","name":"Pixel 8","state":"idle"}"#

  private func machine() -> FeedStateMachine {
    FeedStateMachine(FeedRequest(name: "Pixel 8", rateHertz: 60))
  }

  private func line(_ text: String) -> LineConnection.Event { .line(Array(text.utf8)[...]) }

  private func refused(
    _ code: ErrorMessage.Code, _ message: String
  ) -> FeedStateMachine.Outcome {
    .refused(ErrorMessage(message: message, code: code))
  }

  @Test func eachConnectionAsksAgain() {
    var machine = machine()
    for _ in 0..<2 {
      #expect(machine.handle(.connecting) == nil)
      guard case .send(let bytes)? = machine.handle(.connected) else {
        Issue.record("nothing is sent")
        return
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix(#"{"class":"FEED","tag":1,"name":"Pixel 8","#) && text.hasSuffix("\n"))
      #expect(!machine.isAccepted)
      #expect(machine.handle(line(Self.ack)) == .accepted)
      #expect(machine.isAccepted)
      #expect(machine.handle(.lost(.closed)) == .lost(.closed))
      #expect(!machine.isAccepted)
    }
    #expect(machine.handle(.ended(nil)) == .ended(nil))
  }

  @Test func refusalsEndIt() {
    let refusals: [(text: String, code: ErrorMessage.Code)] = [
      (#"{"class":"ERROR","tag":1,"message":"m","code":"denied"}"#, .denied),
      (#"{"class":"ERROR","tag":1,"message":"m","code":"unavailable"}"#, .unavailable),
      (#"{"class":"ERROR","tag":1,"message":"m","code":"bad-request"}"#, .badRequest),
      // After the ACK: a RELOAD, a lost privilege, too many requests.
      (#"{"class":"ERROR","message":"m","code":"unavailable"}"#, .unavailable),
      (#"{"class":"ERROR","message":"m","code":"denied"}"#, .denied),
      (#"{"class":"ERROR","message":"m","code":"too-many"}"#, .tooMany),
    ]
    for (text, code) in refusals {
      var machine = machine()
      _ = machine.handle(.connected)
      _ = machine.handle(line(Self.ack))
      #expect(machine.handle(line(text)) == refused(code, "m"))
      #expect(!machine.isAccepted)
    }
  }

  @Test func aWrongSampleDoesNotEndIt() {
    var machine = machine()
    _ = machine.handle(.connected)
    _ = machine.handle(line(Self.ack))
    let error = ErrorMessage(
      message: "SAMPLES: $.samples[3][1]: expected a number", code: .badRequest)
    #expect(
      machine.handle(
        line(
          #"{"class":"ERROR","message":"SAMPLES: $.samples[3][1]: expected a number","code":"bad-request"}"#
        )) == .rejected(error))
    #expect(machine.isAccepted)
  }

  @Test func otherLines() throws {
    var machine = machine()
    _ = machine.handle(.connected)
    guard case .device(let device)? = machine.handle(line(Self.device)) else {
      Issue.record("no device")
      return
    }
    #expect(device.driver == "feed" && device.state == .idle)
    // Those of a later release.
    #expect(machine.handle(line(#"{"class":"NEWS","x":1}"#)) == nil)
    #expect(machine.handle(line(#"{"class":"GATE","open":true,"gain":1,"reasons":[]}"#)) == nil)
    #expect(machine.handle(line("SSH-2.0-OpenSSH_9.2p1")) == .malformed)
    #expect(machine.handle(line(#"{"class":"ERROR","message":1}"#)) == .malformed)
  }

  // MARK: - Samples

  private func text(_ samples: [SampleRequest]) -> String {
    String(decoding: FeedStateMachine.lines(samples), as: UTF8.self)
  }

  private func sample(_ time: MonotonicInstant?, _ x: Double) -> SampleRequest {
    SampleRequest(time: time, rateRadPerSec: AngularRate(x: x, y: -0.2, z: 0))
  }

  @Test func oneSampleIsASample() {
    #expect(
      text([sample(12_345_678_901, 0.01)])
        == #"{"class":"SAMPLE","time":12.345678901,"x":0.01,"y":-0.2,"z":0}"# + "\n")
    #expect(text([sample(nil, 0.01)]) == #"{"class":"SAMPLE","x":0.01,"y":-0.2,"z":0}"# + "\n")
    #expect(text([]) == "")
  }

  @Test func severalShareALine() {
    #expect(
      text([sample(12_345_000_000, 1), sample(12_361_000_000, 2)])
        == #"{"class":"SAMPLES","samples":[[12.345000000,1,-0.2,0],[12.361000000,2,-0.2,0]]}"#
        + "\n")
    // Without a time, a sample has its own line; the order stays.
    let lines = text([sample(1, 1), sample(2, 2), sample(nil, 3), sample(4, 4)])
      .split(separator: "\n")
    #expect(lines.map { $0.contains("SAMPLES") } == [true, false, false])
  }

  @Test func linesStayWithinTheLimit() {
    let worst = SampleRequest(
      time: MonotonicInstant(nanoseconds: 1 << 60),
      rateRadPerSec: AngularRate(x: -2.2250738585072014e-308, y: -1.7976931348623157e308, z: -0.1))
    let lines = text(Array(repeating: worst, count: 2048)).split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { $0.utf8.count < 65_536 })
  }
}
