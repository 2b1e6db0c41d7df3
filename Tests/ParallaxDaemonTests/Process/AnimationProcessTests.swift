// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// Animations through the real daemon, its sockets and `parallax play`, in real time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AnimationProcessTests {
  private let folder: TemporaryFolder
  private let daemon: DaemonProcess

  init() throws {
    folder = try TemporaryFolder()
    for (name, document) in [
      "nudge": FakeDocuments.document(
        #"{"sequence":[{"move":{"by":[12,0]},"duration":0.1},{"move":{"by":[0,3]},"duration":0.1}]}"#
      ),
      "turn": FakeDocuments.document(
        #"{"parallel":[{"rotate":{"by":90},"duration":0.2},{"scale":{"to":2},"duration":0.2},"#
          + #"{"fade":{"to":0.5},"duration":0.1}]}"#),
      "card": FakeDocuments.document(
        #"{"parallel":[{"move":{"by":[0,9]}},{"rotate":{"by":10}}]}"#, #""layer":"card""#),
      "forever": FakeDocuments.document(
        #"{"repeat":"forever","of":{"rotate":{"by":90},"duration":1}}"#),
      "calm": FakeDocuments.document(
        #"{"move":{"by":[100,0]},"duration":60}"#,
        #""reduced-motion":{"fade":{"to":0.5},"duration":0.2}"#),
    ] {
      try folder.write(document, to: "\(name).json")
    }
    // No gyroscope has this name: only animations move.
    daemon = try DaemonProcess([
      "source.kind=iio", "source.device=none-of-this-name", "layers=sky=0.1,card=1",
      "animations.directory=\(folder.path)",
    ])
  }

  private func play(_ arguments: String...) throws -> RunningProgram {
    try Program.parallax.start(["play"] + arguments + ["--control", daemon.controlPath])
  }

  private func run(_ arguments: String...) throws -> ProgramResult {
    try Program.parallax.run(arguments + ["--control", daemon.controlPath])
  }

  /// Returns the lines up to the end of an animation.
  private func lines(_ client: SocketClient, until end: String) throws -> [Line] {
    var lines: [Line] = []
    while let line = try client.next() {
      lines.append(line)
      if [line].story == [end] { return lines }
    }
    throw TestSupportError("the daemon ended")
  }

  @Test func stepsMoveAllLayers() throws {
    let client = try daemon.subscribe()
    _ = try client.next("GATE")
    let program = try play("nudge")
    let lines = try lines(client, until: "nudge completed end")
    #expect(lines.story.first == "nudge started")
    #expect(lines.story.contains("nudge step"))
    let last = try #require(lines.frames.last)
    #expect(last.x == 12 && last.y == 3)
    #expect(last.layer("sky")?.x == 12 && last.layer("card")?.y == 3)
    let result = try program.finish()
    #expect(result.exitCode == 0 && result.errors == "")
    // The pose stays for later subscribers, until STOP.
    let later = try daemon.subscribe()
    #expect(try later.next("OFFSET")?.x == 12)
    #expect(try run("stop").exitCode == 0)
    while let frame = try client.next("OFFSET"), !frame.isZero {}
  }

  /// Through the real socket; errors leave the connection usable.
  @Test func theStatesAllowWhatTheyAllow() throws {
    for row in AnimatorStates.table {
      let control = try daemon.control()
      var answers: [Line] = []
      let requests = AnimatorStates.requests(entering: row.state)
      for request in requests + [AnimatorStates.animate(row.action, row.arguments)] {
        control.send(request)
        while let line = try control.next() {
          guard ["ACK", "ERROR"].contains(line.name) else { continue }
          answers = [line]
          break
        }
      }
      #expect(AnimatorStates.text(of: answers) == row.expected, "\(row.testDescription)")
      control.send(#"{"class":"STOP"}"#)
      #expect(try control.next("ACK") != nil)
    }
  }

  @Test func inlineRotationScaleAndOpacity() throws {
    let client = try daemon.subscribe()
    let program = try play(folder("turn.json"))
    let last = try #require(try lines(client, until: "turn completed end").frames.last)
    #expect(last.number("rotation") == 90 && last.number("scale") == 2)
    #expect(last.number("opacity") == 0.5 && last.isZero)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func anAnimationMovesASingleLayer() throws {
    let client = try daemon.subscribe()
    let program = try play("card")
    let last = try #require(try lines(client, until: "card completed end").frames.last)
    #expect(last.isZero && last.layer("sky")?.isZero == true)
    #expect(last.layer("card")?.y == 9 && last.layer("card")?.number("rotation") == 10)
    #expect(last.number("rotation") == nil && last.layer("sky")?.number("rotation") == nil)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func theAlternativePlaysUnderReducedMotion() throws {
    #expect(try run("set", "reduce-motion", "on").exitCode == 0)
    let client = try daemon.subscribe()
    let program = try play("calm")
    let lines = try lines(client, until: "calm completed end")
    #expect(lines.frames.allSatisfy { $0.isZero })
    #expect(lines.frames.last?.number("opacity") == 0.5)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func closingTheGateEndsTheAnimation() throws {
    let client = try daemon.subscribe()
    let program = try play("calm")
    while let frame = try client.next("OFFSET"), frame.x == 0 {}
    #expect(try run("set", "paused", "on").exitCode == 0)
    _ = try lines(client, until: "calm completed end")
    #expect(try program.finish().exitCode == 0)
    var xs: [Double] = []
    while xs.last != 0, let frame = try client.next("OFFSET") { xs.append(frame.x) }
    #expect(zip(xs, xs.dropFirst()).allSatisfy { $0 >= $1 }, "\(xs)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalCancels(_ signal: Int32) throws {
    let client = try daemon.subscribe()
    let program = try play("forever")
    while let frame = try client.next("OFFSET"), frame.number("rotation") ?? 0 < 5 {}
    program.send(signal: signal)
    _ = try lines(client, until: "forever cancelled start")
    #expect(try program.finish().exitCode == 128 + signal)
    while let frame = try client.next("OFFSET"), frame.number("rotation") ?? 0 != 0 {}
  }

  @Test func detachReturnsAtOnce() throws {
    let client = try daemon.subscribe()
    #expect(try run("play", "nudge", "--detach").exitCode == 0)
    let lines = try lines(client, until: "nudge completed end")
    #expect(lines.frames.last?.x == 12)
    let status = try #require(try daemonStatus())
    #expect(status.contains(#""animations":[{"id":"nudge","state":"ended"}]"#), "\(status)")
  }

  private func daemonStatus() throws -> String? {
    let control = try daemon.control()
    control.send(#"{"class":"STATUS"}"#)
    return try control.next("STATUS")?.text
  }

  @Test func aMissingDocumentIsAnError() throws {
    let result = try run("play", "nowhere")
    #expect(result.exitCode == 66)
    #expect(result.errorLines.count == 1 && result.errors.contains("no such animation"))
  }
}
