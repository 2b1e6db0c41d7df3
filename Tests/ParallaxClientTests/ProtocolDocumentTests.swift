// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// Every line in docs/protocol.md is a line of the protocol: each line of the daemon reads back as the
/// same bytes.
@Suite("docs/protocol.md")
struct ProtocolDocumentTests {
  private static let lines: [String] = {
    let page = try? text(ofFile: TestEnvironment.packageRoot + "/docs/protocol.md")
    return (page ?? "").split(separator: "\n").filter { $0.hasPrefix("{\"class\"") }.map(
      String.init)
  }()

  @Test func everyClassHasALine() {
    for name in [
      "VERSION", "DEVICE", "GATE", "OFFSET", "ANIMATION", "WATCH", "POLL", "ERROR", "ACK",
      "STATUS", "SAMPLE", "SET", "RECENTER", "RELOAD", "INHIBIT", "AGENT", "RECORD", "WANTED",
      "PLAY", "ANIMATE", "STOP",
    ] {
      #expect(Self.lines.contains { $0.hasPrefix("{\"class\":\"\(name)\"") }, "\(name)")
    }
  }

  @Test(arguments: lines)
  func lineReadsBackAsItself(line: String) {
    let bytes = Array(line.utf8)[...]
    if let message = StreamMessage(line: bytes), lineText(message) == line { return }
    if let answer = ControlAnswer(line: bytes) {
      #expect(answerLine(answer) == line)
    } else {
      #expect(requests.contains(line), "neither a message nor an answer nor a request: \(line)")
    }
  }

  private let document: JSONValue = ["parallax": 1, "id": "wait", "animation": ["delay": 1]]

  /// The lines of the requests.
  private var requests: [String] {
    let requests: [(ControlRequest, RequestTag?)] = [
      (.status, .integer(1)),
      (.set(SetRequest(key: "paused", value: .text("on"))), .integer(2)),
      (.set(SetRequest(key: "scale", value: .number(8))), nil), (.recenter, nil), (.reload, nil),
      (.agent(AgentReport(reduceMotion: true, orientation: .turned(.leftUp), wanted: true)), nil),
      (.record, nil),
      (
        .feed(
          FeedRequest(
            name: "Pixel 8", rateHertz: 60,
            mountMatrix: try? MountMatrix(parsing: "0,1,0;-1,0,0;0,0,1"))),
        .integer(6)
      ),
      (
        .samples(
          SamplesRequest([
            SampleMessage(time: 12_345_000_000, x: 0.01, y: -0.2, z: 0),
            SampleMessage(time: 12_361_000_000, x: 0.02, y: -0.2, z: 0),
          ])), nil
      ), (.stop(id: "nudge"), nil),
      (.play(PlayRequest(.id("nudge"), layer: "card", isDetached: true)), .integer(3)),
      (.play(PlayRequest(.document(document, id: nil))), .integer(4)),
      (
        .play(PlayRequest(.id("shake"), variables: ["strength": 12])), .integer(5)
      ),
      (.play(PlayRequest(.id("drawer"), name: "left", isPaused: true, pausesAtEnd: true)), nil),
      (
        .play(
          PlayRequest(
            .chain(
              [PlayRequest(.id("nudge")), PlayRequest(.id("sway"), layer: "card")],
              ChainRequest(delaySeconds: 0.5, passes: 3)), name: "tour")), nil
      ),
      (.animate(AnimateRequest("left", .seek(fraction: 0.3))), nil),
      (
        .animate(
          AnimateRequest(
            "left",
            .continue(
              .init(curve: ["spring": ["response": .double(0.4)]], velocity: [900, 0])))),
        nil
      ),
      (.animate(AnimateRequest("left", layer: "card", .add(.id("lift"), delayFactor: 0.5))), nil),
    ]
    let inhibit = (try? InhibitReason("password")).map { ControlRequest.inhibit($0).line() }
    return
      (requests.map { $0.line(tag: $1) } + [
        inhibit ?? [], PollRequest().line(), PollRequest().line(tag: .integer(7)),
      ]).map {
        String(decoding: $0.dropLast(), as: UTF8.self)
      }
  }
}
