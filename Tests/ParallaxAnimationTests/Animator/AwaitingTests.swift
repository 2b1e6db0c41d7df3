// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Waiting for animators and their poses, on the main actor, with a clock that is set.
@MainActor @Suite struct AwaitingTests {
  private let card = AnimatedPose()

  private func right(_ px: Double, seconds: Double) -> Animation {
    .move(by: PixelOffset(x: px, y: 0), duration: .seconds(seconds), curve: .linear)
  }

  /// Starts a task and runs it until it waits.
  private func task(
    _ body: @escaping @MainActor () async -> AnimationPosition
  ) async -> Task<AnimationPosition, Never> {
    var hasBegun = false
    let task = Task { @MainActor in
      hasBegun = true
      return await body()
    }
    while !hasBegun { await Task.yield() }
    return task
  }

  @Test func finishedWaitsForTheEnd() async throws {
    let animator = PropertyAnimator(card, duration: .seconds(1), curve: .linear)
    try animator.add(.moveBy(PixelOffset(x: 10, y: 0)))
    try animator.start(at: 0)
    let task = await task { await animator.finished() }
    card.advance(to: instant(0.5))
    #expect(card.isMoving)
    card.advance(to: instant(1))
    #expect(await task.value == .end)
    // Another run, which is ended at its start.
    let again = await self.task { await animator.finished() }
    animator.end(at: .start, at: instant(2))
    #expect(await again.value == .start)
  }

  @Test func aCancelledWaitEndsTheAnimator() async throws {
    let animator = PropertyAnimator(card, duration: .seconds(1), curve: .linear)
    try animator.add(.moveBy(PixelOffset(x: 10, y: 0)))
    var endings: [AnimationPosition] = []
    animator.addCompletion { endings.append($0) }
    try animator.start(at: 0)
    let task = await task { await animator.finished() }
    card.advance(to: instant(0.4))
    task.cancel()
    #expect(await task.value == .current)
    #expect(endings == [.current] && card.target.offset.x == 4 && !card.isMoving)
  }

  /// What comes next is chosen in plain code.
  @Test func animationsInALoop() async {
    var hops = 0
    let task = await task {
      while await card.play(right(10, seconds: 1)) == .end, card.pose.offset.x < 25 { hops += 1 }
      await card.play(.empty)
      return await card.play(right(-30, seconds: 1))
    }
    for tick in 1...5 {
      card.advance(to: instant(Double(tick)))
      // The task goes on at this time.
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(await task.value == .end)
    #expect(hops == 2 && card.pose.offset.x == 0)
  }

  @Test func aCancelledPlayEndsWhereItIs() async {
    let task = await task { await card.play(right(10, seconds: 1), at: 0) }
    card.advance(to: instant(0.7))
    task.cancel()
    #expect(await task.value == .current)
    #expect((card.target.offset.x - 7).magnitude < 1e-9 && card.activeCount == 0)
  }

  @Test func aSpringReachesItsTarget() async {
    let spring = SpringAnimator(Spring(duration: .seconds(0.2)), at: 0)
    let target = Pose(offset: PixelOffset(x: 100, y: 0))
    let first = await task { await spring.reached(target, at: 0) }
    spring.advance(to: instant(0.05))
    let second = await task { await spring.reached(.rest, at: instant(0.05)) }
    #expect(await first.value == .current)
    spring.advance(to: instant(5))
    #expect(await second.value == .end)
    let third = await task { await spring.reached(target, at: instant(5)) }
    spring.advance(to: instant(5.05))
    third.cancel()
    #expect(await third.value == .current)
    #expect(!spring.isMoving && spring.pose.offset.x > 1 && spring.pose.offset.x < 100)
  }

  @Test func posesOfAnAnimator() async throws {
    let animator = PropertyAnimator(card)
    try animator.add(right(3, seconds: 0.3))
    try animator.start(at: instant(7))
    let clock = ManualClock()
    var x: [Double] = []
    for await pose in card.poses(every: .milliseconds(100), at: instant(7), clock: clock) {
      x.append(pose.offset.x.rounded())
      clock.advance(by: .milliseconds(100))
    }
    #expect(x == [0, 1, 2, 3])
    // At rest there is one pose.
    x = []
    for await pose in card.poses(every: .seconds(9e18), at: instant(8), clock: clock) {
      x.append(pose.offset.x)
    }
    #expect(x == [3])
  }

  /// A slow program misses poses; all players end.
  @Test func posesOfSeveral() async throws {
    let animator = PropertyAnimator(card)
    try animator.add(right(3, seconds: 0.3))
    try animator.start(at: 0)
    let spring = SpringAnimator(Spring(duration: .seconds(0.1)), at: 0)
    spring.animate(to: Pose(offset: PixelOffset(x: 50, y: 0)), at: 0)
    let clock = ManualClock()
    var frames: [[Double]] = []
    for await poses in poses(of: [card, spring], every: .milliseconds(50), at: 0, clock: clock) {
      frames.append(poses.map { $0.offset.x.rounded() })
      clock.advance(by: .milliseconds(frames.count == 2 ? 200 : 50))
    }
    #expect(frames.first == [0, 0] && frames[2][0] == 3 && frames.last == [3, 50])
    #expect(!spring.isMoving && !card.isMoving)
  }

  @Test func aCancelledSequenceEndsTheMotion() async throws {
    let animator = PropertyAnimator(card)
    try animator.add(right(10, seconds: 1))
    try animator.start(at: 0)
    let clock = ManualClock()
    let task = await task {
      for await _ in card.poses(every: .milliseconds(400), at: 0, clock: clock) {}
      return .current
    }
    while clock.sleeperCount == 0 { await Task.yield() }
    clock.advance(by: .milliseconds(400))
    while clock.sleeperCount == 0 { await Task.yield() }
    task.cancel()
    _ = await task.value
    #expect(card.target.offset.x == 4 && card.activeCount == 0)
  }
}
