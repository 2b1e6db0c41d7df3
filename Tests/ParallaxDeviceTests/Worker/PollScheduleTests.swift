// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxDevice
import Testing

@Suite("Poll schedule")
struct PollScheduleTests {
  /// At 100 Hz from 0: the starts of the readings (ms), and when the next is due (ms).
  private static let table: [(starts: [Double], due: Int64)] = [
    ([], 0),
    ([0], 10),
    ([0, 10, 20], 30),
    ([0.4, 10.2], 20),
    ([0, 10, 27], 30),
    ([0, 10, 30_010], 30_020),
    ([0, 10, 39.9], 40),
  ]

  @Test(arguments: table)
  func nextReading(starts: [Double], due: Int64) {
    var schedule = PollSchedule(hertz: 100, start: .zero)
    for start in starts { schedule.advance(at: .zero + MotionDuration(seconds: start / 1e3)) }
    #expect(schedule.due == .zero + .milliseconds(due))
  }

  @Test func roundingDoesNotAccumulate() {
    let start = MotionInstant(nanoseconds: 5)
    var schedule = PollSchedule(hertz: 30, start: start)
    for _ in 0..<3_000_000 { schedule.advance(at: schedule.due) }
    #expect(schedule.due == start + .seconds(100_000))
  }
}
