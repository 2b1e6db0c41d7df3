// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax play` and `stop`, with the test as the daemon.
@Suite("parallax play and stop", .timeLimit(.minutes(10)))
struct PlayTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  private func start(_ arguments: String...) throws -> RunningProgram {
    try Program.parallax.start(arguments + ["--control", server.path])
  }

  /// Returns the PLAY, which comes after a STATUS.
  private func request(_ peer: FakeServer.Peer) throws -> String? {
    #expect(try peer.hear() == #"{"class":"STATUS","tag":2}"#)
    return try peer.hear()
  }

  private func animation(_ event: String, tag: Int = 1) -> String {
    let position = ["completed": "end", "cancelled": "start"][event]
    return #"{"class":"ANIMATION","tag":\#(tag),"id":"nudge","event":"\#(event)""#
      + (position.map { #","position":"\#($0)""# } ?? "") + "}"
  }

  private let ack = #"{"class":"ACK","tag":1,"id":"nudge"}"#
  private let document = "{\"parallax\": 1,\n \"animation\": {\"delay\": 1}}"

  @Test(arguments: ["completed", "cancelled"])
  func playWaitsForTheEndAndPrintsNothing(end: String) throws {
    let program = try start("play", "nudge")
    let peer = try server.accept()
    #expect(try request(peer) == #"{"class":"PLAY","tag":1,"id":"nudge"}"#)
    try peer.say(ack, animation("started"), animation("step"), animation("completed", tag: 2))
    try peer.say(animation(end))
    let result = try program.finish()
    #expect(result.output == "" && result.errors == "")
    #expect(result.exitCode == 0)
  }

  /// The gate's reasons, and the notes.
  @Test(
    arguments: [
      ("", []), (#""device:none""#, []),
      (
        #""paused","low-power:upower""#,
        [
          "held back by paused, low-power:upower: it jumps to its end and nothing is shown; see "
            + "'parallax status'"
        ]
      ),
      (
        #""reduce-motion:portal","inactive","new:one""#,
        [
          "held back by new:one: it jumps to its end and nothing is shown; see 'parallax status'",
          "held back by inactive: it is not shown to you while your session is in the background; "
            + "see 'parallax status'",
          "held back by reduce-motion:portal: it plays in its reduced form, if it has one; see "
            + "'parallax status'",
        ]
      ),
    ] as [(String, [String])])
  func aClosedGateIsReported(reasons: String, notes: [String]) throws {
    let status =
      #"{"class":"STATUS","tag":2,"release":"0.1.0","uptime":1,"device":{"driver":"iio","#
      + #""state":"idle"},"gate":{"open":false,"gain":0,"reasons":[\#(reasons)]},"#
      + #""orientation":{"value":"normal","source":"default"},"bias":{"mode":"off"},"#
      + #""subscribers":0,"frames":0,"drops":{"duplicate":0,"backwards":0,"nonfinite":0,"stale":0,"#
      + #""skipped":0,"behind":0},"latency":{"reason":"none"},"agents":[],"animations":[]}"#
    for options in [[], ["-q"]] {
      let program = try Program.parallax.start(
        ["play", "nudge", "--control", server.path] + options)
      let peer = try server.accept()
      _ = try request(peer)
      try peer.say(status, ack, animation("completed"))
      let result = try program.finish()
      #expect(result.errors == (options.isEmpty ? notes : []).map { "parallax: \($0)\n" }.joined())
      #expect(result.exitCode == 0)
    }
  }

  /// What changes while the animation plays is reported once.
  @Test func aGateThatClosesAndOpensIsReported() throws {
    func gate(_ reasons: String) -> String {
      #"{"class":"GATE","open":false,"gain":0,"reasons":[\#(reasons)]}"#
    }
    let program = try start("play", "nudge")
    let peer = try server.accept()
    _ = try request(peer)
    try peer.say(ack, animation("started"), gate(#""device:none""#))
    try peer.say(gate(#""paused""#), gate(#""paused","device:none""#), gate(#""device:none""#))
    try peer.say(animation("completed"))
    let result = try program.finish()
    #expect(
      result.errors
        == "parallax: held back by paused: it jumps to its end and nothing is shown; see "
        + "'parallax status'\nparallax: no longer held back\n")
    #expect(result.exitCode == 0)
  }

  @Test func theLayerIsSent() throws {
    let program = try start("play", "nudge", "--layer", "card")
    let peer = try server.accept()
    #expect(try request(peer) == #"{"class":"PLAY","tag":1,"id":"nudge","layer":"card"}"#)
    try peer.say(ack, animation("completed"))
    #expect(try program.finish().exitCode == 0)
  }

  @Test func detachExitsWhenTheAnimationPlays() throws {
    let program = try start("play", "nudge", "--detach")
    let peer = try server.accept()
    #expect(try request(peer) == #"{"class":"PLAY","tag":1,"id":"nudge","detached":true}"#)
    try peer.say(ack)
    #expect(try program.finish().exitCode == 0)
  }

  /// A file and the part of the request that depends on it.
  @Test func aDocumentIsSentOnOneLineWithItsIdOrTheFilesName()
    throws
  {
    let marked = "\u{FEFF}" + #"{"parallax": 1, "id": "me", "animation": {"delay": 1}}"#
    for (name, text, sent) in [
      (
        "wait.json", document,
        #""id":"wait","document":{"parallax": 1,  "animation": {"delay": 1}}"#
      ),
      ("a b.json", document, #""document":{"parallax": 1,  "animation": {"delay": 1}}"#),
      ("own.json", marked, #""document":{"parallax": 1, "id": "me", "animation": {"delay": 1}}"#),
    ] {
      let program = try start("play", try folder.write(text, to: name))
      let peer = try server.accept()
      #expect(try request(peer) == #"{"class":"PLAY","tag":1,\#(sent)}"#)
      try peer.say(ack, animation("completed"))
      #expect(try program.finish().exitCode == 0)
    }
  }

  @Test func standardInputIsReadAsAFile() throws {
    let program = try start("play", "-")
    let result = Result { try program.finish(input: Array("{}".utf8)) }
    #expect(try result.get().exitCode == 65)
    #expect(try result.get().errors.hasPrefix("parallax: standard input:1:1: $: not an animation"))
  }

  @Test func unsupportedFeaturesAreReportedOnce() throws {
    let note = #"{"class":"ACK","tag":1,"id":"nudge","note":"left out: the shapes of 1 layer"}"#
    let swing = TestEnvironment.packageRoot + "/examples/animations/swing.json"
    for (argument, said) in [("nudge", ""), (swing, "\(swing): ")] {
      let program = try start("play", argument)
      let peer = try server.accept()
      _ = try request(peer)
      try peer.say(note, animation("completed"))
      let result = try program.finish()
      #expect(result.errors == "parallax: \(said)left out: the shapes of 1 layer\n")
      #expect(result.exitCode == 0)
    }
  }

  /// A signal and the exit status. The end of the connection cancels the animation.
  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func ctrlCEndsTheConnection(signal: Int32, code: Int32) throws {
    let program = try start("play", "nudge")
    let peer = try server.accept()
    _ = try request(peer)
    try peer.say(ack, animation("started"))
    program.send(signal: signal)
    #expect(try peer.hear() == nil)
    let result = try program.finish()
    #expect(result.exitCode == code)
    #expect(result.errors == "")
  }

  /// The code and message of the ERROR, and the exit status.
  @Test(arguments: [
    ("no-such-animation", "no such animation: /a has no nudge.json", 66),
    ("bad-document", "nudge.json: $.animation: not an animation", 65),
    ("denied", "PLAY is for the privileged", 77),
    ("unavailable", "32 animations play already", 69),
    ("bad-request", "layer: expected a string", 64),
  ])
  func theDaemonsErrors(code: String, message: String, exit: Int32) throws {
    let program = try start("play", "nudge")
    let peer = try server.accept()
    _ = try request(peer)
    try peer.say(#"{"class":"ERROR","tag":1,"message":"\#(message)","code":"\#(code)"}"#)
    let result = try program.finish()
    #expect(result.errors == "parallax: \(message)\n")
    #expect(result.exitCode == exit)
  }

  @Test func aDaemonThatClosesOrIsMissing() throws {
    let program = try start("play", "nudge")
    let peer = try server.accept()
    _ = try request(peer)
    try peer.say(ack, animation("started"))
    peer.close()
    #expect(try program.finish().exitCode == 69)
    let none = try Program.parallax.run(["play", "nudge", "--control", folder("none.sock")])
    #expect(none.exitCode == 69)
  }

  /// An argument that is neither an animation nor a file.
  @Test(arguments: ["none.json", "./nudge", "a b", ""])
  func noSuchAnimation(argument: String) throws {
    let result = try Program.parallax.run(
      ["play", argument, "--control", server.path], folder: folder.path)
    #expect(result.exitCode == 66)
    #expect(result.errorLines.count == 1)
  }

  // MARK: - stop

  @Test(
    arguments: [
      ([], #"{"class":"STOP","tag":1}"#), (["nudge"], #"{"class":"STOP","tag":1,"id":"nudge"}"#),
    ] as [([String], String)])
  func stopIsSentWithAnIdOrWithout(arguments: [String], request: String) throws {
    let program = try Program.parallax.start(["stop"] + arguments + ["--control", server.path])
    let peer = try server.accept()
    #expect(try peer.hear() == request)
    try peer.say(#"{"class":"ACK","tag":1}"#)
    let result = try program.finish()
    #expect(result.output == "" && result.errors == "")
    #expect(result.exitCode == 0)
  }

  @Test func stopRefusesAnInvalidId() throws {
    let result = try Program.parallax.run(["stop", "a/b", "--control", server.path])
    #expect(result.exitCode == 64)
  }
}
