// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

struct RecordTests {
  private static let record = #"{"class":"RECORD","tag":3}"#

  /// A replayed recording gives the frames that were published: for each rate, the number in 5 s. If
  /// frames are not samples, their grid begins with the recording.
  @Test(arguments: [("30", 150), ("native", 150), ("20", 100), ("50", 249), ("7", 35)])
  func aReplayEqualsTheStream(_ rate: String, _ count: Int) throws {
    let rig = try Rig([
      "source.kind=synthetic:7", "motion.smoothing=ema:0.1", "sampling.rate=\(rate)",
    ])
    let (client, recorder) = (rig.subscribe(), rig.control())
    rig.run(seconds: 2.015)
    _ = client.lines()
    recorder.send(Self.record)
    rig.run(seconds: 5)
    let (published, lines) = (client.frames(), recorder.lines())
    var pipeline = MotionPipeline(
      settings: rig.core.hub.configuration.motion, orientation: .normal,
      nominalRateHertz: lines[0].number("rate"), bias: .off)
    var replayed: [Line] = []
    for line in lines.dropFirst() {
      _ = pipeline.push(
        GyroSample(
          time: .zero + MotionDuration(seconds: line.number("time") ?? 0),
          rateRadPerSec: AngularRate(x: line.x, y: line.y, z: line.number("z") ?? 0)))
      while let frame = pipeline.nextFrame() {
        let (x, y) = (frame.offset.x, frame.offset.y)
        replayed += [Line("{\"x\":\(x),\"y\":\(y)}")].compactMap { $0 }
      }
    }
    #expect(published.count == replayed.count && abs(published.count - count) <= 1)
    #expect(
      zip(published, replayed).allSatisfy {
        abs($0.x - $1.x) <= 0.005_001 && abs($0.y - $1.y) <= 0.005_001
      })
  }
}
