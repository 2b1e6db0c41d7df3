// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

@Suite("Messages from lines")
struct DecoderTests {
  private func message(_ line: String) -> StreamMessage? {
    StreamMessage(line: Array(line.utf8)[...])
  }

  @Test(
    arguments: [
      .version(.current),
      .device(
        DeviceMessage(
          driver: "iio", name: "a \"b\" é", state: .denied, rateHertz: 30.3, reason: "x\ny")),
      .device(
        DeviceMessage(driver: "iio", name: nil, state: .none, rateHertz: nil, reason: nil)),
      .gate(GateMessage(open: false, gain: 0, reasons: ["paused", "device:none"])),
      .offset(
        OffsetMessage(
          seq: .max, time: 12_345_678_901, x: 1.23, y: -0.5, nx: 0.246, ny: -0.1,
          layers: [.init(name: "bg", x: 0.246, y: -0.1), .init(name: "fg", x: 1, y: 2)],
          rotation: 1, scale: 2, opacity: 0.5, dropped: 7)),
      .offset(
        OffsetMessage(
          seq: 1, time: 2, x: 12.5, y: 0, nx: 0, ny: 0,
          layers: [
            .init(name: "card", x: 3, y: 4, rotation: -90.5, scale: 1.25, opacity: 0),
            .init(name: "sky", x: 1, y: 2, opacity: 0.5),
          ])),
      .offset(OffsetMessage(seq: 0, time: 0, x: 0, y: 0, nx: 0, ny: 0)),
      .animation(AnimationMessage(id: "i", event: .completed, position: .end)),
      .animation(AnimationMessage(id: "i", event: .started, position: nil)),
      .watch(
        WatchMessage(
          enable: true, rateHertz: 10, layers: [.init(name: "bg", depth: 0.2)],
          onChange: .anyChange, orientation: .leftUp)),
      .watch(WatchMessage(layers: [], onChange: .atLeastPixels(0.5))),
      .watch(WatchMessage(onChange: .off)),
      .error(ErrorMessage(message: "m", code: .tooMany, details: ["a", "b"])),
    ] as [StreamMessage])
  func lineReadsBackAsItsMessage(expected: StreamMessage) {
    #expect(message(lineText(expected)) == expected)
  }

