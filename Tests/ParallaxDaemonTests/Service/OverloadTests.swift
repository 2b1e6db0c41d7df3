// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import Testing

/// Frames that take longer to send than they are apart.
struct OverloadTests {
  /// One frame takes 40 ms: between two frames there are 10 ms for everything else, although the next
  /// one is due all the time.
  @Test(arguments: [
    ["source.kind=synthetic", "sampling.rate=60", "sampling.resample=linear"],
    ["source.kind=synthetic", "sampling.rate=native"],
  ])
  func frameLeavesTimeForOtherEvents(_ settings: [String]) throws {
    let rig = try Rig(settings)
    let client = rig.subscribe()
    rig.run(seconds: 1)
    _ = client.lines()
    client.connection.onSend = { rig.clock.advance(by: .milliseconds(40)) }
    let begin = rig.now
    var rests: [MotionDuration] = []
    for _ in 0..<100 {
      let due = try #require(rig.core.deadline)
      rig.clock.now = max(rig.now, due)
      let start = rig.now
      rig.core.advance(at: start)
      guard rig.now > start else { continue }
      let next = try #require(rig.core.deadline)
      rests.append(next - rig.now)
    }
    #expect(rests.count >= 40)
    #expect(rests.allSatisfy { $0 >= .milliseconds(10) })
    // They stay close to the present: one of about three is sent.
    let frames = client.frames()
    #expect(frames.count == rests.count)
    let lateness = (rig.now - begin).seconds - ((frames.last?.number("time") ?? 0) - begin.seconds)
    #expect(lateness < 0.15, "\(lateness) s")
  }
}

extension MotionInstant {
  fileprivate var seconds: Double { (self - MotionInstant.zero).seconds }
}
