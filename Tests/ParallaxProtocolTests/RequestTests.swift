// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxProtocol

/// Requests as the daemon reads them.
@Suite("Requests from lines")
struct RequestTests {
  private static let document: JSONValue = ["parallax": 1, "animation": ["delay": .double(0.5)]]
  private static let spring: JSONValue = ["spring": ["response": .double(0.4)]]

  private func control(_ line: String) -> RequestLine<ControlRequest> {
    RequestLine(
      Array(line.utf8), limits: .controlLine, classes: ControlRequest.classes,
      keepsDecimals: line.contains("SAMPLE") || line.contains("FEED"))
  }

  private func stream(_ line: String) -> RequestLine<StreamRequest> {
    RequestLine(Array(line.utf8), limits: .streamLine, classes: StreamRequest.classes)
  }

  @Test(
    arguments: [
      .status, .recenter, .reload, .record, .inhibit(.command), .stop(id: nil), .stop(id: "a"),
      .set(SetRequest(key: "scale", value: .integer(5))),
      .set(SetRequest(key: "scale", value: .number(0.5))),
      .set(SetRequest(key: "paused", value: .boolean(true))),
      .set(SetRequest(key: "mode", value: .text("tilt"))), .agent(AgentReport()),
      .agent(AgentReport(reduceMotion: false, orientation: .turned(.leftUp), wanted: true)),
      .agent(AgentReport(orientation: .auto)), .feed(FeedRequest(name: "Pixel 8")),
      .feed(
        FeedRequest(
          name: String(repeating: "é", count: 32), clock: .monotonic, rateHertz: 62.5,
          mountMatrix: try? MountMatrix(parsing: "0,1,0;-1,0,0;0,0,1"))),
      .sample(SampleRequest(rateRadPerSec: AngularRate(x: 0.1 + 0.2, y: -1, z: 0))),
      // Nanoseconds after 1000 days of uptime, which a Double does not resolve.
      .sample(SampleRequest(time: 86_400_000_123_456_789, rateRadPerSec: .zero)),
      .samples(SamplesRequest([SampleMessage(time: 86_400_000_123_456_789, x: 1, y: 2, z: 3)])),
      .samples(
        SamplesRequest(
          (0..<3).map { SampleMessage(time: MotionInstant(nanoseconds: $0), x: 0, y: 0.1, z: -9) })),
      .play(PlayRequest(.id("a"))),
      .play(
        PlayRequest(
          .document(document, id: "a"), layer: "bg", isDetached: true, name: "b",
          isPaused: true, pausesAtEnd: true, variables: ["strength": 8])),
      .play(
        PlayRequest(
          .chain(
            [
              PlayRequest(.id("a")), PlayRequest(.id("b"), layer: "bg"),
              PlayRequest(.document(document, id: nil), variables: [:]),
            ], ChainRequest(order: .parallel, delaySeconds: 2.5, passes: nil, take: 3)))),
      .play(PlayRequest(.chain([PlayRequest(.id("a"))], ChainRequest(passes: 4)))),
    ]
      + ([
        .pause, .resume(), .resume(delaySeconds: 0.5), .reverse(), .reverse(false),
        .seek(fraction: 0.25), .speed(2), .continue(.init()),
        .continue(
          .init(curve: spring, durationFactor: 0.5, velocity: [1, 2, 3, 4])), .stop,
        .finish(.start), .finish(.end), .add(.id("a")),
        .add(.document(document, id: nil), delayFactor: 0.5),
        .append(PlayRequest(.id("a"), layer: "bg")),
      ] as [AnimateRequest.Action]).map { .animate(AnimateRequest("id", layer: "l", $0)) }
      as [ControlRequest])
  func requestReadsBack(_ request: ControlRequest) {
    for tag in [nil, .integer(-7), .text("a\"b"), .real(1.5)] as [RequestTag?] {
      let read = control(String(decoding: request.line(tag: tag), as: UTF8.self))
      #expect(read.request == .success(request))
      #expect(read.tag == tag)
      #expect(read.ignored.isEmpty)
    }
  }

