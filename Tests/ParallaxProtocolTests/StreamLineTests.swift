// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import Testing

@testable import ParallaxProtocol

@Suite("Lines of the stream socket")
struct StreamLineTests {
  /// A message and its line, byte for byte.
  @Test(
    arguments: [
      (
        .version(.current),
        #"{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":7}"#
      ),
      (
        .device(
          DeviceMessage(
            driver: "iio", name: "gyro_3d", state: .streaming, rateHertz: 30.3, reason: nil)),
        #"{"class":"DEVICE","driver":"iio","name":"gyro_3d","state":"streaming","rate":30.3}"#
      ),
      (
        .device(
          DeviceMessage(
            driver: "iio", name: nil, state: .none, rateHertz: nil, reason: "none",
            rangeX: -5...7.5, rangeY: 0...20)),
        #"{"class":"DEVICE","driver":"iio","state":"none","reason":"none","#
          + #""range_x":[-5,7.5],"range_y":[0,20]}"#
      ),
      (
        .device(
          DeviceMessage(
            driver: "trace", name: "a \"b\"\\\n.csv", state: .ended, rateHertz: 416.6666,
            reason: "shutdown")),
        #"{"class":"DEVICE","driver":"trace","name":"a \"b\"\\\n.csv","state":"ended","#
          + #""rate":416.667,"reason":"shutdown"}"#
      ),
      (
        .gate(
          GateMessage(
            open: false, gain: 0, reasons: ["reduce-motion:portal", "low-power:upower"])),
        #"{"class":"GATE","open":false,"gain":0,"#
          + #""reasons":["reduce-motion:portal","low-power:upower"]}"#
      ),
      (
        .gate(GateMessage(open: true, gain: 0.25, reasons: [])),
        #"{"class":"GATE","open":true,"gain":0.25,"reasons":[]}"#
      ),
      (
        .animation(AnimationMessage(id: "intro", event: .started, position: nil)),
        #"{"class":"ANIMATION","id":"intro","event":"started"}"#
      ),
      (
        .animation(AnimationMessage(id: "intro", event: .cancelled, position: .current)),
        #"{"class":"ANIMATION","id":"intro","event":"cancelled","position":"current"}"#
      ),
      (
        .watch(
          WatchMessage(
            enable: true, rateHertz: 10, layers: [.init(name: "bg", depth: 0.2)],
            onChange: .anyChange, orientation: .leftUp)),
        #"{"class":"WATCH","enable":true,"rate":10,"layers":{"bg":0.2},"on_change":true,"#
          + #""orientation":"left-up"}"#
      ),
      (
        .watch(
          WatchMessage(
            enable: false, rateHertz: 29.97,
            layers: [.init(name: "a", depth: -10), .init(name: "b", depth: 1)],
            onChange: .atLeastPixels(0.05))),
        #"{"class":"WATCH","enable":false,"rate":29.97,"layers":{"a":-10,"b":1},"#
          + #""on_change":0.05}"#
      ),
      (
        .watch(WatchMessage(layers: [], onChange: .off)),
        #"{"class":"WATCH","layers":{},"on_change":false}"#
      ),
      (.watch(WatchMessage()), #"{"class":"WATCH"}"#),
      (
        .watch(WatchMessage(resets: [.layers, .orientation], version: 1, ignored: ["new"])),
        #"{"class":"WATCH","version":1,"layers":null,"orientation":"auto","ignored":["new"]}"#
      ),
      (.error(ErrorMessage(message: "no")), #"{"class":"ERROR","message":"no"}"#),
      (
        .error(ErrorMessage(message: "two", code: .badConfiguration, details: ["a:1", "b:2"])),
        #"{"class":"ERROR","message":"two","code":"bad-configuration","details":["a:1","b:2"]}"#
      ),
    ] as [(StreamMessage, String)])
  func messageIsOneLine(message: StreamMessage, line: String) {
    let text = written { buffer in
      switch message {
      case .version(let version): buffer.appendLine(version)
      case .device(let device): buffer.appendLine(device)
      case .gate(let gate): buffer.appendLine(gate)
      case .animation(let animation): buffer.appendLine(animation)
      case .watch(let watch): buffer.appendLine(watch)
      case .error(let error): buffer.appendLine(error)
      case .offset: Issue.record("OFFSET lines are tested in OffsetEncoderTests")
      }
    }
    #expect(text == line + "\n")
  }

  @Test func pollHasNoFields() {
    #expect(String(decoding: PollRequest().line(), as: UTF8.self) == "{\"class\":\"POLL\"}\n")
  }

  /// A text and its JSON form.
  @Test(
    arguments: [
      ("", #""""#), ("plain", #""plain""#), (#"""#, #""\"""#), (#"\"#, #""\\""#),
      ("a\nb\tc\rd", #""a\nb\tc\rd""#), ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
      ("é✨\u{2028}", "\"é✨\u{2028}\""), ("\"\"", #""\"\"""#),
    ])
  func stringIsEscaped(text: String, json: String) {
    #expect(written { $0.append(jsonString: text) } == json)
  }

  /// A number and its JSON form.
  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-10, "-10"), (0.2, "0.2"), (1e-9, "1e-09"),
      (1e300, "1e+300"), (.nan, "0"), (.infinity, "0"), (0.1 + 0.2, "0.30000000000000004"),
    ] as [(Double, String)])
  func numberIsShortest(value: Double, json: String) {
    #expect(written { $0.append(jsonNumber: value) } == json)
  }
}
