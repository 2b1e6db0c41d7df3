// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// Frames and events for different clients: control clients without subscribers, slow documents,
/// subscribers with a WATCH.
struct ListeningTests {
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
