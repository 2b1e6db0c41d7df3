import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// What can be done with an animator.
private enum Deed: CaseIterable {
  case start, startLater, pause, turnRound, scrub, goOn, goOnOtherwise, stop, finish, end, add,
    addLater

  /// What refuses it, by UIKit's rules; nil: nothing.
  func refusal(_ animator: PropertyAnimator) -> AnimatorError? {
    switch (self, animator.phase) {
    case (.end, _): return nil
    case (.finish, .stopped): return nil
    case (.finish, _): return .isNotStopped
    case (.stop, .inactive): return .isInactive
    case (.stop, _): return nil
    case (_, .stopped): return .isStopped
    case (.scrub, .active), (.goOn, .active), (.goOnOtherwise, .active):
      return animator.isRunning ? .isNotPaused : nil
    case (.goOn, .inactive), (.goOnOtherwise, .inactive): return .isNotPaused
    default: return nil
    }
  }

  /// Whether what is seen may jump by it.
  func mayJump(_ animator: PropertyAnimator) -> Bool {
    // At the ends of its way what takes no time happens at once.
    let fraction = animator.fractionComplete
    if animator.phase == .active, fraction == 0 || fraction == 1 { return true }
    return switch self {
    // They set the place.
    case .scrub, .finish, .end: true
    // Reversed before it began it begins at its end.
    case .start, .startLater, .pause: animator.phase == .inactive && animator.isReversed
    case .turnRound, .goOn, .goOnOtherwise, .stop, .add, .addLater: false
    }
  }
}

@Suite("Animators, at random") struct AnimatorPropertyTests {
  private static let curves: [Curve] = [
    .linear, .easeInOut, .bezier(CubicBezier(x1: 0.3, y1: -0.5, x2: 0.7, y2: 1.6)),
    .spring(response: 0.2, damping: 0.5),
  ]

  private static func perform(
    _ deed: Deed, _ animator: PropertyAnimator, _ random: inout SeededGenerator, _ now: Int64
  ) throws(AnimatorError) {
    let x = Double.random(in: -50...50, using: &random)
    switch deed {
    case .start: try animator.start(atNanoseconds: now)
    case .startLater: try animator.start(afterSeconds: 0.15, atNanoseconds: now)
    case .pause: try animator.pause(atNanoseconds: now)
    case .turnRound: try animator.setReversed(!animator.isReversed, atNanoseconds: now)
    case .scrub: try animator.scrub(toFraction: x.magnitude / 50, atNanoseconds: now)
    case .goOn: try animator.continue(atNanoseconds: now)
    case .goOnOtherwise:
      let curve = curves[Int.random(in: 0..<curves.count, using: &random)]
      try animator.continue(curve: curve, durationFactor: x.magnitude / 25, atNanoseconds: now)
    case .stop: try animator.stop(atNanoseconds: now)
    case .finish:
      let position = AnimationPosition.allCases[Int.random(in: 0..<3, using: &random)]
      try animator.finish(at: position, atNanoseconds: now)
    case .end:
      let position = AnimationPosition.allCases[Int.random(in: 0..<3, using: &random)]
      animator.end(at: position, atNanoseconds: now)
    case .add:
      try animator.add(
        Int.random(in: 0...1, using: &random) == 0 ? .moveBy(px(x)) : .moveTo(px(x)),
        atNanoseconds: now)
    case .addLater:
      try animator.add(
        .move(by: px(x), duration: 0.3).then(.move(to: .zero)), delayFactor: x.magnitude / 50,
        atNanoseconds: now)
    }
  }

