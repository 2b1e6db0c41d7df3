// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// Frames and events for different clients: control clients without subscribers, slow documents,
/// subscribers with a WATCH.
struct ListeningTests {
  /// Without subscribers there are no frames; the timer is for events alone.
  @Test func withoutSubscribersOnlyEventsAreTimed() throws {
    let rig = try Rig.animated()
    let control = rig.control()
    let start = rig.now
    _ = control.play("hop")
    #expect(rig.core.deadline == start + .seconds(1))
    rig.run(seconds: 2)
    #expect(control.lines().story == ["hop completed end"])
    #expect(rig.core.deadline == nil)
    _ = control.play("forever", #""detached":true"#)
    #expect(rig.core.deadline == nil)
  }

  /// Very short steps are reported at most once per frame period.
  @Test func shortStepsDoNotBusyLoop() throws {
    let rig = try Rig.animated()
    let control = rig.control()
    _ = control.ask(
      #"{"class":"PLAY","document":{"parallax":1,"animation":"#
        + #"{"repeat":"forever","of":{"delay":0.000001}}}}"#)
    rig.run(seconds: 1)
    #expect((25...31).contains(control.lines().story.count))
  }

  @Test func aSlowDocumentDelaysNoClient() throws {
    let documents = FakeDocuments(Rig.documents)
    documents.isSlow = true
    let rig = try Rig.animated(["source.kind=synthetic"], documents: documents)
    let (client, control) = (rig.subscribe(), rig.control())
    #expect(control.play("nudge", #""tag":1"#).isEmpty)
    rig.run(seconds: 1)
    #expect((30...31).contains(client.frames().count))
    // Another request on the same connection is answered first.
    #expect(control.ask(#"{"class":"RECENTER","tag":2}"#).map { $0.number("tag") } == [2])
    documents.answer()
    #expect(control.lines().map(\.name) == ["ACK", "ANIMATION"])
  }

  /// If the client has left before the document arrives, only a detached animation plays.
  @Test(arguments: [(false, []), (true, ["nudge started", "nudge completed end"])])
  func leavingBeforeTheDocumentArrives(_ isDetached: Bool, _ story: [String]) throws {
    let documents = FakeDocuments(Rig.documents)
    documents.isSlow = true
    let rig = try Rig.animated(documents: documents)
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("nudge", #""detached":\#(isDetached)"#)
    control.hangUp()
    documents.answer()
    rig.run(seconds: 1)
    #expect(client.lines().story == story)
  }

  /// The end of an animation also reaches subscribers with a low rate.
  @Test(arguments: [1.0, 7, 10, 29])
  func aLowRateIncludesTheEnd(_ rate: Double) throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    client.send(#"{"class":"WATCH","rate":\#(rate)}"#)
    _ = control.play("nudge")
    rig.run(seconds: 2)
    let frames = client.frames()
    #expect(frames.last?.x == 12 && Double(frames.count) <= 0.25 * rate + 3)
    #expect(rig.core.deadline == nil)
  }

  /// Layers have four decimals, x and y have two: the last step may change the layers alone. However
  /// the end lies between two ticks, it is published exactly.
  @Test(arguments: ["false", "true"])
  func theEndIsExactOnLayers(onChange: String) throws {
    for step in 0..<70 {
      let rig = try Rig.animated(["layers=sky=0.1,card=1"])
      let (client, control) = (rig.subscribe(), rig.control())
      client.send(#"{"class":"WATCH","on_change":\#(onChange)}"#)
      let seconds = Double(2000 + 5 * step) / 10_000
      _ = control.ask(
        #"{"class":"PLAY","document":{"parallax":1,"animation":"#
          + #"{"move":{"by":[0,3]},"curve":"linear","duration":\#(seconds)}}}"#)
      rig.run(seconds: 1)
      let last = try #require(client.frames().last)
      #expect(last.y == 3 && last.layer("card")?.y == 3, "\(seconds) s: \(last.text)")
      #expect(rig.core.deadline == nil)
    }
  }

  @Test(arguments: [
    ("true", "nudge", 6...6), ("5", "nudge", 2...3), ("true", "empty", 0...0),
    // A rotation moves by 0 px, but is a change.
    ("5", "turn", 6...7),
  ])
  func onChangeSeesAnimations(_ value: String, _ id: String, _ count: ClosedRange<Int>) throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    client.send(#"{"class":"WATCH","on_change":\#(value)}"#)
    _ = control.play(id)
    rig.run(seconds: 2)
    let frames = client.frames()
    #expect(count.contains(frames.count), "\(frames)")
    if id == "nudge" { #expect(frames.last?.x == 12) }
  }

  @Test func aDisabledSubscriberCausesNoTicks() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    client.send(#"{"class":"WATCH","enable":false}"#)
    _ = control.play("nudge", #""detached":true"#)
    #expect(rig.core.deadline == nil)
    rig.run(seconds: 1)
    _ = client.lines()
    client.send(#"{"class":"WATCH","enable":true}"#)
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(lines.story == ["nudge completed end"])
    #expect(lines.frames.map(\.x) == [12])
  }

  @Test func newLayersHaveThePresentPose() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("card")
    rig.run(seconds: 1)
    #expect(client.frames().allSatisfy { $0.layer("card") == nil })
    client.send(#"{"class":"WATCH","layers":{"card":1}}"#)
    #expect(client.ask(#"{"class":"POLL"}"#).frames.last?.layer("card")?.y == 9)
  }

  /// Without a source, ticks come at the configured rate.
  @Test(arguments: [10.0, 60])
  func ticksComeAtTheConfiguredRate(_ rate: Double) throws {
    let rig = try Rig.animated(["sampling.rate=\(Int(rate))"])
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("hop")
    rig.run(seconds: 2)
    #expect((rate...rate + 2).contains(Double(client.frames().count)))
    rig.core.hub.reconfigure(
      try Rig.configuration(["source.kind=iio", "sampling.rate=20"]), at: rig.now)
    _ = control.play("hop")
    rig.run(seconds: 2)
    #expect((20...22).contains(client.frames().count))
  }

  // MARK: - Cost

  /// A frame allocates nothing, with and without animations.
  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"),
    arguments: ["", "turning", "layers", "reduced"])
  func aFrameAllocatesNothing(_ what: String) throws {
    // Longer than the test: events allocate.
    let documents = FakeDocuments([
      "slow": FakeDocuments.document(
        #"{"repeat":"forever","of":{"rotate":{"by":90},"duration":100}}"#,
        #""reduced-motion":{"scale":{"to":2},"duration":100,"curve":{"spring":{"response":9,"damping":1}}}"#
      )
    ])
    let rig = try Rig.animated(["layers=sky=0.1,card=1"], documents: documents)
    let connection = CountingConnection()
    let events = rig.core.stream.connect(
      connection, from: Rig.peer(0), at: rig.now)
    let control = rig.control()
    switch what {
    case "turning": _ = control.play("slow")
    case "layers":
      _ = control.play("slow")
      _ = control.play("slow", #""layer":"card""#)
    case "reduced":
      control.set("reduce-motion", "on")
      _ = control.play("slow")
    default: break
    }
    rig.run(seconds: 0.9)
    let before = connection.lines
    var stamp = FrameStamp(seq: 1_000, time: rig.now)
    func frames(_ count: Int) {
      var frame = 0
      while frame < count {
        stamp.seq += 1
        stamp.time += .nanoseconds(16_666_667)
        rig.core.hub.publish(stamp, at: stamp.time)
        frame += 1
      }
    }
    frames(2)
    #expect(AllocationCount.during { frames(100) } == 0)
    #expect(connection.lines - before == (what.isEmpty ? 0 : 102))
    _ = events
  }
}

/// A client that only counts lines.
private final class CountingConnection: Connection {
  private(set) var lines = 0
  var awaits = AwaitedEvents.input

  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    lines += 1
    return bytes.count
  }

  func close() {}
}