  @Test(
    arguments: [
      .poll(PollRequest()), .watch(WatchMessage()),
      .watch(WatchMessage(resets: [.layers, .orientation], version: 1)),
      .watch(
        WatchMessage(
          enable: false, rateHertz: 29.97,
          layers: [.init(name: "b", depth: -10), .init(name: "a", depth: 0.5)],
          onChange: .atLeastPixels(0.05), orientation: .rightUp)),
      .watch(WatchMessage(layers: [], onChange: .off)), .watch(WatchMessage(onChange: .anyChange)),
    ] as [StreamRequest])
  func streamRequestReadsBack(_ request: StreamRequest) {
    let line =
      switch request {
      case .watch(let watch): watch.line(tag: .integer(1))
      case .poll(let poll): poll.line(tag: .integer(1))
      }
    let read = stream(String(decoding: line, as: UTF8.self))
    #expect(read.request == .success(request))
    #expect(read.tag == .integer(1))
  }

  @Test func unknownFieldsAreNamed() {
    let many = (0..<20).map { ",\"f\($0)\":0" }.joined()
    #expect(stream(#"{"class":"POLL","tag":1,"x":1,"ignored":[]}"#).ignored == ["x", "ignored"])
    #expect(stream("{\"class\":\"WATCH\"\(many)}").ignored == (0..<16).map { "f\($0)" })
  }

