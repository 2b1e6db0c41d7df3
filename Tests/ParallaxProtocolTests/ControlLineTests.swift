// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
@testable import ParallaxProtocol
import Testing

@Suite("Lines of the control socket")
struct ControlLineTests {
  /// A request with its tag, and its line.
  @Test(
    arguments: [
      (.status, nil, #"{"class":"STATUS"}"#),
      (.recenter, .integer(-7), #"{"class":"RECENTER","tag":-7}"#),
      (.reload, .text("a\"b"), #"{"class":"RELOAD","tag":"a\"b"}"#),
      (.record, .real(1.5), #"{"class":"RECORD","tag":1.5}"#),
      (
        .set(SetRequest(key: "paused", value: .text("on"))), .integer(1),
        #"{"class":"SET","tag":1,"key":"paused","value":"on"}"#
      ),
      (
        .set(SetRequest(key: "scale", value: .number(7.5))), nil,
        #"{"class":"SET","key":"scale","value":7.5}"#
      ),
      (
        .set(SetRequest(key: "bias", value: .boolean(true))), nil,
        #"{"class":"SET","key":"bias","value":true}"#
      ),
      (
        .agent(AgentReport(reduceMotion: true, orientation: .turned(.leftUp))), nil,
        #"{"class":"AGENT","reduce_motion":true,"orientation":"left-up"}"#
      ),
      (.agent(AgentReport()), nil, #"{"class":"AGENT"}"#),
      (
        .agent(AgentReport(orientation: .auto, wanted: true)), nil,
        #"{"class":"AGENT","orientation":"auto","wanted":true}"#
      ),
      (.inhibit(.command), nil, #"{"class":"INHIBIT","reason":"command"}"#),
      (.play(PlayRequest(.id("nudge"))), .integer(1), #"{"class":"PLAY","tag":1,"id":"nudge"}"#),
      (
        .play(PlayRequest(.id("nudge"), layer: "card", isDetached: true)), nil,
        #"{"class":"PLAY","id":"nudge","layer":"card","detached":true}"#
      ),
      (
        .play(PlayRequest(.document(["id": "a\nb"], id: nil))), nil,
        #"{"class":"PLAY","document":{"id":"a\nb"}}"#
      ),
      (
        .play(PlayRequest(.document([:], id: "file"), layer: "bg")), .text("t"),
        #"{"class":"PLAY","tag":"t","id":"file","layer":"bg","document":{}}"#
      ),
      // As text it keeps its lines, for messages.
      (
        .play(PlayRequest(.text("{\r\n\t\"\u{E9}\"}", file: "a b.json"), layer: "bg")), nil,
        #"{"class":"PLAY","layer":"bg","text":"{\r\n\t\"\#u{E9}\"}","file":"a b.json"}"#
      ),
      (
        .play(
          PlayRequest(.chain([PlayRequest(.text("{}", file: "a"), layer: "bg")], ChainRequest()))),
        nil, #"{"class":"PLAY","chain":[{"text":"{}","file":"a","layer":"bg"}]}"#
      ),
      (
        .animate(AnimateRequest("a", .add(.text("{}", file: "b")))), nil,
        #"{"class":"ANIMATE","id":"a","action":"add","text":"{}","file":"b"}"#
      ),
      (
        .feed(
          FeedRequest(name: "Pixel 8", clock: .monotonic, rateHertz: 62.5, mountMatrix: .identity)),
        .integer(1),
        #"{"class":"FEED","tag":1,"name":"Pixel 8","clock":"monotonic","rate":62.5,"#
          + #""mount_matrix":"1,0,0;0,1,0;0,0,1"}"#
      ),
      (
        .sample(
          SampleRequest(time: 12_345_678_901, rateRadPerSec: AngularRate(x: 0.01, y: -0.2, z: 0))),
        nil, #"{"class":"SAMPLE","time":12.345678901,"x":0.01,"y":-0.2,"z":0}"#
      ),
      (
        .samples(
          SamplesRequest([
            SampleMessage(time: 12_345_000_000, x: 0.01, y: -0.2, z: 0),
            SampleMessage(time: 12_361_000_000, x: 0.02, y: -0.2, z: 0),
          ])), nil,
        #"{"class":"SAMPLES","samples":[[12.345000000,0.01,-0.2,0],[12.361000000,0.02,-0.2,0]]}"#
      ),
      (.stop(id: nil), nil, #"{"class":"STOP"}"#),
      (.stop(id: "nudge"), .integer(2), #"{"class":"STOP","tag":2,"id":"nudge"}"#),
    ] as [(ControlRequest, RequestTag?, String)])
  func requestIsOneLine(request: ControlRequest, tag: RequestTag?, line: String) {
    #expect(String(decoding: request.line(tag: tag), as: UTF8.self) == line + "\n")
  }

  @Test func answersRepeatTheTag() {
    #expect(written { $0.appendLine(AckMessage()) } == "{\"class\":\"ACK\"}\n")
    #expect(
      written { $0.appendLine(.ack(AckMessage(note: "n"), tag: .integer(4))) }
        == "{\"class\":\"ACK\",\"tag\":4,\"note\":\"n\"}\n")
    #expect(
      written { $0.appendLine(.error(ErrorMessage(message: "m", code: .denied), tag: .text("t"))) }
        == #"{"class":"ERROR","tag":"t","message":"m","code":"denied"}"# + "\n")
    #expect(
      written { $0.appendLine(.ack(AckMessage(note: "n", id: "nudge"), tag: .integer(4))) }
        == #"{"class":"ACK","tag":4,"id":"nudge","note":"n"}"# + "\n")
    let ended = AnimationMessage(id: "nudge", event: .cancelled, position: .current)
    #expect(
      written { $0.appendLine(.animation(ended, tag: .integer(4))) }
        == #"{"class":"ANIMATION","tag":4,"id":"nudge","event":"cancelled","position":"current"}"#
        + "\n")
  }

  @Test func recordingStartsWithItsHeader() {
    let header = RecordingHeader(
      device: "gyro_3d", rateHertz: 102.4, mountMatrix: "1,0,0;0,1,0;0,0,1",
      orientation: .normal, bias: "auto,0.01,0,-0.02")
    #expect(
      written { $0.appendLine(AckMessage(header: header), tag: .integer(1)) }
        == #"{"class":"ACK","tag":1,"device":"gyro_3d","rate":102.4,"#
        + #""mount-matrix":"1,0,0;0,1,0;0,0,1","orientation":"normal","#
        + #""bias":"auto,0.01,0,-0.02"}"# + "\n")
  }

  @Test func sampleHasFullPrecision() {
    let sample = SampleMessage(
      time: 12_345_678_901,
      rateRadPerSec: AngularRate(x: 0.1 + 0.2, y: -0.02, z: 0))
    #expect(
      written { $0.appendLine(.sample(sample)) }
        == #"{"class":"SAMPLE","time":12.345678901,"x":0.30000000000000004,"y":-0.02,"z":0}"#
        + "\n")
  }

  private var status: StatusMessage {
    StatusMessage(
      uptime: 12_345_678_901,
      device: DeviceMessage(
        driver: "trace", name: "walk.csv", state: .streaming, rateHertz: 100, reason: nil),
      measuredRateHertz: 99.9784,
      gate: GateMessage(open: true, gain: 1, reasons: []), orientation: .normal,
      orientationSource: .builtIn,
      bias: .init(isAuto: true, estimate: AngularRate(x: 0.01, y: -0.0000004, z: 0.5)),
      subscribers: 2, frames: 1234,
      drops: .init(
        duplicate: 1, backwards: 2, nonfinite: 3, stale: 5, skipped: 6, behind: 4,
        lost: 7),
      latency: .measured(p50: 0.000_12, p99: 0.0005, max: 0.002))
  }

  @Test func statusHasAllFields() {
    #expect(
      written { $0.appendLine(status, tag: .integer(1)) }
        == #"{"class":"STATUS","tag":1,"release":"0.1.0","uptime":12.345,"#
        + #""device":{"driver":"trace","name":"walk.csv","state":"streaming","rate":100,"#
        + #""measured_rate":99.978},"gate":{"open":true,"gain":1,"reasons":[]},"#
        + #""orientation":{"value":"normal","source":"default"},"#
        + #""bias":{"mode":"auto","x":0.01,"y":0,"z":0.5},"subscribers":2,"frames":1234,"#
        + #""drops":{"duplicate":1,"backwards":2,"nonfinite":3,"stale":5,"skipped":6,"behind":4,"#
        + #""lost":7},"#
        + #""latency":{"p50":0.00012,"p99":0.0005,"max":0.002}}"# + "\n")
  }

  @Test func statusOmitsUnknownFields() {
    var status = status
    status.device = DeviceMessage(
      driver: "iio", name: nil, state: .none, rateHertz: nil, reason: "no gyroscope")
    status.measuredRateHertz = nil
    status.gate = GateMessage(open: false, gain: 0, reasons: ["device:none", "inhibit"])
    status.bias = .init(isAuto: false, estimate: nil)
    status.latency = .none(reason: "no frames yet")
    status.inhibitors = [.init(uid: 1000, reason: "password"), .init(uid: 0, reason: "a")]
    status.animations = [
      .init(id: "breathe", layer: nil, state: .playing),
      .init(id: "nudge", layer: "card", state: .ended),
    ]
    status.settings = [
      .init(key: "mode", value: .text("tilt")), .init(key: "recenter", value: .number(4)),
    ]
    status.overrides = ["mode"]
    #expect(
      written { $0.appendLine(.status(status, tag: nil)) }
        == #"{"class":"STATUS","release":"0.1.0","uptime":12.345,"#
        + #""device":{"driver":"iio","state":"none","reason":"no gyroscope"},"#
        + #""gate":{"open":false,"gain":0,"reasons":["device:none","inhibit"]},"#
        + #""orientation":{"value":"normal","source":"default"},"bias":{"mode":"off"},"#
        + #""subscribers":2,"frames":1234,"#
        + #""drops":{"duplicate":1,"backwards":2,"nonfinite":3,"stale":5,"skipped":6,"behind":4,"#
        + #""lost":7},"#
        + #""latency":{"reason":"no frames yet"},"#
        + #""inhibitors":[{"uid":1000,"reason":"password"},{"uid":0,"reason":"a"}],"#
        + #""animations":[{"id":"breathe","state":"playing"},"#
        + #"{"id":"nudge","layer":"card","state":"ended"}],"#
        + #""settings":{"mode":"tilt","recenter":4},"overrides":["mode"]}"# + "\n")
  }
}

@Suite("The reason of an INHIBIT")
struct InhibitReasonTests {
  @Test(arguments: ["password", "a", "0-9", String(repeating: "x", count: 32)])
  func shortWordIsAReason(text: String) throws {
    #expect(try InhibitReason(text).text == text)
  }

  @Test(arguments: ["", "Password", "a b", "ä", String(repeating: "x", count: 33), "a\n"])
  func otherTextIsNotAReason(text: String) {
    #expect(throws: SettingError.self) { try InhibitReason(text) }
  }
}
