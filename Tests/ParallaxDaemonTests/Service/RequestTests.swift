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

  /// As long as a subscriber needs them, frames are made between the configured ones. They have numbers of their own
  /// and take no other subscriber's place.
  @Test func aToleranceAt60GetsFramesBetween() throws {
    let rig = try Rig([
      "source.kind=trace", "source.trace=\(testDataPath("Recordings/phyphox-walk/Gyroscope.csv"))",
    ])
    let plain = rig.subscribe(1000)
    func numbersRise(by step: Int) -> Bool {
      rig.run(seconds: 2)
      let frames = plain.frames().map(\.seq).dropFirst(2)
      return frames.count > 55 && zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 == step }
    }
    #expect(numbersRise(by: 1))
    let fine = rig.subscribe()
    for watch in [
      #""on_change":0.1"#, #""rate":30"#, #""on_change":true,"rate":60"#, #""on_change":false"#,
      #""on_change":0.1,"enable":false"#,
    ] {
      fine.send(#"{"class":"WATCH",\#(watch)}"#)
      #expect(numbersRise(by: 1), "\(watch)")
    }
    _ = fine.frames()
    fine.send(#"{"class":"WATCH","enable":true}"#)
    #expect(numbersRise(by: 2))
    let walked = fine.frames()
    #expect((90...122).contains(walked.count), "\(walked.count)")
    #expect(Set(walked.map { $0.seq % 2 }).count == 2)
    // Another one in the same way, and both leave.
    let other = rig.subscribe(1001)
    other.send(#"{"class":"WATCH","rate":60,"on_change":0.01}"#)
    fine.hangUp()
    #expect(numbersRise(by: 2))
    other.send(#"{"class":"WATCH","on_change":true}"#)
    #expect(numbersRise(by: 1))
  }

  /// A slow motion leaves a miss within the tolerance, which is corrected after 100 ms.
  @Test func aSmallMissIsCorrectedInTheEnd() throws {
    let folder = try TemporaryFolder()
    // Until 1 s it turns faster and faster, so little that no frame misses by the tolerance; then it turns steadily.
    let rows = (0..<300).map { "\(Double($0) / 100),0,\(min(Double($0), 100) / 1000),0" }
    let trace = try folder.write("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "slow.csv")
    let rig = try Rig([
      "source.kind=trace", "source.trace=\(trace)", "motion.smoothing=none",
      "sampling.resample=linear",
    ])
    let (fine, coarse, all) = (rig.subscribe(), rig.subscribe(), rig.subscribe())
    fine.send(#"{"class":"WATCH","rate":60,"on_change":5}"#)
    coarse.send(#"{"class":"WATCH","on_change":5}"#)
    rig.runUntilIdle()
    let (last, sent) = (try #require(all.frames().last), fine.frames())
    #expect((try #require(sent.last).x - last.x).magnitude <= 0.005)
    // A picture that comes to stand is sent at once.
    let times = sent.filter { $0.number("vx") != 0 }.compactMap { $0.number("time") }
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.1 }, "\(sent)")
    #expect((5...12).contains(sent.count), "\(sent.count)")
    #expect(coarse.frames().count <= 2)
  }

  private static let steps = Result {
    let folder = try TemporaryFolder()
    let rates = ["0", "0", "0", "0.1", "0.1", "0.15", "0.25", "0.25", "0.5", "0"]
    let rows = rates.enumerated().map { "\(Double($0.offset) / 30),0,\($0.element),0" }
    try folder.write("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "steps.csv")
    return folder
  }
}
