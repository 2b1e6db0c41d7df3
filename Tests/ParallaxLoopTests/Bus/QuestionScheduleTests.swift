// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct QuestionScheduleTests {
  private static func seconds(_ value: Double) -> MotionInstant {
    MotionInstant.zero + MotionDuration(seconds: value)
  }

  private static var schedule: QuestionSchedule {
    QuestionSchedule(patience: .seconds(1), firstPause: .seconds(1))
  }

  @Test func withoutAnAnswerItIsAskedAgainUpToOnceAMinute() {
    var schedule = Self.schedule
    #expect(schedule.start(at: .zero) == [.ask])
    var now = MotionInstant.zero
    var pauses: [MotionDuration] = []
    for attempt in 0..<9 {
      let actions = schedule.failed(at: now)
      #expect(actions == (attempt == 0 ? [.reportSilence] : []))
      guard let deadline = schedule.deadline else { break }
      #expect(schedule.advance(at: deadline - .nanoseconds(1)) == [])
      #expect(schedule.advance(at: deadline) == [.ask])
      pauses.append(deadline - now)
      now = deadline
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { MotionDuration.seconds($0) })
  }

  @Test func aSlowAnswerCountsAsSilenceOnce() {
    var schedule = Self.schedule
    _ = schedule.start(at: .zero)
    #expect(schedule.deadline == Self.seconds(1))
    #expect(schedule.advance(at: Self.seconds(1)) == [.reportSilence])
    // Nothing wakes the process until the call fails.
    #expect(schedule.deadline == nil)
    #expect(schedule.failed(at: Self.seconds(25)) == [])
    #expect(schedule.deadline == Self.seconds(26))
  }

  @Test func anAnswerOrTheEndOfTheProgramStopsIt() {
    var schedule = Self.schedule
    _ = schedule.start(at: .zero)
    schedule.stop()
    #expect(schedule.deadline == nil)
    #expect(schedule.advance(at: Self.seconds(99)) == [])
    // The failure of a call that was under way.
    #expect(schedule.failed(at: Self.seconds(99)) == [])
    #expect(schedule.deadline == nil)
    // The next question begins with the first pause.
    _ = schedule.start(at: Self.seconds(100))
    #expect(schedule.failed(at: Self.seconds(100)) == [.reportSilence])
    #expect(schedule.deadline == Self.seconds(101))
  }
}
