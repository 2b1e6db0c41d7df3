import ParallaxMotion
import Testing

@testable import ParallaxAnimation

// What docs/animators.md shows of animators, springs and streams, word for word, so that the compiler
// sees it; and what comes of it.

@Suite("The documents' animators") struct AnimatorExample {
  private static let second: Int64 = 1_000_000_000

  @Test func propertyAnimator() throws {
    let now: Int64 = 0
    var log: [String] = []
    func print(_ text: String) { log.append(text) }

    let card = AnimatedPose()
    let animator = PropertyAnimator(card, durationSeconds: 0.5, curve: .easeInOut)
    try animator.add(.moveBy(PixelOffset(x: 12, y: 0)), .fadeTo(0.2))
    animator.addCompletion { position in print("ended at its \(position)") }
    try animator.start(atNanoseconds: now)

    // At every frame; what has come to its end tells so here.
    card.advance(toNanoseconds: now + 200_000_000)
    print("\(card.pose.offset.x.rounded()) px, \((card.velocity.offset.x).rounded()) px/s")

    // In the middle it is given a rotation for the time that is left, and turns round.
    try animator.add(.rotateBy(90), atNanoseconds: now + 200_000_000)
    try animator.setReversed(true, atNanoseconds: now + 300_000_000)
    card.advance(toNanoseconds: now + Self.second)

    #expect(log == ["4.0 px, 38.0 px/s", "ended at its start"])
    #expect(card.pose == .rest)
  }

  @Test func scrubbing() throws {
    let now: Int64 = 0
    let card = AnimatedPose()
    let animator = PropertyAnimator(card, durationSeconds: 1, curve: .linear)
    try animator.add(.moveBy(PixelOffset(x: 100, y: 0)))

    // A finger holds it: it stands at 30 % of its way.
    try animator.scrub(toFraction: 0.3, atNanoseconds: now)
    // Let go, it springs to its end in half the time of the whole.
    try animator.continue(
      curve: .spring(response: 0.3, damping: 0.8), durationFactor: 0.5, atNanoseconds: now)
    // Or it is taken away: stopped where it is, it ends where it is told to.
    try animator.stop(atNanoseconds: now + 100_000_000)
    try animator.finish(at: .start, atNanoseconds: now + 100_000_000)

    #expect(card.pose == .rest)
    #expect(animator.phase == .inactive)
  }

  @Test func springs() {
    let now: Int64 = 0
    var log: [AnimationPosition] = []
    let spring = SpringAnimator(
      Spring(responseSeconds: 0.5, damping: 0.825), atNanoseconds: now)
    spring.animate(to: Pose(rotationDegrees: 90), atNanoseconds: now) { log.append($0) }
    // Somebody changes their mind: it goes on from where it is, as fast as it is.
    spring.animate(to: .rest, atNanoseconds: now + 200_000_000) { log.append($0) }
    spring.advance(toNanoseconds: now + 5_000_000_000)
    #expect(log == [.current, .end])
    #expect(spring.pose == .rest)
  }

  @Test func streams() {
    let now: Int64 = 0
    let nudge = Animation.move(by: PixelOffset(x: 12, y: 0), duration: 0.1).autoreversed()
    // Ten nudges, two seconds apart.
    let nudges = AnimationStream(nudge.then(.delay(2))).forever().take(10)
    // To and fro, farther each time, until it is far enough.
    let swing = AnimationStream(.move(to: PixelOffset(x: 1, y: 0))).flat { ending in
      let x = -2 * ending.pose.offset.x
      return abs(x) < 100 ? .move(to: PixelOffset(x: x, y: 0)) : nil
    }
    var player = StreamPlayer(
      .concat([nudges, swing.delayed(by: 1)]), atNanoseconds: now)
    player.advance(toNanoseconds: now + 60_000_000_000)
    #expect(player.takeEvents().last == .finished(.end))
    #expect(abs(player.pose.offset.x - 64) < 1e-9)
  }
}
