// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct CadenceTests {
  private static func pace(_ hertz: Double, actual: Double? = nil) -> FramePace {
    FramePace(ratedHertz: hertz, actualHertz: actual ?? hertz)
  }

  /// Returns the times of the frames that are due, of a grid at `pace`.
  private static func due(
    rate: Double?, pace: FramePace, frames: Int, start: MotionInstant = 12_345_678_901
  ) -> [MotionInstant] {
    var cadence = Cadence(rateHertz: rate)
    return (0..<frames).compactMap { index in
      let time =
        start + .nanoseconds(Int64((Double(index) * 1e9 / pace.actualHertz).rounded()))
      return cadence.isDue(time: time, pace: pace) ? time : nil
    }
  }

  /// The number of due frames of 300 at R = 30 (10 s). 29.41 is 30 / 1.02.
  @Test(arguments: [
    (nil, 300), (60.0, 300), (30.0, 300), (29.42, 300), (15.0, 150), (10.0, 100), (1.0, 10),
    (0.1, 1),
  ])
  func rateSelectsFrames(_ rate: Double?, _ count: Int) {
    let due = Self.due(rate: rate, pace: Self.pace(30), frames: 300, start: 7_000_000_000)
    #expect((count...(count + 1)).contains(due.count), "\(due.count)")
  }

  @Test func rateJustBelowToleranceDropsFrames() {
    let due = Self.due(rate: 29.4, pace: Self.pace(30), frames: 3_000)
    #expect(due.count < 3_000)
    #expect(due.count >= 2_930)
  }

  /// A frame is due when floor(time * rate + 0.01) changes.
  @Test func dueFramesFollowTheFormula() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<500 {
      let rate = Double.random(in: 0.1...29, using: &generator)
      var cadence = Cadence(rateHertz: rate)
      var last: Double?
      var time = MotionInstant(
        nanoseconds: Int64.random(in: 0...1_000_000_000_000_000, using: &generator))
      for _ in 0..<50 {
        time += .nanoseconds(Int64.random(in: 1...50_000_000, using: &generator))
        let slot = floor(Double(time.nanoseconds) / 1e9 * rate + 0.01)
        #expect(
          cadence.isDue(time: time, pace: Self.pace(30)) == (slot != last),
          generator.commented((rate, time)))
        last = slot
      }
    }
  }

  @Test(arguments: [
    Self.pace(1000), Self.pace(120), Self.pace(100), Self.pace(60, actual: 72),
    Self.pace(75, actual: 90),
  ])
  func atMostSixtyFramesPerSecond(_ pace: FramePace) {
    for rate in [nil, 60.0] {
      let due = Self.due(rate: rate, pace: pace, frames: Int(pace.actualHertz * 10))
      #expect((599...601).contains(due.count), "\(due.count)")
    }
  }

  @Test func sixtyHertzKeepsEveryFrame() {
    #expect(Self.due(rate: nil, pace: Self.pace(60), frames: 600).count == 600)
    #expect(Self.due(rate: 60, pace: Self.pace(60, actual: 61), frames: 600).count == 600)
  }

  @Test func subscribersWithOneRateGetTheSameFrames() {
    let early = Self.due(rate: 7, pace: Self.pace(30), frames: 300)
    let late = Self.due(
      rate: 7, pace: Self.pace(30), frames: 200, start: 15_345_678_901)
    // Except for the first frame, which is due to a new subscriber.
    #expect(Set(late.dropFirst()).isSubset(of: Set(early)))
  }
}
