// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// PLAY with a chain: documents one after the other, or together.
struct LiveChainTests {
  /// Each moves on in 0.1 s, and stays there.
  private static let documents = [
    "right": FakeDocuments.document(#"{"move":{"by":[3,0]},"duration":0.1,"curve":"linear"}"#)
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
}
