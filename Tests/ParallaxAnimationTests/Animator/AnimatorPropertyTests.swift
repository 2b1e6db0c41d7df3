// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// An operation on an animator.
private enum Operation: CaseIterable {
  case start, startLater, pause, reverse, scrub, resume, continueWithCurve, stop, finish, end, add,
    addLater

  /// Returns the error of the operation by UIKit's rules; nil if it is allowed.
  func expectedError(_ animator: PropertyAnimator) -> AnimatorError? {
    switch (self, animator.phase) {
    case (.end, _): return nil
    case (.finish, .stopped): return nil
    case (.finish, _): return .isNotStopped
    case (.stop, .inactive): return .isInactive
    case (.stop, _): return nil
    case (_, .stopped): return .isStopped
    case (.scrub, .active), (.resume, .active), (.continueWithCurve, .active):
      return animator.isRunning ? .isNotPaused : nil
    case (.resume, .inactive), (.continueWithCurve, .inactive): return .isNotPaused
    default: return nil
    }
  }

  /// Returns whether the pose may jump.
  func mayJump(_ animator: PropertyAnimator) -> Bool {
    // Animations without a duration happen at once, at the ends of its path.
    let fraction = animator.fractionComplete
    if animator.phase == .active, fraction == 0 || fraction == 1 { return true }
    return switch self {
    // These set the place.
    case .scrub, .finish, .end: true
    // Reversed before its start, it starts at its end.
    case .start, .startLater, .pause: animator.phase == .inactive && animator.isReversed
    case .reverse, .resume, .continueWithCurve, .stop, .add, .addLater: false
    }
  }
}

@Suite("Random operations on animators") struct AnimatorPropertyTests {
  private static let curves: [Curve] = [
    .linear, .easeInOut, .bezier(CubicBezier(x1: 0.3, y1: -0.5, x2: 0.7, y2: 1.6)),
    .spring(response: .seconds(0.2), damping: 0.5),
  ]

  private static func perform(
    _ operation: Operation, _ animator: PropertyAnimator, _ random: inout SeededGenerator,
    _ now: MotionInstant
  ) throws(AnimatorError) {
    let x = Double.random(in: -50...50, using: &random)
    switch operation {
    case .start: try animator.start(at: now)
    case .startLater: try animator.start(after: .seconds(0.15), at: now)
    case .pause: try animator.pause(at: now)
    case .reverse: try animator.setReversed(!animator.isReversed, at: now)
    case .scrub: try animator.scrub(toFraction: x.magnitude / 50, at: now)
    case .resume: try animator.continue(at: now)
    case .continueWithCurve:
      let curve = curves[Int.random(in: 0..<curves.count, using: &random)]
      try animator.continue(curve: curve, durationFactor: x.magnitude / 25, at: now)
    case .stop: try animator.stop(at: now)
    case .finish:
      let position = AnimationPosition.allCases[Int.random(in: 0..<3, using: &random)]
      try animator.finish(at: position, at: now)
    case .end:
      let position = AnimationPosition.allCases[Int.random(in: 0..<3, using: &random)]
      animator.end(at: position, at: now)
    case .add:
      try animator.add(
        Int.random(in: 0...1, using: &random) == 0 ? .moveBy(px(x)) : .moveTo(px(x)),
        at: now)
    case .addLater:
      try animator.add(
        .move(by: px(x), duration: .seconds(0.3)).then(.move(to: .zero)),
        delayFactor: x.magnitude / 50,
        at: now)
    }
  }

