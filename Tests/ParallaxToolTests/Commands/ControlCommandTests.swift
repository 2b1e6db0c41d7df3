// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// The commands that send a request, with the test as the daemon.
@Suite("status, set, recenter, reload", .timeLimit(.minutes(10)))
struct ControlCommandTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  /// Runs a command, receives its request and answers.
  private func run(
    _ arguments: [String], answer: String
  ) throws -> (request: String?, result: ProgramResult) {
    let program = try Program.parallax.start(arguments + ["--control", server.path])
    let peer = try server.accept()
    let request = try peer.hear()
    try peer.say(answer)
    return (request, try program.finish())
  }

  private let status =
    #"{"class":"STATUS","tag":1,"release":"0.1.0","uptime":3725.5,"#
    + #""device":{"driver":"trace","name":"walk.csv","state":"streaming","rate":100,"#
    + #""measured_rate":99.978},"gate":{"open":false,"gain":0,"reasons":["paused","inhibit"]},"#
    + #""orientation":{"value":"left-up","source":"set"},"#
    + #""bias":{"mode":"auto","x":0.01,"y":0,"z":-0.5},"subscribers":2,"frames":1234,"#
    + #""drops":{"duplicate":1,"backwards":2,"nonfinite":3,"stale":5,"skipped":6,"behind":4},"#
    + #""latency":{"p50":0.00012,"p99":0.0005,"max":0.002},"#
    + #""inhibitors":[{"uid":1000,"reason":"password"}],"#
    + #""agents":[{"uid":1000,"reduce_motion":true,"orientation":"left-up"},{"uid":1001}],"#
    + #""animations":[{"id":"nudge","layer":"card","state":"playing"},{"id":"in","state":"ended"}],"#
    + #""news":1}"#

  @Test func statusHasNoControlCharacters() throws {
    let hostile = status.replacing("walk.csv", with: "\\u001b]0;x\\u0007\u{9B}2J")
    let text = try run(["status"], answer: hostile).result.output
    #expect(text.contains(#"device       trace \u{1b}]0;x\u{7}\u{9b}2J, streaming"#))
    let json = try run(["status", "--json"], answer: hostile).result.output
    #expect(json == hostile.replacing("\u{9B}", with: "\\u009b") + "\n")
  }

  @Test func statusIsTextForPeople() throws {
    let (request, result) = try run(["status"], answer: status)
    #expect(request == #"{"class":"STATUS","tag":1}"#)
    #expect(
      result.output == """
        release      0.1.0
        uptime       1 h 2 min
        device       trace walk.csv, streaming
        rate         100 Hz granted, 99.978 Hz measured
        gate         closed: paused, inhibit
        orientation  left-up (set)
        bias         auto, 0.01 0 -0.5 rad/s
        subscribers  2
        frames       1234
        drops        duplicate 1, backwards 2, nonfinite 3, stale 5, skipped 6, behind 4
        latency      p50 0.12 ms, p99 0.5 ms, max 2 ms
        inhibited    by uid 1000: password
        agent        of uid 1000: reduced motion on, left-up
        agent        of uid 1001: nothing
        animation    nudge on card, playing
        animation    in, ended; its final pose stays until 'parallax stop'

        """)
    #expect(result.exitCode == 0)
  }

  @Test func statusWithUnknownValues() throws {
    let (_, result) = try run(
      ["status"],
      answer: #"{"class":"STATUS","tag":1,"release":"0.1.0","uptime":59,"#
        + #""device":{"driver":"iio","state":"none","reason":"no gyroscope"},"#
        + #""gate":{"open":true,"gain":1,"reasons":[]},"#
        + #""orientation":{"value":"normal","source":"default"},"bias":{"mode":"off"},"#
        + #""subscribers":0,"frames":0,"drops":{},"latency":{"reason":"no frames yet"}}"#)
    #expect(
      result.output == """
        release      0.1.0
        uptime       59 s
        device       iio, none: no gyroscope
        rate         none
        gate         open, gain 1
        orientation  normal (default)
        bias         off
        subscribers  0
        frames       0
        drops        duplicate 0, backwards 0, nonfinite 0, stale 0, skipped 0, behind 0
        latency      none: no frames yet

        """)
  }

  @Test func statusJsonIsTheDaemonsLine() throws {
    let (_, result) = try run(["status", "--json"], answer: status)
    #expect(result.output == status + "\n")
  }

  /// The command line and its request.
  @Test(
    arguments: [
      (["set", "paused", "on"], #"{"class":"SET","tag":1,"key":"paused","value":"on"}"#),
      (
        ["set", "scale", "-5,3"], #"{"class":"SET","tag":1,"key":"scale","value":"-5,3"}"#
      ),
      (
        ["set", "smoothing", "ema:0.12"],
        #"{"class":"SET","tag":1,"key":"smoothing","value":"ema:0.12"}"#
      ),
      (["recenter"], #"{"class":"RECENTER","tag":1}"#),
      (["reload"], #"{"class":"RELOAD","tag":1}"#),
    ] as [([String], String)])
  func aCommandIsARequest(arguments: [String], request: String) throws {
    let (heard, result) = try run(arguments, answer: #"{"class":"ACK","tag":1}"#)
    #expect(heard == request)
    #expect(result.output == "")
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
  }

  @Test func aNoteOfTheDaemonIsPrinted() throws {
    let (_, result) = try run(
      ["recenter"], answer: #"{"class":"ACK","tag":1,"note":"no effect in rate mode"}"#)
    #expect(result.errors == "parallax: no effect in rate mode\n")
    #expect(result.exitCode == 0)
  }

  /// The code of the ERROR and the exit status.
  @Test(
    arguments: [
      ("bad-request", 64), ("too-long", 64), ("denied", 77), ("too-many", 69), ("behind", 69),
      ("bad-configuration", 78), ("unavailable", 69), ("new-one", 69),
    ] as [(String, Int32)])
  func anErrorOfTheDaemonHasItsExitCode(code: String, exit: Int32) throws {
    let (_, result) = try run(
      ["reload"],
      answer: #"{"class":"ERROR","tag":1,"message":"so\nthat","code":"\#(code)","#
        + #""details":["a.toml:1:2: x","b"]}"#)
    #expect(result.exitCode == exit)
    let last =
      switch code {
      case "bad-request": ""
      case "bad-configuration": "parallax: the configuration is invalid; nothing was changed\n"
      default: "parallax: so that\n"
      }
    #expect(result.errors == "parallax: a.toml:1:2: x\nparallax: b\n" + last)
  }

  @Test func theFirstErrorOfAReloadIsPrintedOnce() throws {
    let (_, result) = try run(
      ["reload"],
      answer: #"{"class":"ERROR","tag":1,"message":"the configuration is invalid; nothing was "#
        + #"changed: a.toml:1:2: x","code":"bad-configuration","details":["a.toml:1:2: x"]}"#)
    #expect(
      result.errors == """
        parallax: a.toml:1:2: x
        parallax: the configuration is invalid; nothing was changed

        """)
    #expect(result.exitCode == 78)
  }

  @Test func aRefusedSettingIsPrintedWithoutItsPlaceInTheRequest() throws {
    let (_, result) = try run(
      ["set", "paused", "yes"],
      answer: #"{"class":"ERROR","tag":1,"message":"SET: $.value: use on or off","#
        + #""code":"bad-request","details":["use on or off"],"key":"paused","#
        + #""allowed":"on or off"}"#)
    #expect(result.errors == "parallax: use on or off\n")
    #expect(result.exitCode == 64)
  }

  @Test func quietPrintsNoNotesAndVerboseTheSocket() throws {
    let note = #"{"class":"ACK","tag":1,"note":"no effect in rate mode"}"#
    #expect(try run(["recenter", "-q"], answer: note).result.errors == "")
    #expect(
      try run(["recenter", "--quiet", "-v"], answer: note).result.errors
        == "parallax: connected to \(server.path)\n")
  }

  @Test func anAnswerWithAnotherTagIsIgnored() throws {
    let program = try Program.parallax.start(["recenter", "--control", server.path])
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(
      #"{"class":"NEWS"}"#, #"{"class":"ERROR","tag":7,"message":"not yours"}"#,
      #"{"class":"ACK","tag":1}"#)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func aConnectionRefusedBeforeTheRequestIsExit77() throws {
    let program = try Program.parallax.start(["status", "--control", server.path])
    let peer = try server.accept()
    try peer.say(#"{"class":"ERROR","message":"not for you","code":"denied"}"#)
    peer.close()
    let result = try program.finish()
    #expect(result.errors == "parallax: not for you\n")
    #expect(result.exitCode == 77)
  }

  @Test func aDaemonThatClosesWithoutAnAnswerIsExit69() throws {
    let program = try Program.parallax.start(["status", "--control", server.path])
    try server.accept().close()
    #expect(try program.finish().exitCode == 69)
  }

  @Test func theControlSocketIsNextToTheStreamSocket() throws {
    let program = try Program.parallax.start(["reload", "--socket", folder("parallax.sock")])
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"RELOAD","tag":1}"#)
    try peer.say(#"{"class":"ACK","tag":1}"#)
    #expect(try program.finish().exitCode == 0)
  }

  /// The arguments of `parallax set`, and a part of the message.
  @Test(
    arguments: [
      ([], "reduce-motion, low-power, orientation, paused, rate, mode"),
      (["paused"], "a key and a value"), (["paused", "on", "off"], "a key and a value"),
    ] as [([String], String)])
  func aKeyWithoutOneValueIsExit64WithoutARequest(words: [String], part: String) throws {
    let result = try Program.parallax.run(["set", "--control", "/nonexistent"] + words)
    #expect(result.exitCode == 64)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains(part), "\(result.errors)")
  }

  @Test(arguments: ["status", "recenter", "reload"])
  func noDaemonIsExit69(command: String) throws {
    let result = try Program.parallax.run([command, "--control", folder("none")])
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("'parallax run'"))
  }
}
