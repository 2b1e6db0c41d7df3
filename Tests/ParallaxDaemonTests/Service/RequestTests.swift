// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// The requests of subscribers.
struct RequestTests {
  /// The answer to WATCH is the state in effect: here the fields that differ from those of a new subscriber.
  @Test(arguments: [
    (#"{"class":"WATCH","rate":100}"#, [:]),
    (#"{"class":"WATCH"}"#, [:]),
    (#" { "orientation":"left-up" , "class" : "WATCH" } "#, ["orientation": #""left-up""#]),
    (
      #"{"class":"WATCH","enable":false,"rate":0.5,"layers":{"b":-2,"a":0.25},"on_change":0.5}"#,
      ["enable": "false", "rate": "0.5", "layers": #"{"b":-2,"a":0.25}"#, "on_change": "0.5"]
    ),
    (
      #"{"class":"WATCH","on_change":true,"layers":{},"new":1,"tag":"a"}"#,
      ["tag": #""a""#, "layers": "{}", "on_change": "true", "ignored": #"["new"]"#]
    ),
    (#"{"class":"WATCH","version":1,"tag":-2.5}"#, ["tag": "-2.5"]),
  ])
  func watchIsAnswered(_ request: String, _ changes: [String: String]) throws {
    let client = try Rig(["source.kind=synthetic", "layers=sky=0.1"]).subscribe()
    let fields = [
      ("tag", nil), ("version", "1"), ("enable", "true"), ("rate", "60"),
      ("layers", #"{"sky":0.1}"#), ("on_change", "false"), ("orientation", #""normal""#),
      ("ignored", nil),
    ].compactMap { name, value in
      (changes[name] ?? value).map { ",\"\(name)\":\($0)" }
    }
    #expect(client.ask(request).map(\.text) == ["{\"class\":\"WATCH\"" + fields.joined() + "}"])
  }

  /// `orientation` auto and `layers` null take back what an earlier WATCH gave.
  @Test func watchIsUndone() throws {
    let rig = try Rig(["source.kind=synthetic", "motion.smoothing=none", "layers=sky=0.1"])
    let (client, plain) = (rig.subscribe(), rig.subscribe())
    client.send(#"{"class":"WATCH","orientation":"bottom-up","layers":{"card":2}}"#)
    rig.run(seconds: 0.5)
    let undone = client.ask(#"{"class":"WATCH","orientation":"auto","layers":null}"#)
    #expect(undone.first?["orientation"] == "normal")
    #expect(undone.first?.object("layers")?.object.members.map(\.key) == ["sky"])
    _ = plain.lines()
    rig.run(seconds: 0.5)
    let frames = client.frames()
    #expect(frames.count == 15)
    #expect(frames == plain.frames())
  }

  /// A client may state the version that it speaks. Nothing of a request in another one applies.
  @Test func otherVersionsAreRefused() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    let answer = client.ask(#"{"class":"WATCH","tag":7,"version":2,"enable":{"any":"thing"}}"#)
    #expect(answer.map(\.name) == ["ERROR"])
    #expect(answer.first?["code"] == "unsupported-version")
    #expect(answer.first?.number("tag") == 7)
    #expect(client.ask(#"{"class":"WATCH"}"#).first?.number("version") == 1)
    #expect(!client.isClosed)
  }

  /// With a tag, POLL has a line that ends its answer.
  @Test func aTaggedPollIsAnswered() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 0.5)
    let answer = client.ask(#"{"class":"POLL","tag":"last","new":1}"#)
    #expect(answer.map(\.name) == ["DEVICE", "GATE", "OFFSET", "POLL"])
    #expect(answer.last?.text == #"{"class":"POLL","tag":"last","ignored":["new"]}"#)
  }

  /// An answer names some of the unknown fields: it is not much longer than its request.
  @Test func ignoredFieldsAreLimited() throws {
    let names = (0..<100).map { "\"\($0)\($0 == 0 ? String(repeating: "n", count: 500) : "")\":0" }
    let client = try Rig().subscribe()
    let answer = client.ask("{\"class\":\"WATCH\",\(names.joined(separator: ","))}")
    guard case .array(let ignored)? = answer.first?.object["ignored"] else {
      Issue.record("no ignored fields")
      return
    }
    #expect(ignored.count == 16)
    #expect((answer.first?.text.utf8.count ?? 0) < 500)
  }

  @Test(arguments: [
    ("no json", "invalid JSON at column"),
    ("[1,2]", "object"),
    (#"{"rate":1}"#, "WATCH or POLL"),
    (#"{"class":"SHOUT"}"#, "WATCH or POLL"),
    (#"{"class":"watch"}"#, "WATCH or POLL"),
    (#"{"class":"SET","key":"paused","value":"on"}"#, "WATCH or POLL"),
    (#"{"class":"WATCH","rate":0}"#, "$.rate"),
    (#"{"class":"WATCH","rate":-1}"#, "$.rate"),
    (#"{"class":"WATCH","rate":"10"}"#, "$.rate"),
    (#"{"class":"WATCH","enable":1}"#, "$.enable"),
    (#"{"class":"WATCH","orientation":"upside"}"#, "left-up"),
    (#"{"class":"WATCH","orientation":null}"#, "$.orientation"),
    (#"{"class":"WATCH","on_change":-1}"#, "$.on_change"),
    (#"{"class":"WATCH","on_change":"yes"}"#, "$.on_change"),
    (#"{"class":"WATCH","layers":{"bg":11}}"#, "-10 to 10"),
    (#"{"class":"WATCH","layers":["bg"]}"#, "$.layers"),
    (#"{"class":"WATCH","layers":{"a":1,"a":2}}"#, "duplicate"),
    (#"{"class":"WATCH","rate":1e999}"#, "invalid JSON"),
    (#"{"class":"WATCH","version":0}"#, "$.version"),
    (#"{"class":"WATCH","version":"1"}"#, "$.version"),
    (#"{"class":"WATCH","tag":[1]}"#, "$.tag"),
  ])
  func invalidRequestsAreRefused(_ request: String, _ part: String) throws {
    let rig = try Rig()
    let client = rig.subscribe()
    let answer = client.ask(request)
    #expect(answer.map(\.name) == ["ERROR"])
    #expect(answer.first?["message"]?.contains(part) == true, "\(answer)")
    // The connection stays open, and no part of the request applies.
    rig.run(seconds: 1)
    #expect(client.frames().count == 31)
  }

  @Test func moreThanSixteenLayersAreRefused() throws {
    let layers = (0..<17).map { "\"l\($0)\":1" }.joined(separator: ",")
    let answer = try Rig().subscribe().ask("{\"class\":\"WATCH\",\"layers\":{\(layers)}}")
    #expect(answer.first?["message"]?.contains("16") == true)
  }

  @Test func aLineOverFourKilobytesEndsTheConnection() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    _ = client.lines()
    client.send(bytes: [UInt8](repeating: 0x20, count: 4097) + Array("\n".utf8))
    #expect(client.lines().map(\.name) == ["ERROR"])
    #expect(client.isClosed)
    #expect(rig.core.stream.subscribers.isEmpty)
  }

  @Test func omittedFieldsKeepTheirValues() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    client.send(#"{"class":"WATCH","rate":10}"#, #"{"class":"WATCH","layers":{"bg":2}}"#)
    rig.run(seconds: 1)
    let frames = client.frames()
    #expect((10...12).contains(frames.count))
    let last = try #require(frames.last)
    #expect(last.object("layers")?.object("bg")?.number("x") == last.x * 2)
  }

  @Test func layersReplaceTheConfiguredOnes() throws {
    let rig = try Rig(["source.kind=synthetic", "layers=sky=0.1,hill=0.5"])
    let (plain, own) = (rig.subscribe(), rig.subscribe())
    own.send(#"{"class":"WATCH","layers":{"card":-1}}"#)
    rig.run(seconds: 0.1)
    let (a, b) = (try #require(plain.frames().last), try #require(own.frames().last))
    #expect(a.object("layers")?.object.members.map(\.key) == ["sky", "hill"])
    #expect(b.object("layers")?.object.members.map(\.key) == ["card"])
  }

  @Test func pollSendsTheState() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 0.5)
    let last = try #require(client.frames().last)
    #expect(client.ask(#"{"class":"POLL"}"#).map(\.name) == ["DEVICE", "GATE", "OFFSET"])
    client.send(#"{"class":"WATCH","enable":false}"#)
    rig.run(seconds: 1)
    let polled = client.ask(#"{"class":"POLL"}"#)
    #expect(polled.last?.seq ?? 0 >= last.seq)
  }

  @Test func aDisabledSubscriberDoesNotHoldTheSource() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 1)
    client.send(#"{"class":"WATCH","enable":false}"#)
    _ = client.lines()
    rig.run(seconds: 6)
    #expect(client.lines().map { $0["state"] } == ["idle"])
    #expect(rig.core.deadline == nil)
    client.send(#"{"class":"WATCH","enable":true}"#)
    rig.run(seconds: 1)
    #expect(client.frames().count == 31)
  }

  @Test func onChangeSkipsUnchangedFrames() throws {
    let rig = try Rig([
      "source.kind=trace", "source.trace=\(try Self.steps.get().path)/steps.csv",
      "motion.smoothing=none",
    ])
    let (any, far) = (rig.subscribe(), rig.subscribe())
    any.send(#"{"class":"WATCH","on_change":true}"#)
    far.send(#"{"class":"WATCH","on_change":1}"#)
    rig.runUntilIdle()
    // y rate 0 0 0 .1 .1 .15 .25 .25 .5 0 -> x in px at scale 5
    // Two frames differ from the ones before only in their velocity.
    #expect(any.frames().map(\.x) == [0, 0.5, 0.5, 0.75, 1.25, 1.25, 2.5, 0])
    #expect(far.frames().map(\.x) == [0, 1.25, 2.5, 0])
  }

  /// A display that follows the velocities of the frames it gets is never farther off than it asked for, and
  /// hears when the motion stops.
  @Test func onChangeMeasuresFromWhereADisplayIs() throws {
    let rig = try Rig(["source.kind=synthetic", "motion.smoothing=auto"])
    let (all, few) = (rig.subscribe(), rig.subscribe())
    few.send(#"{"class":"WATCH","on_change":0.3}"#)
    rig.run(seconds: 20)
    let sent = few.frames()
    var next = 0
    var skipped = 0
    for frame in all.frames() {
      if next < sent.count, sent[next].seq == frame.seq {
        next += 1
        continue
      }
      guard next > 0 else { continue }
      skipped += 1
      let last = sent[next - 1]
      let seconds = min(try #require(frame.number("time")) - #require(last.number("time")), 0.05)
      for (position, velocity) in [("x", "vx"), ("y", "vy")] {
        let shown = try #require(last.number(position)) + #require(last.number(velocity)) * seconds
        #expect((shown - (try #require(frame.number(position)))).magnitude < 0.3, "\(frame)")
      }
      let isStill = frame.number("vx") == 0 && frame.number("vy") == 0
      #expect(!isStill || (last.number("vx") == 0 && last.number("vy") == 0), "\(frame)")
    }
    #expect(skipped > 50 && next > 50, "\(skipped) of \(next)")
  }

  private static let steps = Result {
    let folder = try TemporaryFolder()
    let rates = ["0", "0", "0", "0.1", "0.1", "0.15", "0.25", "0.25", "0.5", "0"]
    let rows = rates.enumerated().map { "\(Double($0.offset) / 30),0,\($0.element),0" }
    try folder.write("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "steps.csv")
    return folder
  }
}
