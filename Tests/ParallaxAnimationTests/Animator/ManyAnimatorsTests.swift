// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Thousands of animators on one pose.
@Suite struct ManyAnimatorsTests {
  private let card = AnimatedPose()
  private let endings = Endings()

  private func start(_ name: String = "", seconds: Double, after delay: Double = 0) throws {
    let animator = PropertyAnimator(card, durationSeconds: seconds, curve: .linear)
    animator.addCompletion { [endings] in endings.add($0, of: name) }
    try animator.add(.moveBy(PixelOffset(x: 1, y: 0)))
    try animator.start(after: .seconds(delay), at: card.now)
  }

  @Test func allEndInOneFrame() throws {
    card.advance(to: 0)
    for _ in 0..<10_000 { try start(seconds: 1) }
    card.advance(to: Marbles.time(5))
    #expect(card.activeCount == 10_000 && card.isMoving)
    #expect((card.pose.offset.x - 5000).magnitude < 1e-6)
    #expect((card.velocity.offset.x - 10_000).magnitude < 1e-6)
    #expect(card.nextEvent == Marbles.time(10))
    card.advance(to: Marbles.time(10))
    #expect(endings.count == 10_000)
    #expect(card.activeCount == 0 && !card.isMoving && card.nextEvent == nil)
    #expect((card.pose.offset.x - 10_000).magnitude < 1e-6)
  }

  /// In the order of their ends, also after a late frame, in which some have waited for their start; at one time,
  /// the oldest first.
  @Test func completionsComeInTheOrderOfTheirEnds() throws {
    card.advance(to: 0)
    try start("d", seconds: 5, after: 1)
    try start("b", seconds: 3)
    try start("a", seconds: 1, after: 1)
    try start("c", seconds: 3)
    card.advance(to: Marbles.time(100))
    #expect(endings.drain() == "a|b|c|d|")
  }

  /// A completion that ends others, starts new ones and looks at the pose.
  @Test func completionsMayChangeOthers() throws {
    card.advance(to: 0)
    let other = PropertyAnimator(card, durationSeconds: 9, curve: .linear)
    try other.add(.moveBy(PixelOffset(x: 9, y: 0)))
    other.addCompletion { [endings] in endings.add($0, of: "other") }
    let first = PropertyAnimator(card, durationSeconds: 1, curve: .linear)
    try first.add(.moveBy(PixelOffset(x: 1, y: 0)))
    var poses: [Double] = []
    first.addCompletion { [card, endings] in
      endings.add($0, of: "first")
      poses.append(card.pose.offset.x)
      other.end(at: .start, at: card.now)
      poses.append(card.pose.offset.x)
      try? first.add(.moveBy(PixelOffset(x: 5, y: 0)))
      try? first.start(at: card.now)
    }
    try other.start(at: card.now)
    try first.start(at: card.now)
    card.advance(to: Marbles.time(10))
    #expect(endings.drain() == "first|other<")
    #expect(poses == [2, 1])
    #expect(card.activeCount == 1 && card.nextEvent == Marbles.time(20))
    card.advance(to: Marbles.time(15))
    #expect(card.pose.offset.x == 3.5)
  }

  /// Animators that end in random order leave the sum of their moves.
  @Test func randomEndsAddUp() throws {
    var random = SeededGenerator.forTest()
    card.advance(to: 0)
    var (started, at) = (0, 0)
    while started < 2000 {
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        try start(
          seconds: .random(in: 0...3, using: &random), after: .random(in: 0...1, using: &random))
        started += 1
      }
      at += Int.random(in: 0...4, using: &random)
      card.advance(to: Marbles.time(at))
      #expect(card.activeCount == started - endings.count, "\(random.note)")
    }
    card.advance(to: Marbles.time(at + 40))
    #expect(endings.count == started && card.activeCount == 0, "\(random.note)")
    #expect((card.pose.offset.x - Double(started)).magnitude < 1e-6, "\(random.note)")
  }

  /// A pose that is released takes its animators along.
  @Test func releasedInMotionTheyEndWhereTheyAre() throws {
    do {
      let pose = AnimatedPose()
      for name in ["a", "b"] {
        let animator = PropertyAnimator(pose, durationSeconds: 1)
        try animator.add(.fadeTo(0))
        animator.addCompletion { [endings] in endings.add($0, of: name) }
        try animator.start(at: 0)
      }
      pose.advance(to: Marbles.time(3))
    }
    #expect(endings.drain() == "a!b!")
  }
}

/// Speed, duration, scrubbing and stops of an animator of 100 px in 1 s.
@Suite struct AnimatorControlTests {
  private let card = AnimatedPose()

