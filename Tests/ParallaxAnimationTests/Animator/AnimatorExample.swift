// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import Testing

// The Swift blocks of docs/animators.md, word for word, so that the compiler checks them, and their
// results.

@Suite("Examples in docs/animators.md") struct AnimatorExample {
  @Test func propertyAnimator() throws {
    let now: MotionInstant = 0
    var log: [String] = []
    func print(_ text: String) { log.append(text) }

    let card = AnimatedPose()
    let animator = PropertyAnimator(card, duration: .seconds(0.5), curve: .easeInOut)
    try animator.add(.moveBy(PixelOffset(x: 12, y: 0)), .fadeTo(0.2))
    animator.addCompletion { position in print("ended at its \(position)") }
    try animator.start(at: now)

    // On every frame. Completions are called from here.
    card.advance(to: now + .milliseconds(200))
    print("\(card.pose.offset.x.rounded()) px, \((card.velocity.offset.x).rounded()) px/s")

    // Midway, add a rotation for the remaining time, then reverse.
    try animator.add(.rotateBy(90), at: now + .milliseconds(200))
    try animator.setReversed(true, at: now + .milliseconds(300))
    card.advance(to: now + .seconds(1))

    #expect(log == ["4.0 px, 38.0 px/s", "ended at its start"])
    #expect(card.pose == .rest)
  }

  @Test func scrubbing() throws {
    let now: MotionInstant = 0
    let card = AnimatedPose()
    let animator = PropertyAnimator(card, duration: .seconds(1), curve: .linear)
    try animator.add(.moveBy(PixelOffset(x: 100, y: 0)))

    // A finger holds it at 30 % of its path.
    try animator.scrub(toFraction: 0.3, at: now)
    // Released, it springs to its end in half its full duration.
    try animator.continue(
      curve: .spring(response: .seconds(0.3), damping: 0.8), durationFactor: 0.5, at: now)
    // Or it is stopped where it is, and then ends at its start.
    try animator.stop(at: now + .milliseconds(100))
    try animator.finish(at: .start, at: now + .milliseconds(100))

    #expect(card.pose == .rest)
    #expect(animator.phase == .inactive)
  }

  @Test func springs() {
    let now: MotionInstant = 0
    var log: [AnimationPosition] = []
    let spring = SpringAnimator(
      Spring(response: .seconds(0.5), damping: 0.825), at: now)
    spring.animate(to: Pose(rotationDegrees: 90), at: now) { log.append($0) }
    // A new target: it continues from its current position and velocity.
    spring.animate(to: .rest, at: now + .milliseconds(200)) { log.append($0) }
    spring.advance(to: now + .seconds(5))
    #expect(log == [.current, .end])
    #expect(spring.pose == .rest)
  }

  @Test func streams() {
    let now: MotionInstant = 0
    let nudge = Animation.move(by: PixelOffset(x: 12, y: 0), duration: .seconds(0.1)).autoreversed()
    // Ten nudges, two seconds apart.
    let nudges = AnimationStream(nudge.then(.delay(.seconds(2)))).forever().take(10)
    // Back and forth, farther each time, until it is far enough.
    let swing = AnimationStream(.move(to: PixelOffset(x: 1, y: 0))).flat { ending in
      let x = -2 * ending.pose.offset.x
      return abs(x) < 100 ? .move(to: PixelOffset(x: x, y: 0)) : nil
    }
    var player = StreamPlayer(
      .concat([nudges, swing.delayed(by: .seconds(1))]), at: now)
    player.advance(to: now + .seconds(60))
    #expect(player.takeEvents().last == .finished(.end))
    #expect(abs(player.pose.offset.x - 64) < 1e-9)
  }

  @Test func curves() {
    let spring = Spring(response: .milliseconds(300), damping: 0.6)
    let settled = spring.settlingDuration(distance: 100)
    let overshoot = spring.value(at: .milliseconds(200))
    #expect(settled > .milliseconds(750) && settled < .milliseconds(900))
    #expect(overshoot > 1)
  }

  @MainActor @Test func waiting() async {
    let card = AnimatedPose()
    let nudge = Animation.move(by: PixelOffset(x: 3, y: 0), duration: .milliseconds(100))
    var left = 3
    func isWanted() -> Bool {
      left -= 1
      return left > 0
    }
    let task = Task { @MainActor in
      while await card.play(nudge) == .end, isWanted() {
        await card.play(.delay(.milliseconds(200)))
      }
    }
    for tick in 1...20 {
      for _ in 0..<20 { await Task.yield() }
      card.advance(to: instant(Double(tick) / 10))
    }
    await task.value
    #expect(card.pose.offset.x == 9)
  }

  @Test func posesAtASteadyRate() async throws {
    let now: MotionInstant = 0
    let card = AnimatedPose()
    let spring = SpringAnimator(Spring(duration: .milliseconds(50)), at: now)
    var drawn: [Double] = []
    func draw(_ poses: Pose...) { drawn += poses.map(\.offset.x) }
    for await pose in card.poses(every: .seconds(1) / 60, at: now) {
      draw(pose)
    }
    for await poses in poses(of: [card, spring], every: .seconds(1) / 60, at: now) {
      draw(poses[0], poses[1])
    }
    #expect(drawn == [0, 0, 0])
  }

  @Test func posesOfAStream() async {
    let swing = AnimationStream(
      .move(by: PixelOffset(x: 8, y: 0), duration: .milliseconds(100), curve: .linear))
    // Compiled only: it takes real time.
    func play(draw: (Pose) -> Void) async {
      for await pose in swing.poses(every: .seconds(1) / 60) {
        draw(pose)
      }
    }

    let clock = ManualClock()
    var poses = swing.poses(every: .milliseconds(50), clock: clock).makeAsyncIterator()
    let first = await poses.next()
    clock.advance(by: .milliseconds(50))
    let second = await poses.next()
    #expect(first == .rest && second?.offset.x == 4)
  }
}