  /// A request on the stream socket, and what is wrong with it.
  @Test(
    arguments: [
      ("{", "invalid JSON at column 1: string or '}' expected near end of file"),
      (
        #"{"rate":1}"#,
        #"$: "class" is missing; a request is an object with "class": WATCH or POLL"#
      ),
      (#"{"class":"STATUS"}"#, #"unknown class "STATUS"; use WATCH or POLL"#),
      (#"{"class":"POLL","tag":[1]}"#, "POLL: $.tag: expected a string or a number"),
      (#"{"class":"WATCH","enable":null}"#, "WATCH: $.enable: expected true or false, got null"),
      (#"{"class":"WATCH","rate":0}"#, "WATCH: $.rate: expected a rate above 0 Hz"),
      (
        #"{"class":"WATCH","version":0}"#,
        "WATCH: $.version: expected a major version of the protocol, an integer from 1"
      ),
      (
        #"{"class":"WATCH","on_change":-1}"#,
        "WATCH: $.on_change: expected true, false or a number of pixels, at least 0"
      ),
      (
        #"{"class":"WATCH","layers":{"a":"b"}}"#,
        "WATCH: $.layers.a: expected a number, got a string"
      ),
      (
        #"{"class":"WATCH","orientation":"up"}"#,
        #"WATCH: $.orientation: expected one of "normal", "left-up", "bottom-up", "right-up""#
      ),
    ])
  func streamErrorNamesThePlace(line: String, message: String) {
    #expect(stream(line).request == .failure(RequestError(message)))
  }

  /// A request on the control socket, without its class, and what is wrong with it.
  @Test(
    arguments: [
      ("SET", #""key":"a""#, #"$: "value" is missing"#),
      (
        "SET", #""key":"a","value":[]"#,
        "$.value: expected a string, a number or a boolean, got an array"
      ),
      (
        "INHIBIT", #""reason":"A""#,
        "$.reason: invalid reason 'A'; use 1 to 32 characters of a-z, 0-9 and -, as in password"
      ),
      ("FEED", #""clock":"sender""#, #"$: "name" is missing"#),
      ("FEED", #""name":"""#, "$.name: expected 1 to 64 bytes of printable text"),
      ("FEED", #""name":"a\u0007""#, "$.name: expected 1 to 64 bytes of printable text"),
      (
        "FEED", #""name":"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddde""#,
        "$.name: expected 1 to 64 bytes of printable text"
      ),
      (
        "FEED", #""name":"a","clock":"utc""#,
        #"$.clock: expected one of "sender", "monotonic""#
      ),
      (
        "FEED", #""name":"a","rate":0"#,
        "$.rate: out of range; use 0.001 to 10000 Hz"
      ),
      (
        "FEED", #""name":"a","rate":10000.5"#,
        "$.rate: out of range; use 0.001 to 10000 Hz"
      ),
      ("FEED", #""name":"a","rate":1e999"#, "$.rate: inf is out of range"),
      (
        "FEED", #""name":"a","mount_matrix":"1,0,0;0,1,0""#,
        "$.mount_matrix: invalid mount matrix '1,0,0;0,1,0'; write nine numbers as a,b,c;d,e,f;g,h,i"
      ),
      (
        "FEED", #""name":"a","mount_matrix":"1,0,0;0,1,0;0,0,-1""#,
        "$.mount_matrix: the mount matrix mirrors the axes (determinant below 0), but a gyroscope's is "
          + "a pure rotation; negate one row, or use the gyroscope's own matrix"
      ),
      ("SAMPLE", #""time":1,"x":0,"y":0"#, #"$: "z" is missing"#),
      ("SAMPLE", #""x":0,"y":"0","z":0"#, "$.y: expected a number, got a string"),
      ("SAMPLE", #""x":0,"y":-1e400,"z":0"#, "$.y: -inf is out of range"),
      (
        "SAMPLE", #""time":-0.5,"x":0,"y":0,"z":0"#,
        "$.time: out of range; use 0 to 2305843009 seconds"
      ),
      ("SAMPLE", #""time":1e20,"x":0,"y":0,"z":0"#, "$.time: 1e20 s is out of range"),
      ("SAMPLES", #""samples":[]"#, "$.samples: expected at least 1 sample"),
      ("SAMPLES", #""samples":[[1,0,0,0],1]"#, "$.samples[1]: expected an array, got a number"),
      (
        "SAMPLES", #""samples":[[1,0,0]]"#,
        "$.samples[0]: expected 4 numbers, the time in seconds and x, y and z in rad/s, got 3"
      ),
      (
        "SAMPLES", #""samples":[[1,0,0,0],[2,null,0,0]]"#,
        "$.samples[1][1]: expected a number, got null"
      ),
      (
        "SAMPLES", #""samples":[[3000000000,0,0,0]]"#,
        "$.samples[0][0]: out of range; use 0 to 2305843009 seconds"
      ),
      ("PLAY", "", #"$: "id", "document", "text" or "chain" is missing"#),
      ("PLAY", #""id":"a","variables":1"#, "$.variables: expected an object, got a number"),
      (
        "PLAY", #""id":"a","chain":["b"]"#,
        #"$.chain: use "as" for the id of a chain, not "id""#
      ),
      ("PLAY", #""chain":[]"#, "$.chain: expected 1 to 256 parts, got 0"),
      (
        "PLAY", #""chain":[{"id":"a","as":"b"}]"#, "$.chain[0].as: not allowed in a part of a chain"
      ),
      (
        "PLAY", #""chain":["a"],"delay":-1"#,
        "$.delay: -1.0 is out of range; use 0 to 86400 seconds"
      ),
      ("PLAY", #""chain":["a"],"take":0"#, "$.take: expected a whole number from 1 to 1000000"),
      (
        "ANIMATE", #""id":"a","action":"jump""#,
        "$.action: unknown action 'jump'; use pause, resume, reverse, seek, speed, continue, stop, finish, add, append"
      ),
      (
        "ANIMATE", #""id":"a","action":"seek","fraction":2"#,
        "$.fraction: 2.0 is out of range; use 0.0 to 1.0"
      ),
      (
        "ANIMATE", #""id":"a","action":"continue","velocity":[1]"#,
        "$.velocity: expected 2 to 4 numbers: x and y in px/s, degrees/s, scale per second"
      ),
      ("ANIMATE", #""id":"a","action":"add""#, #"$: "document" is missing"#),
    ])
  func controlErrorNamesThePlace(name: String, fields: String, message: String) {
    let line = "{\"class\":\"\(name)\",\"tag\":7\(fields.isEmpty ? "" : ",")\(fields)}"
    let read = control(line)
    #expect(read.request == .failure(RequestError("\(name): \(message)")))
    #expect(read.tag == .integer(7))
  }
}
