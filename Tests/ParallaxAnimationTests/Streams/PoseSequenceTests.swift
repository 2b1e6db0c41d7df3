// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import Testing

@testable import ParallaxAnimation

@Suite("Poses on a clock") struct PoseSequenceTests {
  private let clock = ManualClock()

  /// Returns the x of the next pose, rounded to 10^-9 px; nil at the end.
  private func next(_ poses: inout PoseSequence<ManualClock>.Iterator) async -> Double? {
    await poses.next().map { ($0.offset.x * 1e9).rounded() / 1e9 }
  }

  @Test func posesAreOneIntervalApart() async {
    let stream = AnimationStream(right(2), right(1))
    var poses = stream.poses(every: .milliseconds(100), clock: clock).makeAsyncIterator()
    var seen: [Double?] = []
    for _ in 0..<6 {
      seen.append(await next(&poses))
      clock.advance(by: .milliseconds(100))
    }
    // The first one without delay, the last one at the end.
    #expect(seen == [0, 1, 2, 3, nil, nil])
  }

  @Test func slowProgramsMissPoses() async {
    var poses = AnimationStream(right(9)).poses(every: .milliseconds(100), clock: clock)
      .makeAsyncIterator()
    #expect(await next(&poses) == 0)
    clock.advance(by: .milliseconds(520))
    #expect(await next(&poses) == 5)
    // The next one is due 80 ms later, not now.
    clock.advance(by: .milliseconds(80))
    #expect(await next(&poses) == 6)
    clock.advance(by: .seconds(60))
    #expect(await next(&poses) == 9)
    #expect(await next(&poses) == nil)
  }

  @Test func iteratorsPlayFromTheirOwnStarts() async {
    let sequence = AnimationStream(right(3)).poses(
      every: .milliseconds(100), from: Pose(offset: px(10)), clock: clock)
    var first = sequence.makeAsyncIterator()
    #expect(await next(&first) == 10)
    clock.advance(by: .milliseconds(100))
    var second = sequence.makeAsyncIterator()
    #expect(await next(&second) == 10)
    #expect(await next(&first) == 11)
  }

  @Test func emptyStreamsHaveOnePose() async {
    var poses = AnimationStream([]).poses(every: .zero, clock: clock).makeAsyncIterator()
    #expect(await next(&poses) == 0)
    #expect(await next(&poses) == nil)
  }

  /// Waits until a task sleeps on the clock.
  private func waitForSleeper() async {
    while clock.sleeperCount == 0 { await Task.yield() }
  }

  @Test func cancellationEndsTheSequence() async {
    let sequence = AnimationStream(right(5).repeatedForever()).poses(
      every: .milliseconds(100), clock: clock)
    let task = Task {
      var count = 0
      for await _ in sequence { count += 1 }
      return count
    }
    await waitForSleeper()
    task.cancel()
    #expect(await task.value == 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test func sleepersWakeWhenTheirTimeComes() async throws {
    let clock = clock
    let sleeper = Task { try await clock.sleep(until: MotionInstant(nanoseconds: 50)) }
    await waitForSleeper()
    clock.advance(to: MotionInstant(nanoseconds: 49))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .nanoseconds(1))
    try await sleeper.value
    // Time does not go back.
    clock.advance(to: MotionInstant(nanoseconds: 1))
    clock.advance(by: .nanoseconds(-1))
    #expect(clock.now == MotionInstant(nanoseconds: 50))
    // A time that has come needs no sleep.
    try await clock.sleep(until: MotionInstant(nanoseconds: 50))
  }

  @Test func cancelledTasksDoNotSleep() async {
    let clock = clock
    let sleeper = Task {
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(until: MotionInstant(nanoseconds: 50))
    }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }
}
