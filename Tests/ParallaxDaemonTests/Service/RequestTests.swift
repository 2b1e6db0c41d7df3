// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// The requests of subscribers.
struct RequestTests {
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
