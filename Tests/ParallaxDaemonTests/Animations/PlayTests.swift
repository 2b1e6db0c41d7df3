// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// PLAY and STOP: frames, events and silence.
struct PlayTests {
  /// Without a gyroscope, ticks move the animation.
  @Test func playsWithoutAGyroscope() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = client.lines()
    #expect(
      control.play("nudge", #""tag":7"#).map(\.text) == [
        #"{"class":"ACK","tag":7,"id":"nudge"}"#,
        #"{"class":"ANIMATION","tag":7,"id":"nudge","event":"started"}"#,
      ])
    rig.run(seconds: 3)
    #expect(client.lines().marbles == "+ 2 4 6 8 10 12 |")
    #expect(
      control.lines().map(\.text) == [
        #"{"class":"ANIMATION","tag":7,"id":"nudge","event":"completed","position":"end"}"#
      ])
    // Silence, without a timer. The final pose stays until STOP.
    #expect(rig.core.deadline == nil)
    #expect(rig.subscribe().frames().map(\.x) == [12])
    #expect(control.ask(#"{"class":"STOP","tag":1}"#).map(\.text) == [#"{"class":"ACK","tag":1}"#])
    rig.run(seconds: 3)
    let back = client.lines()
    let xs = back.frames.map(\.x)
    #expect(xs.last == 0 && (9...11).contains(xs.count), "\(xs)")
    #expect(zip(xs, xs.dropFirst()).allSatisfy { $0 >= $1 })
    // It had ended before, so there is no event.
    #expect(back.story == [])
    #expect(rig.core.deadline == nil)
  }

  /// x is the sum of motion and animation; nx is the motion alone.
  @Test func animationsAddToTheMotion() throws {
    let (plain, animated) = (
      try Rig.animated(["source.kind=synthetic", "layers=bg=0.5"]),
      try Rig.animated(["source.kind=synthetic", "layers=bg=0.5"])
    )
    let (a, b) = (plain.subscribe(), animated.subscribe())
    for rig in [plain, animated] { rig.run(seconds: 1) }
    _ = (a.lines(), b.lines())
    _ = animated.control().play("nudge", #""detached":true"#)
    for rig in [plain, animated] { rig.run(seconds: 1) }
    let (plainFrames, moved) = (a.frames(), b.frames())
    // There are no additional frames: the samples move it.
    #expect(moved.map(\.seq) == plainFrames.map(\.seq))
    for (before, after) in zip(plainFrames, moved).dropFirst(8) {
      #expect((after.x - before.x - 12).magnitude < 1e-9)
      #expect(after.y == before.y)
      #expect(after.number("nx") == before.number("nx"))
      let (bg, moved) = (before.layer("bg")?.number("x"), after.layer("bg")?.number("x"))
      #expect(((moved ?? 0) - (bg ?? 0) - 12).magnitude < 1e-9)
    }
    #expect(moved.allSatisfy { $0.number("rotation") == nil })
  }

  @Test func anAnimationMovesASingleLayer() throws {
    let rig = try Rig.animated(["layers=sky=0.1,card=1"])
    let (client, control) = (rig.subscribe(), rig.control())
    _ = client.lines()
    // The document's own layer; then one that the request names.
    _ = control.play("card")
    rig.run(seconds: 1)
    let moved = client.frames()
    #expect(moved.allSatisfy { $0.isZero && $0.layer("sky")?.isZero == true })
    #expect(moved.map { $0.layer("card")?.y } == [3, 6, 9])
    _ = control.play("turn", #""layer":"sky""#)
    _ = control.play("nudge")
    rig.run(seconds: 1)
    let last = try #require(client.frames().last)
    #expect(
      last.text.hasSuffix(
        #""x":12,"y":0,"nx":0,"ny":0,"#
          + #""layers":{"sky":{"x":12,"y":0,"rotation":90,"opacity":0.5},"card":{"x":12,"y":9}}}"#))
    // The layer's rotation includes that of all layers.
    _ = control.play("forever")
    rig.run(seconds: 0.5)
    let turning = try #require(client.frames().last)
    #expect(
      turning.layer("sky")?.number("rotation") == 90 + (turning.number("rotation") ?? .nan))
    #expect(turning.layer("card")?.number("rotation") == nil)
    #expect(
      control.ask(#"{"class":"STATUS"}"#).first?.text.contains(
        #""animations":[{"id":"forever","state":"playing"},{"id":"card","layer":"card","#
          + #""state":"ended"},{"id":"turn","layer":"sky","state":"ended"},"#
          + #"{"id":"nudge","state":"ended"}]"#) == true)
  }

  @Test func aMissingLayerIsNoted() throws {
    let rig = try Rig.animated(["layers=sky=0.1"])
    let (client, control) = (rig.subscribe(), rig.control())
    let note = control.play("card").first?["note"]
    #expect(note == "no subscriber has a layer named 'card', so this will not be visible")
    rig.run(seconds: 1)
    #expect(client.lines().story == ["card started", "card completed end"])
    client.send(#"{"class":"WATCH","layers":{"card":1}}"#)
    #expect(control.play("card").first?["note"] == nil)
  }

  /// Fields are present while an animation drives them, and once more, at rest, afterwards.
  @Test func fieldsEndAtRest() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("turn")
    rig.run(seconds: 1)
    let frames = client.frames()
    #expect(frames.allSatisfy { $0.number("rotation") ?? 0 > 0 && $0.number("opacity") ?? 1 < 1 })
    #expect(frames.last?.number("rotation") == 90 && frames.last?.number("opacity") == 0.5)
    #expect(frames.allSatisfy { $0.number("scale") == nil })
    control.send(#"{"class":"STOP","id":"turn"}"#)
    rig.run(seconds: 1)
    let last = try #require(client.frames().last)
    #expect(last.text.hasSuffix(#""ny":0,"rotation":0,"opacity":1}"#))
    _ = control.play("nudge")
    rig.run(seconds: 1)
    #expect(client.frames().allSatisfy { $0.number("rotation") == nil })
  }

  @Test func inlineDocumentsHaveAnID() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    let animation = #""parallax":1,"animation":{"move":{"by":[1,0]},"duration":0.1}"#
    let quoted = "\"{" + animation.replacing("\"", with: "\\\"") + "}\""
    for (more, name) in [
      (#""document":{"id":"own",\#(animation)}"#, "own"),
      (#""id":"given","document":{"id":"own",\#(animation)}"#, "given"),
      (#""document":{\#(animation)}"#, "document"),
      (#""text":\#(quoted),"file":"/a/nudge.json""#, "nudge"),
      (#""text":\#(quoted),"file":"/a/b c.json""#, "document"),
      (#""text":\#(quoted)"#, "document"),
      (#""text":\#(quoted),"file":"nudge.json","id":"given""#, "given"),
    ] {
      _ = client.lines()
      let answer = control.ask(#"{"class":"PLAY",\#(more)}"#)
      #expect(answer.first?["id"] == name)
      rig.run(seconds: 0.5)
      #expect(client.lines().story == ["\(name) started", "\(name) completed end"])
    }
  }

  @Test(arguments: [
    (#""id":"nowhere""#, "no such animation", "no-such-animation"),
    (#""id":"a/b""#, "a/b", "bad-request"),
    (#""id":"..""#, "no such animation", "no-such-animation"),
    (#""document":{"parallax":1,"animation":{"wobble":1}}"#, "$.animation", "bad-document"),
    (#""document":[]"#, "object", "bad-document"),
    (
      #""text":"{\"parallax\":1,\n \"animation\":{\"wobble\":1}}","file":"/a/b.json""#,
      "/a/b.json:2:24: $.animation.wobble: ", "bad-document"
    ),
    (#""text":"{\n]","file":"/a/b.json""#, "/a/b.json:2:1: invalid JSON: ", "bad-document"),
    (#""text":"","id":"own""#, "own:1:1: invalid JSON: empty", "bad-document"),
    (#""text":{}"#, "$.text: expected a string", "bad-request"),
    (#""text":"{}","document":{}"#, "not both", "bad-request"),
    (#""id":"a b","document":{"parallax":1,"animation":{"delay":1}}"#, "a b", "bad-request"),
  ])
  func invalidRequestsAreRefused(_ more: String, _ part: String, _ code: String) throws {
    let answers = try Rig.animated().control().ask(#"{"class":"PLAY","tag":1,\#(more)}"#)
    #expect(answers.map(\.name) == ["ERROR"])
    #expect(answers.first?["message"]?.contains(part) == true, "\(answers)")
    #expect(answers.first?["code"] == code && answers.first?.number("tag") == 1)
  }

  @Test func stepsAreReported() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("steps")
    rig.run(seconds: 1)
    let story = client.lines().story
    #expect(story.first == "steps started" && story.last == "steps completed end")
    #expect((2...3).contains(story.count { $0 == "steps step" }))
  }

  // MARK: - Ends

  @Test func anEmptyAnimationEndsAtOnce() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = client.lines()
    #expect(control.play("empty").story == ["empty started", "empty completed end"])
    rig.run(seconds: 1)
    #expect(client.lines().marbles == "+ |")
    #expect(rig.core.deadline == nil)
  }

  /// Ctrl-C: the animations of a connection end with it.
  @Test func aHangUpCancels() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("hop")
    rig.run(seconds: 0.4)
    _ = client.lines()
    control.hangUp()
    rig.run(seconds: 3)
    let lines = client.lines()
    #expect(lines.story == ["hop cancelled start"])
    let ys = lines.frames.map(\.y)
    #expect(ys.last == 0 && zip(ys, ys.dropFirst()).allSatisfy { $0 <= $1 }, "\(ys)")
    #expect(rig.core.deadline == nil)
  }

  @Test func aDetachedAnimationContinues() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = client.lines()
    #expect(control.play("nudge", #""detached":true"#).map(\.name) == ["ACK"])
    control.hangUp()
    rig.run(seconds: 1)
    #expect(client.lines().marbles == "+ 2 4 6 8 10 12 |")
  }

  /// `nc -N`: the connection stays open until the animation's end was sent.
  @Test func endOfInputWaitsForTheAnimation() throws {
    let rig = try Rig.animated()
    let control = rig.control()
    _ = control.play("nudge")
    control.endInput()
    rig.run(seconds: 0.1)
    #expect(!control.isClosed)
    rig.run(seconds: 1)
    #expect(control.lines().story == ["nudge completed end"])
    #expect(control.isClosed)
    let other = rig.control()
    #expect(other.play("nudge", #""detached":true"#).map(\.name) == ["ACK"])
    other.endInput()
    #expect(other.isClosed)
  }

  @Test func anotherAnimationAddsAndTheSameOneReplaces() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("nudge")
    rig.run(seconds: 0.1)
    _ = control.play("hop")
    rig.run(seconds: 1.5)
    #expect(client.lines().story.count == 4)
    _ = control.play("nudge")
    rig.run(seconds: 0.1)
    _ = client.lines()
    _ = control.play("nudge")
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(
      lines.story == ["nudge cancelled current", "nudge started", "nudge completed end"])
    // From its position to the end of the replaced one, plus the 12 px of the first.
    let xs = lines.frames.map(\.x)
    #expect(xs.last == 24 && zip(xs, xs.dropFirst()).allSatisfy { $0 <= $1 }, "\(xs)")
  }

  @Test func atMostThirtyTwoPlay() throws {
    let rig = try Rig.animated()
    let control = rig.control()
    for index in 0..<32 {
      let answers = control.ask(
        #"{"class":"PLAY","id":"d\#(index)","document":{"parallax":1,"animation":{"delay":1}}}"#)
      #expect(answers.map(\.name) == ["ACK", "ANIMATION"])
    }
    let refused = control.play("nudge")
    #expect(refused.map(\.name) == ["ERROR"] && refused[0]["message"]?.contains("32") == true)
    // One that replaces another does not count.
    #expect(
      control.ask(
        #"{"class":"PLAY","id":"d7","document":{"parallax":1,"animation":{"delay":1}}}"#
      ).map(\.name) == ["ACK", "ANIMATION", "ANIMATION"])
    rig.run(seconds: 2)
    #expect(control.play("nudge").first?.name == "ACK")
  }

  @Test(arguments: [nil, "hop"])
  func stopEasesBack(_ id: String?) throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("hop")
    _ = control.play("nudge")
    rig.run(seconds: 0.4)
    _ = client.lines()
    control.send(#"{"class":"STOP"\#(id.map { ",\"id\":\"\($0)\"" } ?? "")}"#)
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(lines.story == ["hop cancelled start"])
    #expect(lines.frames.last?.y == 0 && lines.frames.last?.x == (id == nil ? 0 : 12))
    #expect(
      control.ask(#"{"class":"STOP","id":"hop"}"#).last?["note"]
        == "no animation 'hop' to stop")
  }
}
