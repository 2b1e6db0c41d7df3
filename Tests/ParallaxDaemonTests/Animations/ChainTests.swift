// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// PLAY with a chain: documents one after the other, or together.
struct LiveChainTests {
  /// Each moves on in 0.1 s, and stays there.
  private static let documents = [
    "right": FakeDocuments.document(#"{"move":{"by":[3,0]},"duration":0.1,"curve":"linear"}"#),
    "down": FakeDocuments.document(#"{"move":{"by":[0,4]},"duration":0.1,"curve":"linear"}"#),
    "slow": FakeDocuments.document(#"{"move":{"by":[5,0]},"duration":0.3,"curve":"linear"}"#),
    "nothing": FakeDocuments.document(#"{"sequence":[]}"#),
    "broken": #"{"parallax":1,"animation":{"wobble":1}}"#,
    "card": FakeDocuments.document(
      #"{"move":{"by":[0,9]},"duration":0.1,"curve":"linear"}"#, #""layer":"card""#),
  ]

  private let documents = FakeDocuments(Self.documents)
  private let rig: Rig
  private let client: Client
  private let control: Client

  init() throws {
    rig = try Rig.animated(["layers=card=1"], documents: documents)
    client = rig.subscribe()
    control = rig.control()
    _ = client.lines()
  }

  private func play(_ parts: String, _ more: String = "") -> [Line] {
    control.ask(
      #"{"class":"PLAY","as":"tour","chain":\#(parts)\#(more.isEmpty ? "" : "," + more)}"#)
  }

  /// The ANIMATION lines, as in `part-started 0 right`.
  private func story(_ lines: [Line]) -> [String] {
    lines.filter { $0.name == "ANIMATION" }.map { line in
      let part = line.number("part").map { " \(Int($0)) \(line["document"] ?? "")" } ?? ""
      return (line["event"] ?? "") + part + (line["message"].map { ": " + $0 } ?? "")
    }
  }

  @Test func partsFollowEachOther() {
    #expect(play(#"["right","down"]"#).map(\.name) == ["ACK", "ANIMATION", "ANIMATION"])
    rig.run(seconds: 1)
    let expected = [
      "started", "part-started 0 right", "part-completed 0 right", "part-started 1 down",
      "part-completed 1 down", "completed",
    ]
    let lines = client.lines()
    #expect(story(lines) == expected)
    #expect(lines.frames.last?.x == 3 && lines.frames.last?.number("y") == 4)
    #expect(story(control.lines()) == Array(expected.dropFirst(2)))
    #expect(rig.core.deadline == nil)
    _ = control.ask(#"{"class":"STOP","id":"tour"}"#)
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 0)
  }

  /// A part begins at the instant at which the one before it has ended, whenever the frames come.
  @Test func partsJoinWithoutAGap() {
    _ = play(#"["right"]"#, #""repeat":10"#)
    rig.run(seconds: 0.52)
    let frames = client.frames()
    let start = frames.first { $0.x > 0 }
    let begin = (start?.number("time") ?? 0) - (start?.x ?? 0) / 30
    for frame in frames where frame.x > 0 {
      #expect(abs(frame.x - 30 * ((frame.number("time") ?? 0) - begin)) < 0.011)
    }
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 30)
    #expect(rig.core.deadline == nil)
  }

  @Test(arguments: [
    (#"["right","down"]"#, #""repeat":2"#, 6.0, 8.0),
    (#"["right"]"#, #""repeat":"forever","take":5"#, 15, 0),
    (#"["right","down"]"#, #""take":3,"repeat":9"#, 6, 4),
    (#"["right","slow"]"#, #""order":"parallel""#, 8, 0),
    (#"["right","down","right"]"#, #""order":"parallel","repeat":2"#, 12, 8),
    (#"[{"id":"right"},{"document":{"parallax":1,"animation":{"move":{"by":[1,0]}}}}]"#, "", 4, 0),
  ])
  func wherePartsEnd(parts: String, more: String, x: Double, y: Double) {
    _ = play(parts, more)
    rig.run(seconds: 5)
    let last = client.frames().last
    #expect(last?.x == x && last?.number("y") == y)
    #expect(rig.core.deadline == nil)
    #expect(control.lines().story.last == "tour completed end")
  }

  /// An invalid document in the request is found before anything plays.
  @Test(arguments: [
    (#"{"text":"{\n}","file":"b.json"}"#, "b.json:1:1: $: not an animation"),
    (#"{"document":{"parallax":1,"animation":{"wobble":1}}}"#, "document: $.animation.wobble: "),
  ])
  func documentsAreReadBeforeTheChainBegins(part: String, message: String) {
    let answers = play(#"["right",\#(part)]"#)
    #expect(answers.map(\.name) == ["ERROR"])
    #expect(answers.first?["message"]?.hasPrefix(message) == true, "\(answers)")
    #expect(answers.first?["code"] == "bad-document")

    _ = play(#"["slow"]"#)
    let append = #"{"class":"ANIMATE","id":"tour","action":"append","part":"#
    let refusal = control.ask(append + part + "}")
    #expect(refusal.first?["message"]?.hasPrefix(message) == true, "\(refusal)")
    let text = #"{\"parallax\":1,\"animation\":{\"move\":{\"by\":[0,7]},\"duration\":0.1}}"#
    #expect(control.ask(append + #"{"text":"\#(text)"}}"#).map(\.name) == ["ACK"])
    rig.run(seconds: 1)
    #expect(client.frames().last?.number("y") == 7)
  }

  /// Parts that play together begin together, or not at all.
  @Test func partsThatCannotAllBeginDoNotBegin() {
    for number in 0..<30 {
      _ = control.ask(#"{"class":"PLAY","id":"slow","as":"other\#(number)","paused":true}"#)
    }
    _ = control.lines()
    let events = story(play(#"["right","down","slow"]"#, #""order":"parallel""#))
    #expect(
      events.last == "failed: 32 animations are already playing; stop one first", "\(events)")
    #expect(Set(events).isSuperset(of: ["part-completed 0 right", "part-completed 1 down"]))
    rig.run(seconds: 2)
    #expect(client.frames().allSatisfy { $0.x == 0 && $0.number("y") == 0 })
    // The places are free again.
    #expect(play(#"["right","down"]"#, #""order":"parallel""#).first?.name == "ACK")
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 3)
  }

  @Test func theDelayIsBeforeEachPart() {
    _ = play(#"["right","right"]"#, #""delay":0.5"#)
    rig.run(seconds: 0.49)
    #expect(client.frames().allSatisfy { $0.x == 0 })
    rig.run(seconds: 0.15)
    #expect(client.frames().last?.x == 3)
    rig.run(seconds: 0.4)
    #expect(client.frames().last?.x ?? 3 == 3)
    rig.run(seconds: 0.3)
    #expect(client.frames().last?.x == 6)
    #expect(story(client.lines()).isEmpty)
    #expect(rig.core.deadline == nil)
  }

  /// The next part is fetched while one plays.
  @Test func theNextPartIsFetchedEarly() {
    documents.isSlow = true
    #expect(play(#"["slow","down"]"#).isEmpty)
    documents.answer()
    #expect(story(control.lines()) == ["started", "part-started 0 slow"])
    documents.answer()
    rig.run(seconds: 0.4)
    #expect(story(control.lines()).contains("part-started 1 down"))
  }

  /// One that comes late begins when it is there.
  @Test func aLatePartIsWaitedFor() {
    documents.isSlow = true
    _ = play(#"["right","down"]"#)
    documents.answer()
    rig.run(seconds: 2)
    #expect(rig.core.deadline == nil)
    documents.answer()
    rig.run(seconds: 1)
    #expect(story(control.lines()).last == "completed")
    #expect(client.frames().last?.number("y") == 4)
  }

  @Test func aPartCanBeAppended() {
    _ = play(#"["slow"]"#)
    rig.run(seconds: 0.1)
    let append = #"{"class":"ANIMATE","id":"tour","action":"append","part":"down"}"#
    #expect(control.ask(append).map(\.name) == ["ACK"])
    rig.run(seconds: 1)
    #expect(story(control.lines()).suffix(2) == ["part-completed 1 down", "completed"])
    #expect(client.frames().last?.number("y") == 4)
    #expect(control.ask(append).first?["message"] == "no chain 'tour' plays")
  }

  /// Its owner hears of its end also if no one watches.
  @Test func aChainEndsWithoutSubscribers() throws {
    let rig = try Rig.animated(documents: FakeDocuments(Self.documents))
    let control = rig.control()
    _ = control.ask(#"{"class":"PLAY","chain":["right","down"],"repeat":2}"#)
    rig.run(seconds: 2)
    #expect(story(control.lines()).last == "completed")
    #expect(rig.core.deadline == nil)
    // A detached one does not wake the daemon.
    _ = control.ask(#"{"class":"PLAY","chain":["right"],"repeat":"forever","detached":true}"#)
    #expect(rig.core.deadline == nil)
  }

  /// What cannot be read ends the chain; what was done stands.
  @Test func aBrokenPartEndsTheChain() {
    let begin = play(#"["right","broken","down"]"#)
    rig.run(seconds: 1)
    let story = story(begin + control.lines())
    #expect(story.last?.hasPrefix("failed: broken.json: ") == true, "\(story)")
    #expect(client.frames().last?.x == 3)
    #expect(rig.core.deadline == nil)
    #expect(play(#"["nowhere"]"#).first?["code"] == "no-such-animation")
  }

  @Test func stopAndTheEndOfTheConnectionEndIt() {
    _ = play(#"["right"]"#, #""repeat":"forever""#)
    rig.run(seconds: 1)
    _ = control.ask(#"{"class":"STOP","id":"tour"}"#)
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 0)
    #expect(rig.core.deadline == nil)
    _ = play(#"["right"]"#, #""repeat":"forever""#)
    rig.run(seconds: 1)
    control.hangUp()
    rig.run(seconds: 1)
    #expect(rig.core.deadline == nil)
    #expect(story(client.lines()).last == "cancelled")
  }

  /// ANIMATE acts on the part that plays.
  @Test func aHandHoldsThePartThatPlays() {
    _ = play(#"["right","down"]"#, #""paused":true"#)
    rig.run(seconds: 1)
    #expect(rig.core.deadline == nil)
    let seek = #"{"class":"ANIMATE","id":"tour","action":"seek","fraction":0.5}"#
    #expect(control.ask(seek).first?["state"] == "paused")
    rig.run(seconds: 0.1)
    #expect(client.frames().last?.x == 1.5)
    _ = control.ask(#"{"class":"ANIMATE","id":"tour","action":"resume"}"#)
    rig.run(seconds: 1)
    #expect(story(control.lines()).last == "completed")
  }

  /// A closed gate plays the rest of a pass in no time.
  @Test(arguments: ["2", "\"forever\""]) func aClosedGateEndsTheChain(passes: String) {
    _ = play(#"["right","down"]"#, #""repeat":\#(passes)"#)
    rig.run(seconds: 0.05)
    control.set("paused", "on")
    rig.run(seconds: 1)
    #expect(story(control.lines()).last == "completed")
    #expect(rig.core.deadline == nil)
  }

  @Test func aChainWithoutADurationEnds() {
    let story = story(play(#"["nothing"]"#, #""repeat":"forever""#))
    #expect(story.last == "completed")
    rig.run(seconds: 1)
    #expect(rig.core.deadline == nil)
  }

  @Test(arguments: [
    (#""chain":[]"#, "expected 1 to 256 parts, got 0"),
    (#""chain":["right"],"id":"x""#, "use \"as\" for the id of a chain"),
    (#""chain":[{"id":"right","paused":true}]"#, "not allowed in a part of a chain"),
    (#""chain":["right"],"repeat":0"#, "repeat"), (#""chain":["right"],"order":"spiral""#, "order"),
    (#""chain":["right"],"delay":-1"#, "delay"), (#""chain":["right"],"take":0"#, "take"),
  ])
  func invalidChainsAreRefused(fields: String, message: String) {
    let answer = control.ask(#"{"class":"PLAY",\#(fields)}"#)
    #expect(answer.first?["message"]?.contains(message) == true, "\(answer)")
  }
}