  /// A line with unknown parts, and its message.
  @Test(
    arguments: [
      (
        #"{"class":"GATE","open":true,"gain":1,"reasons":[],"mood":{"a":[1,2]}}"#,
        .gate(GateMessage(open: true, gain: 1, reasons: []))
      ),
      // The order of fields has no meaning.
      (
        #"{"gain":1,"reasons":[],"open":true,"class":"GATE"}"#,
        .gate(GateMessage(open: true, gain: 1, reasons: []))
      ),
      // Ranges that no daemon has.
      (
        #"{"class":"DEVICE","driver":"a","state":"idle","range_x":[5,-5],"range_y":[1,2]}"#,
        .device(DeviceMessage(driver: "a", name: nil, state: .idle, rateHertz: nil, reason: nil))
      ),
      (
        #"{"class":"GATE","open":true,"gain":1,"reasons":[",]","\",}"]}"#,
        .gate(GateMessage(open: true, gain: 1, reasons: [",]", #"",}"#]))
      ),
      (
        #"{"class":"DEVICE","driver":"a","state":"napping"}"#,
        .device(
          DeviceMessage(
            driver: "a", name: nil, state: .none, rateHertz: nil, reason: "unknown state napping"))
      ),
      (
        #"{"class":"OFFSET","seq":1,"time":1,"x":0,"y":0,"nx":0,"ny":0,"vx":null,"layers":null}"#,
        .offset(OffsetMessage(seq: 1, timeNanoseconds: 1_000_000_000, x: 0, y: 0, nx: 0, ny: 0))
      ),
      (
        #"{"class":"ERROR","message":"m","code":"out-of-cheese"}"#,
        .error(ErrorMessage(message: "m"))
      ),
    ] as [(String, StreamMessage)])
  func unknownFieldsAreIgnored(line: String, expected: StreamMessage) {
    #expect(message(line) == expected)
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "1", #"{"class":1}"#, #"{"class":"NEWS","a":1}"#, #"{"x":1}"#,
      #"{"class":"OFFSET","seq":1}"#, #"{"class":"DEVICE","driver":"a","state":1}"#,
      #"{"class":"OFFSET","seq":1,"time":1,"x":0,"y":0,"nx":0,"ny":0, }"#,
      #"{"class":"GATE","open":true,"gain":1,"reasons":["a,",]}"#,
      #"{"class":"OFFSET","seq":1,"time":1,"x":2e9,"y":0,"nx":0,"ny":0}"#,
      #"{"class":"OFFSET","seq":1,"time":1,"x":0,"y":0,"nx":0,"ny":0,"vx":-1e300,"vy":0}"#,
      #"{"class":"OFFSET","seq":1,"time":1,"x":0,"y":0,"nx":0,"ny":0,"layers":[]}"#,
      #"{"class":"OFFSET","seq":1,"time":1e300,"x":0,"y":0,"nx":0,"ny":0}"#,
      #"{"class":"OFFSET","seq":-1,"time":1,"x":0,"y":0,"nx":0,"ny":0}"#, "\u{FFFD}\u{0}",
    ])
  func malformedLineIsNotAMessage(line: String) {
    #expect(message(line) == nil)
  }

  @Test func randomBytesDoNotCrash() {
    var generator = SeededGenerator.forTest()
    let whole = Array(lineText(.gate(GateMessage(open: true, gain: 1, reasons: ["x"]))).utf8)
    for _ in 0..<5_000 {
      var line = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        line[.random(in: line.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      _ = StreamMessage(line: line[...])
      _ = ControlAnswer(line: line[...])
    }
  }
}

@Suite("Answers from lines")
struct AnswerDecoderTests {
  private var status: StatusMessage {
    StatusMessage(
      uptime: 12_345_000_000,
      device: DeviceMessage(
        driver: "trace", name: "w", state: .streaming, rateHertz: 100, reason: nil),
      measuredRateHertz: 99.5, gate: GateMessage(open: true, gain: 0.25, reasons: ["paused"]),
      orientation: .leftUp, orientationSource: .sensorProxy,
      bias: .init(isAuto: true, x: 0.5, y: -0.25, z: 0), subscribers: 2, frames: 1 << 40,
      drops: .init(duplicate: 1, backwards: 2, nonfinite: 3, stale: 5, skipped: 6, behind: 4),
      latency: .measured(p50: 0.5, p99: 1, max: 2),
      inhibitors: [.init(uid: 1000, reason: "password")])
  }

  @Test func answersReadBack() throws {
    var other = status
    other.bias = .init(isAuto: false, estimate: nil)
    other.latency = .none(reason: "why")
    other.inhibitors = []
    other.measuredRateHertz = nil
    let answers: [ControlAnswer] = [
      .ack(AckMessage(), tag: nil), .ack(AckMessage(note: "n"), tag: .integer(3)),
      .ack(AckMessage(note: "n", id: "nudge"), tag: .integer(3)),
      .animation(AnimationMessage(id: "nudge", event: .started, position: nil), tag: .integer(3)),
      .animation(AnimationMessage(id: "n", event: .cancelled, position: .start), tag: nil),
      .ack(
        AckMessage(
          header: RecordingHeader(
            device: "d", rateHertz: 100, mountMatrix: "m", orientation: .normal, bias: "off,0,0,0")),
        tag: .text("t")),
      .status(status, tag: .integer(1)), .status(other, tag: nil),
      .error(ErrorMessage(message: "m", code: .denied), tag: .real(1.5)),
      .sample(SampleMessage(time: 1_500_000_000, x: 0.1 + 0.2, y: -1, z: 0)),
      .device(
        DeviceMessage(
          driver: "iio", name: "g", state: .lost, rateHertz: nil, reason: "unplugged")),
    ]
    for answer in answers {
      let line = answerLine(answer)
      #expect(ControlAnswer(line: Array(line.utf8)[...]) == answer, "\(line)")
    }
  }

  /// A recording needs both; after 97 days of uptime, a Double no longer resolves nanoseconds.
  @Test func samplesReadBackAtFullPrecision() {
    var generator = SeededGenerator.forTest()
    for index in 0..<5_000 {
      func rate() -> Double {
        let value = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
        return value.isFinite ? value : Double.random(in: -10...10, using: &generator)
      }
      let limit = index == 0 ? Int64.max : Int64.random(in: 1...Int64.max, using: &generator)
      let sample = SampleMessage(
        time: MotionInstant(
          nanoseconds: index == 0 ? .max : .random(in: 0...limit, using: &generator)),
        x: rate(), y: rate(), z: rate())
      let line = answerLine(.sample(sample))
      let answer = ControlAnswer(line: Array(line.utf8)[...])
      #expect(answer == .sample(sample), "\(line) \(generator.note)")
    }
  }

  /// Times of other programs, rounded half away from zero.
  @Test(
    arguments: [
      ("1", 1_000_000_000), ("0.0000000014", 1), ("0.0000000015", 2), ("-0.0000000015", -2),
      ("-0.0000000004", 0), ("-0.0000000005", -1), ("12e-1", 1_200_000_000),
      ("9223372036.854775807", .max),
    ] as [(String, Int64)])
  func timeIsRoundedToNanoseconds(text: String, nanoseconds: Int64) {
    let line = #"{"class":"SAMPLE","time":\#(text),"x":0,"y":0,"z":0}"#
    #expect(
      ControlAnswer(line: Array(line.utf8)[...])
        == .sample(SampleMessage(time: MotionInstant(nanoseconds: nanoseconds), x: 0, y: 0, z: 0)))
  }

  @Test(arguments: ["1e300", "9223372036.854775808", "1e18", "-1e18", "\"1\"", "null"])
  func timeOutOfRangeIsNotAnAnswer(text: String) {
    let line = #"{"class":"SAMPLE","time":\#(text),"x":0,"y":0,"z":0}"#
    #expect(ControlAnswer(line: Array(line.utf8)[...]) == nil)
  }
}

@Suite("Lines from bytes")
struct LineSplitterTests {
  @Test(arguments: 1...12)
  func linesAreWholeForEveryPieceSize(piece: Int) {
    let text = "one\n\ntwo two\nthree"
    var splitter = LineSplitter()
    var lines: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      rest.prefix(piece).withUnsafeBytes { splitter.append($0) }
      rest = rest.dropFirst(piece)
      while let line = splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(lines == ["one", "", "two two"])
  }

  @Test func overlongLineIsDetected() {
    var splitter = LineSplitter()
    let block = [UInt8](repeating: 65, count: 1 << 16)
    for _ in 0..<17 {
      #expect(!splitter.isOverlong)
      block.withUnsafeBytes { splitter.append($0) }
      #expect(splitter.next() == nil)
    }
    #expect(splitter.isOverlong)
  }
}

@Suite("Socket paths")
struct SocketPathTests {
  /// Kind, explicit path, environment, and the paths to try.
  @Test(
    arguments: [
      (.stream, "/a/b.sock", ["PARALLAX_SOCKET": "/no"], ["/a/b.sock"]),
      (
        .stream, nil, [:],
        ["/run/user/7/parallax/parallax.sock", "/run/parallax/parallax.sock"]
      ),
      (
        .stream, nil, ["PARALLAX_SOCKET": "/e.sock", "XDG_RUNTIME_DIR": "/x"],
        ["/e.sock"]
      ),
      (
        .stream, nil, ["PARALLAX_SOCKET": "", "XDG_RUNTIME_DIR": ""],
        ["/run/user/7/parallax/parallax.sock", "/run/parallax/parallax.sock"]
      ),
      (
        .control, nil, ["PARALLAX_SOCKET": "/d/e.sock", "XDG_RUNTIME_DIR": "/x"],
        ["/d/control.sock"]
      ),
      (
        .control, nil, ["PARALLAX_CONTROL": "/c", "PARALLAX_SOCKET": "/d/e.sock"],
        ["/c"]
      ),
    ] as [(SocketPath.Kind, String?, [String: String], [String])])
  func pathsAreInOrder(
    kind: SocketPath.Kind, explicit: String?, environment: [String: String], paths: [String]
  ) {
    #expect(
      SocketPath.candidates(kind, explicit: explicit, environment: { environment[$0] }, uid: 7)
        == paths)
  }

  @Test func controlSocketIsInTheStreamSocketsFolder() {
    #expect(SocketPath.beside("/a/b/c.sock") == "/a/b/control.sock")
    #expect(SocketPath.beside("c.sock") == "control.sock")
  }
}
