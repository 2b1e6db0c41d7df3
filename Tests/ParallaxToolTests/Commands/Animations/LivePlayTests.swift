// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax play` and `stop` with parallaxd, and the lines of a subscriber.
@Suite("parallax play and stop with a daemon", .timeLimit(.minutes(10)))
struct LivePlayTests {
  private let documents: TemporaryFolder
  private let daemon: LiveDaemon

  init() throws {
    documents = try TemporaryFolder()
    for (name, animation) in [
      (
        "nudge",
        #"{"sequence": [{"move": {"by": [100, 0]}, "duration": 0.1}, {"move": {"by": [-100, 0]}, "duration": 0.1}]}"#
      ),
      ("turn", #"{"rotate": {"to": 90}, "duration": 0.1}"#),
      (
        "breathe",
        #"{"repeat": "forever", "of": {"move": {"by": [0, 50]}, "duration": 1, "autoreverse": true}}"#
      ),
      ("bad", #"{"fade": {"to": 2}}"#),
    ] {
      try documents.write(#"{"parallax": 1, "animation": \#(animation)}"#, to: "\(name).json")
    }
    daemon = try LiveDaemon(["animations.directory=\(documents.path)"])
  }

  private func play(_ arguments: String...) throws -> ProgramResult {
    try Program.parallax.run(["play"] + arguments + ["--socket", daemon.socket])
  }

  private func stop(_ arguments: String...) throws -> ProgramResult {
    try Program.parallax.run(["stop"] + arguments + ["--socket", daemon.socket])
  }

  /// Returns a subscription after its first line.
  private func subscribe(to classes: String...) throws -> RunningProgram {
    let program = try Program.parallax.start(
      ["subscribe", "--class", "VERSION", "--socket", daemon.socket]
        + classes.flatMap { ["--class", $0] })
    _ = try program.nextLine()
    return program
  }

  private func event(_ id: String, _ event: String, at position: String? = nil) -> String {
    #"{"class":"ANIMATION","id":"\#(id)","event":"\#(event)""#
      + (position.map { #","position":"\#($0)""# } ?? "") + "}"
  }

  /// Returns an event without the instant at which it happened.
  private func withoutTime(_ line: String?) -> String? {
    line?.replacing(#/,"time":[0-9]+\.[0-9]{9}}$/#, with: "}")
  }

  @Test func playById() throws {
    let stream = try subscribe(to: "ANIMATION")
    let result = try play("nudge")
    #expect(result.exitCode == 0 && result.output == "" && result.errors == "", "\(result.errors)")
    #expect(withoutTime(try stream.nextLine()) == event("nudge", "started"))
    #expect(withoutTime(try stream.nextLine()) == event("nudge", "step"))
    #expect(withoutTime(try stream.nextLine()) == event("nudge", "step"))
    #expect(withoutTime(try stream.nextLine()) == event("nudge", "completed", at: "end"))
  }

  /// Those that are installed with parallax, of any daemon.
  @Test func playByIdWithoutAFolder() throws {
    let daemon = try LiveDaemon()
    let result = try Program.parallax.run(["play", "nudge", "--socket", daemon.socket])
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
  }

  @Test func playByIdWithoutASubscriber() throws {
    let result = try play("nudge")
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
  }

  @Test func theFinalPoseOfAFileStaysUntilStop() throws {
    let stream = try subscribe(to: "OFFSET")
    #expect(try play(documents("turn.json")).exitCode == 0)
    while let line = try stream.nextLine(), !line.contains(#""rotation":90"#) {}
    #expect(
      try Program.parallax.run(["status", "--socket", daemon.socket]).output.contains(
        "animation    turn, ended; its final pose stays until 'parallax stop'\n"))
    #expect(try stop("turn").exitCode == 0)
    while let line = try stream.nextLine(), line.contains("rotation") {}
    #expect(
      !(try Program.parallax.run(["status", "--socket", daemon.socket]).output.contains("animation"))
    )
  }

  @Test func aLottieFile() throws {
    let swing = TestEnvironment.packageRoot + "/examples/animations/swing.json"
    let stream = try subscribe(to: "OFFSET", "ANIMATION")
    let program = try Program.parallax.start(["play", swing, "--socket", daemon.socket])
    #expect(try awaitLine(of: stream) { $0.contains(#""event":"started""#) }.contains("swing"))
    _ = try awaitLine(of: stream) { $0.contains(#""rotation":"#) }
    _ = try awaitLine(of: stream) { $0.contains(#""opacity":0."#) }
    #expect(
      withoutTime(try awaitLine(of: stream) { $0.contains(#""class":"ANIMATION""#) })
        == event("swing", "completed", at: "end"))
    let result = try program.finish()
    #expect(result.exitCode == 0)
    #expect(
      result.errors
        == #"parallax: \#(swing): plays layer "card" (layers[0]); left out: the shapes of 1 layer: "card" (layers[0])"#
        + "\n")
  }

  @Test func ctrlCCancelsTheAnimation() throws {
    let stream = try subscribe(to: "ANIMATION")
    let program = try Program.parallax.start(["play", "breathe", "--socket", daemon.socket])
    #expect(withoutTime(try stream.nextLine()) == event("breathe", "started"))
    program.send(signal: SIGINT)
    #expect(try program.finish().exitCode == 130)
    #expect(
      withoutTime(try awaitLine(of: stream) { !$0.contains(#""step""#) })
        == event("breathe", "cancelled", at: "start"))
  }

  @Test func aDetachedAnimationPlaysUntilStop() throws {
    let stream = try subscribe(to: "ANIMATION")
    #expect(try play("breathe", "--detach").exitCode == 0)
    #expect(withoutTime(try stream.nextLine()) == event("breathe", "started"))
    let status = try Program.parallax.run(["status", "--socket", daemon.socket]).output
    #expect(status.contains("animation    breathe, playing\n"))
    #expect(try stop().exitCode == 0)
    #expect(
      withoutTime(try awaitLine(of: stream) { !$0.contains(#""step""#) })
        == event("breathe", "cancelled", at: "start"))
    #expect(try stop().errors == "parallax: no animation to stop\n")
  }

  @Test func stopEndsPlay() throws {
    let stream = try subscribe(to: "ANIMATION")
    let program = try Program.parallax.start(["play", "breathe", "--socket", daemon.socket])
    #expect(withoutTime(try stream.nextLine()) == event("breathe", "started"))
    #expect(try stop("breathe").exitCode == 0)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func pausedAnAnimationEndsAtOnce() throws {
    #expect(
      try Program.parallax.run(["set", "paused", "on", "--socket", daemon.socket]).exitCode == 0)
    #expect(try play("turn").exitCode == 0)
    // Forever has no end to be at: it is over all the same.
    #expect(try play("breathe").exitCode == 0)
  }

  /// An id, the exit status and a part of the message.
  @Test func aMissingAndAnInvalidAnimation() throws {
    let none = try play("none")
    #expect(none.exitCode == 66)
    #expect(
      none.errors
        == "parallax: none: no such animation: \(documents.path) has no none.json\n")
    let bad = try play("bad")
    #expect(bad.exitCode == 65)
    #expect(
      bad.errors
        == "parallax: bad.json:1:46: $.animation.fade.to: expected a number from 0 to 1, got 2\n")
  }

  @Test func aDocumentOfOneMiBIsPlayed() throws {
    let text = #"{"parallax": 1, "animation": {"delay": 0.01}}"#
    let file = try documents.write(
      text + String(repeating: "\n", count: (1 << 20) - text.utf8.count), to: "full.json")
    let result = try play(file)
    #expect(result.exitCode == 0 && result.errors == "", "\(result.errors)")
  }

  private func awaitLine(
    of program: RunningProgram, where isWanted: (String) -> Bool
  ) throws -> String {
    while let line = try program.nextLine() {
      if isWanted(line) { return line }
    }
    throw TestSupportError("the stream ended")
  }
}