  /// Three animators on one pose, with random operations. Errors follow the rules and change
  /// nothing; operations do not make the pose jump; every state can reach the end; each completion
  /// is called once; and the pose reaches its target.
  @Test func operationsFollowTheRules() {
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
      var now: MotionInstant = 0
      for _ in 0..<Int.random(in: 0...15, using: &random) {
        now += .nanoseconds(.random(in: 0...250_000_000, using: &random))
        card.advance(to: now)
        let animator = animators[Int.random(in: 0..<3, using: &random)]
        let operation = Operation.allCases[
          Int.random(in: 0..<Operation.allCases.count, using: &random)]
        if Int.random(in: 0..<3, using: &random) == 0 {
          let number = expected
          calls.append(0)
          expected += 1
          animator.addCompletion { _ in calls[number] += 1 }
        }
        let (pose, state, expectedError) = (
          card.pose, animator.state, operation.expectedError(animator)
        )
        let mayJump = operation.mayJump(animator)
        var thrown: AnimatorError?
        do throws(AnimatorError) {
          try Self.perform(operation, animator, &random, now)
        } catch {
          thrown = error
        }
        let isSteady = abs(card.pose.offset.x - pose.offset.x) < 1e-9
        guard thrown == expectedError, thrown == nil || animator.state == state, mayJump || isSteady
        else {
          Issue.record(
            "\(operation) in \(state): \(String(describing: thrown)), \(pose) -> \(card.pose); \(random.note)"
          )
          return
        }
      }
      // The end is reachable from any state.
      for animator in animators {
        animator.pausesOnCompletion = false
        if animator.phase == .stopped {
          try? animator.finish(at: .current, at: now)
        } else if animator.phase == .inactive {
          animator.end(at: .end, at: now)
        } else {
          try? animator.start(at: now)
        }
      }
      while let next = card.nextEvent { card.advance(to: next) }
      guard card.activeCount == 0, card.pose == card.target, calls.allSatisfy({ $0 == 1 }) else {
        Issue.record("\(card.activeCount) active, \(calls); \(random.note)")
        return
      }
    }
  }

  /// The velocity equals finite differences.
  @Test func velocityIsTheSlopeOfThePose() throws {
    var random = SeededGenerator.forTest()
    let smooth: [Curve] = [.linear, .easeInOut, .spring(response: .seconds(0.2), damping: 0.5)]
    for _ in 0..<500 {
      let card = AnimatedPose()
      let animator = PropertyAnimator(
        card, durationSeconds: 1, curve: smooth.randomElement(using: &random))
      try animator.add(.moveBy(px(30)))
      try animator.add(.moveTo(px(-20)), delayFactor: 0.3)
      try animator.add(.rotate(by: 90).then(.rotate(by: -45)))
      try animator.start(at: 0)
      var now: MotionInstant = 0
      for _ in 0..<5 {
        now += .nanoseconds(.random(in: 1_000_000...150_000_000, using: &random))
        if Bool.random(using: &random) {
          try animator.setReversed(!animator.isReversed, at: now)
        } else {
          try animator.pause(at: now)
          try animator.continue(
            curve: smooth.randomElement(using: &random), durationFactor: 0.8, at: now)
        }
        guard animator.phase == .active else { break }
        let small = MotionDuration.microseconds(1)
        now += 50_000_000
        card.advance(to: now - small)
        let before = card.pose
        card.advance(to: now)
        let velocity = card.velocity
        let pose = card.pose
        card.advance(to: now + small)
        guard animator.phase == .active else { break }
        let slopeBefore = (pose - before) * (1 / small.seconds)
        let slopeAfter = (card.pose - pose) * (1 / small.seconds)
        now += small
        for channel in [PoseChannel.x, .rotation] {
          // A curve may have a corner, where an animation begins or a part follows another. Within
          // 1 us of one, only the slope on one side is the velocity; elsewhere their mean is.
          let slopes = [
            (slopeBefore[channel] + slopeAfter[channel]) / 2, slopeBefore[channel],
            slopeAfter[channel],
          ]
          let isClose = slopes.contains {
            abs($0 - velocity[channel]) < 0.05 + 1e-3 * abs(velocity[channel])
          }
          guard isClose else {
            Issue.record(
              "\(channel): \(slopes), not \(velocity[channel]), \(animator.state); \(random.note)"
            )
            return
          }
        }
      }
    }
  }

  @Test func completionMayRestartItForever() throws {
    let card = AnimatedPose()
    let animator = PropertyAnimator(card)
    var calls = 0
    func again(_ position: AnimationPosition) {
      calls += 1
      animator.addCompletion(again)
      try? animator.start(at: card.now)
    }
    animator.addCompletion(again)
    try animator.start(at: 0)
    for tick in 1...3 { card.advance(to: MotionInstant(nanoseconds: Int64(tick))) }
    #expect((4...10_000).contains(calls))
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, -1, 0, 1e300, .leastNonzeroMagnitude,
  ])
  func extremeNumbersAreSafe(number: Double) throws {
    let card = AnimatedPose()
    let animator = PropertyAnimator(card, durationSeconds: number)
    var calls = 0
    animator.addCompletion { _ in calls += 1 }
    try animator.add(.moveBy(px(4)), delayFactor: number)
    try animator.pause(at: .distantPast)
    try? animator.scrub(toFraction: number, at: 0)
    try? animator.continue(durationFactor: number, at: 0)
    try animator.pause(at: 5)
    try animator.start(after: Duration(clampingSeconds: number), at: 10)
    card.advance(to: .distantFuture)
    #expect(card.pose.offset.x.isFinite)
    animator.end(at: .end, at: .distantFuture)
    #expect(calls >= 1)
    #expect(card.pose.offset.x == 4)
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func framesDoNotAllocate() throws {
    let card = AnimatedPose()
    for number in 0..<10 {
      let animator = PropertyAnimator(card, durationSeconds: 1000, curve: .easeInOut)
      try animator.add(.moveBy(px(Double(number))), .fadeTo(0.5))
      try animator.add(right(3).repeated(9))
      try animator.start(at: 0)
    }
    var now: MotionInstant = 0
    func run() {
      for _ in 0..<1000 {
        now += 16_666_667
        card.advance(to: now)
        if !(card.pose + card.velocity).offset.x.isFinite { return }
      }
    }
    // The runtime allocates on the first frames.
    run()
    #expect(AllocationCount.during(run) == 0)
    #expect(card.pose.offset.x > 0)
  }
}