  private func animator(
    curve: Curve = .linear, completions: Endings = Endings()
  ) throws -> PropertyAnimator {
    let animator = PropertyAnimator(card, duration: .seconds(1), curve: curve)
    try animator.add(.moveBy(PixelOffset(x: 100, y: 0)))
    animator.addCompletion { completions.add($0) }
    return animator
  }

  private func at(_ seconds: Double) -> MotionInstant { instant(seconds) }

  /// What `continue` has set stays, however it goes on after another pause.
  @Test(arguments: [true, false])
  func aPauseKeepsTheSpeed(continues: Bool) throws {
    let animator = try animator()
    try animator.start(at: 0)
    try animator.pause(at: at(0.5))
    // 0.5 s of the path in 2 s.
    try animator.continue(durationFactor: 2, at: at(0.5))
    #expect(card.velocity.offset.x == 25)
    try animator.pause(at: at(1.5))
    #expect(card.pose.offset.x == 75)
    if continues { try animator.continue(at: at(2)) } else { try animator.start(at: at(2)) }
    #expect(card.velocity.offset.x == 25)
    card.advance(to: at(3))
    #expect(card.pose.offset.x == 100 && !card.isMoving)
  }

  @Test func aDurationSetLater() throws {
    let animator = try animator()
    try animator.setDuration(.seconds(4), at: 0)
    try animator.start(at: 0)
    #expect(animator.duration == .seconds(4))
    card.advance(to: at(1))
    #expect(card.pose.offset.x == 25)
    try animator.setDuration(.seconds(1), at: at(1))
    card.advance(to: at(1.5))
    #expect(card.pose.offset.x == 75)
    try animator.setDuration(.zero, at: at(1.5))
    card.advance(to: at(1.501))
    #expect(card.pose.offset.x == 100 && !card.isMoving)
  }

  @Test func aSpeed() throws {
    let animator = try animator()
    try animator.start(at: 0)
    try animator.setSpeed(0.5, at: at(0.2))
    card.advance(to: at(0.6))
    #expect((card.pose.offset.x - 40).magnitude < 1e-9)
    try animator.setSpeed(.nan, at: at(0.6))
    #expect(card.velocity.offset.x == 100)
  }

  /// At 0.3 of an ease: 30 px of the way, and then on with the curve, without a jump.
  @Test(arguments: [
    Curve.ease, .easeInOut, .linear, .spring(response: .seconds(0.4), damping: 0.3),
  ])
  func linearScrubbing(curve: Curve) throws {
    let animator = try animator(curve: curve)
    animator.scrubsLinearly = true
    for fraction in [0.3, 0, 0.7, 1, 0.3] {
      try animator.scrub(toFraction: fraction, at: 0)
      #expect((card.pose.offset.x - 100 * fraction).magnitude < 1e-6)
      #expect((animator.fractionComplete - fraction).magnitude < 1e-6)
    }
    try animator.continue(at: 0)
    #expect((card.pose.offset.x - 30).magnitude < 1e-6)
    card.advance(to: at(0.01))
    #expect(card.pose.offset.x > 30 && card.pose.offset.x < 45)
    try animator.pause(at: at(0.01))
    #expect((animator.fractionComplete - card.pose.offset.x / 100).magnitude < 1e-9)
  }

  @Test func linearScrubbingOfAReversedOne() throws {
    let animator = try animator(curve: .ease)
    animator.scrubsLinearly = true
    try animator.setReversed(true, at: 0)
    try animator.scrub(toFraction: 0.25, at: 0)
    #expect((card.pose.offset.x - 75).magnitude < 1e-6)
    #expect((animator.fractionComplete - 0.25).magnitude < 1e-6)
  }

  /// At 0.3 of the time, CSS `ease-in-out` is at 0.1874.
  @Test func scrubbingFollowsTheCurveOtherwise() throws {
    let animator = try animator(curve: .easeInOut)
    try animator.scrub(toFraction: 0.3, at: 0)
    #expect((card.pose.offset.x - 18.74).magnitude < 0.01)
  }

  @Test func aStopWithoutFinishing() throws {
    let endings = Endings()
    let animator = try animator(completions: endings)
    try animator.start(at: 0)
    try animator.stop(withoutFinishing: true, at: at(0.4))
    #expect(animator.phase == .inactive && endings.count == 0)
    #expect((card.pose.offset.x - 40).magnitude < 1e-9)
    #expect(card.target.offset.x == card.pose.offset.x && card.activeCount == 0)
    // It can be used again.
    try animator.add(.moveBy(PixelOffset(x: 60, y: 0)))
    try animator.start(at: at(0.4))
    card.advance(to: at(2))
    #expect((card.pose.offset.x - 100).magnitude < 1e-9)
  }
}