  /// Three animators on one pose, a random script for each: what is refused is refused by the rules and
  /// changes nothing; what is done makes no jump; whatever the state, it can be led to its end; each
  /// completion is called once, and the pose stands where it was to go.
  @Test func `10 000 random scripts: each completion once, no jump, no way that ends nowhere`() {
    var random = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      let card = AnimatedPose()
      var calls: [Int] = []
      var expected = 0
      let animators = (0..<3).map { _ in
        let duration = Bool.random(using: &random) ? Double.random(in: 0...1, using: &random) : nil
        let curve = Self.curves.randomElement(using: &random)
        let animator = PropertyAnimator(card, durationSeconds: duration, curve: curve)
        animator.pausesOnCompletion = Int.random(in: 0..<4, using: &random) == 0
        return animator
      }
      var now: Int64 = 0
      for _ in 0..<Int.random(in: 0...15, using: &random) {
        now += Int64.random(in: 0...250_000_000, using: &random)
        card.advance(toNanoseconds: now)
        let animator = animators[Int.random(in: 0..<3, using: &random)]
        let deed = Deed.allCases[Int.random(in: 0..<Deed.allCases.count, using: &random)]
        if Int.random(in: 0..<3, using: &random) == 0 {
          let number = expected
          calls.append(0)
          expected += 1
          animator.addCompletion { _ in calls[number] += 1 }
        }
        let (pose, state, refusal) = (card.pose, animator.state, deed.refusal(animator))
        let mayJump = deed.mayJump(animator)
        var refused: AnimatorError?
        do throws(AnimatorError) {
          try Self.perform(deed, animator, &random, now)
        } catch {
          refused = error
        }
        let isStill = abs(card.pose.offset.x - pose.offset.x) < 1e-9
        guard refused == refusal, refused == nil || animator.state == state, mayJump || isStill
        else {
          Issue.record(
            "\(deed) in \(state): \(String(describing: refused)), \(pose) -> \(card.pose); \(random.note)"
          )
          return
        }
      }
      // Out of any state there is a way to the end.
      for animator in animators {
        animator.pausesOnCompletion = false
        if animator.phase == .stopped {
          try? animator.finish(at: .current, atNanoseconds: now)
        } else if animator.phase == .inactive {
          animator.end(at: .end, atNanoseconds: now)
        } else {
          try? animator.start(atNanoseconds: now)
        }
      }
      while let next = card.nextEventNanoseconds { card.advance(toNanoseconds: next) }
      guard card.activeCount == 0, card.pose == card.target, calls.allSatisfy({ $0 == 1 }) else {
        Issue.record("\(card.activeCount) active, \(calls); \(random.note)")
        return
      }
    }
  }

  /// The pose between two ticks moves as fast as it says: velocity against finite differences.
  @Test func `velocity is the change a second, through turns and other curves`() throws {
    var random = SeededGenerator.forTest()
    let smooth: [Curve] = [.linear, .easeInOut, .spring(response: 0.2, damping: 0.5)]
    for _ in 0..<500 {
      let card = AnimatedPose()
      let animator = PropertyAnimator(
        card, durationSeconds: 1, curve: smooth.randomElement(using: &random))
      try animator.add(.moveBy(px(30)))
      try animator.add(.moveTo(px(-20)), delayFactor: 0.3)
      try animator.add(.rotate(by: 90).then(.rotate(by: -45)))
      try animator.start(atNanoseconds: 0)
      var now: Int64 = 0
      for _ in 0..<5 {
        now += Int64.random(in: 1_000_000...150_000_000, using: &random)
        if Bool.random(using: &random) {
          try animator.setReversed(!animator.isReversed, atNanoseconds: now)
        } else {
          try animator.pause(atNanoseconds: now)
          try animator.continue(
            curve: smooth.randomElement(using: &random), durationFactor: 0.8, atNanoseconds: now)
        }
        guard animator.phase == .active else { break }
        let small: Int64 = 1000
        now += 50_000_000
        card.advance(toNanoseconds: now - small)
        let before = card.pose
        card.advance(toNanoseconds: now)
        let velocity = card.velocity
        card.advance(toNanoseconds: now + small)
        guard animator.phase == .active else { break }
        let slope = (card.pose - before) * (1 / (2 * Double(small) * 1e-9))
        now += small
        for channel in [PoseChannel.x, .rotation] {
          // A curve has corners where something begins: within 1 us of one the difference is a mean.
          let isClose =
            abs(slope[channel] - velocity[channel]) < 0.05 + 1e-3 * abs(velocity[channel])
          guard isClose else {
            Issue.record(
              "\(channel): \(slope[channel]), not \(velocity[channel]), \(animator.state); \(random.note)"
            )
            return
          }
        }
      }
    }
  }

  @Test func `its own completion may begin it again, even in no time, without an end`() throws {
    let card = AnimatedPose()
    let animator = PropertyAnimator(card)
    var calls = 0
    func again(_ position: AnimationPosition) {
      calls += 1
      animator.addCompletion(again)
      try? animator.start(atNanoseconds: card.nowNanoseconds)
    }
    animator.addCompletion(again)
    try animator.start(atNanoseconds: 0)
    for tick in 1...3 { card.advance(toNanoseconds: Int64(tick)) }
    #expect((4...10_000).contains(calls))
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, -1, 0, 1e300, .leastNonzeroMagnitude,
  ])
  func `strange numbers neither trap nor stay for ever`(number: Double) throws {
    let card = AnimatedPose()
    let animator = PropertyAnimator(card, durationSeconds: number)
    var told = 0
    animator.addCompletion { _ in told += 1 }
    try animator.add(.moveBy(px(4)), delayFactor: number)
    try animator.pause(atNanoseconds: .min)
    try? animator.scrub(toFraction: number, atNanoseconds: 0)
    try? animator.continue(durationFactor: number, atNanoseconds: 0)
    try animator.pause(atNanoseconds: 5)
    try animator.start(afterSeconds: number, atNanoseconds: 10)
    card.advance(toNanoseconds: .max)
    #expect(card.pose.offset.x.isFinite)
    animator.end(at: .end, atNanoseconds: .max)
    #expect(told >= 1)
    #expect(card.pose.offset.x == 4)
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func `a frame allocates nothing`() throws {
    let card = AnimatedPose()
    for number in 0..<10 {
      let animator = PropertyAnimator(card, durationSeconds: 1000, curve: .easeInOut)
      try animator.add(.moveBy(px(Double(number))), .fadeTo(0.5))
      try animator.add(right(3).repeated(9))
      try animator.start(atNanoseconds: 0)
    }
    card.advance(toNanoseconds: 0)
    var now: Int64 = 0
    let count = AllocationCount.during {
      for _ in 0..<1000 {
        now += 16_666_667
        card.advance(toNanoseconds: now)
        if !(card.pose + card.velocity).offset.x.isFinite { return }
      }
    }
    #expect(count == 0)
    #expect(card.pose.offset.x > 0)
  }
}
