// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import Testing

@testable import ParallaxAnimation

/// Completions when a motion is logically complete, and when it is over.
@Suite("Completion criteria") struct CompletionCriteriaTests {
  private static let spring = Spring(response: .seconds(0.5), damping: 0.5)

  /// Adds a completion of each kind; `L` is the logical one, `R` the other.
  private final class Log {
    var text = ""
    func add(to animator: SpringAnimator<Double>) {
      animator.addCompletion(.removed) { self.text += "R \($0) " }
      animator.addCompletion(.logicallyComplete) { self.text += "L \($0) " }
    }
    func add(to animator: PropertyAnimator) {
      animator.addCompletion(.removed) { self.text += "R \($0) " }
      animator.addCompletion(.logicallyComplete) { self.text += "L \($0) " }
    }
  }

  @Test func aSpringIsLogicallyCompleteAfterItsResponse() {
    let (log, animator) = (Log(), SpringAnimator(Self.spring, value: 0.0, at: 0))
    animator.animate(to: 100, at: instant(1))
    log.add(to: animator)
    #expect(animator.nextEvent == instant(1.5))
    animator.advance(to: instant(1.4))
    #expect(log.text == "")
    animator.advance(to: instant(1.5))
    #expect(log.text == "L end " && animator.isMoving)
    animator.advance(to: instant(60))
    #expect(log.text == "L end R end " && animator.value == 100)
  }

  /// In one step past both, they are called in the order of time.
  @Test func bothInOneStep() {
    let (log, animator) = (Log(), SpringAnimator(Self.spring, value: 0.0, at: 0))
    log.add(to: animator)  // At rest: of the next motion.
    animator.animate(to: 100, at: instant(1))
    #expect(log.text == "")
    animator.advance(to: instant(60))
    #expect(log.text == "L end R end ")
  }

  @Test func anotherTargetReplacesWhatHasNotBeenCalled() {
    let (log, animator) = (Log(), SpringAnimator(Self.spring, value: 0.0, at: 0))
    animator.animate(to: 100, at: 0)
    log.add(to: animator)
    animator.advance(to: instant(0.6))
    animator.animate(to: 0, at: instant(0.7))
    #expect(log.text == "L end R current ")
    log.text = ""
    log.add(to: animator)
    animator.stop(at: .start, at: instant(0.8))
    #expect(log.text == "R start L start ")
  }

  /// A completion for the logical end may set the next target.
  @Test func theNextTargetMayComeFromACompletion() {
    let animator = SpringAnimator(Self.spring, value: 0.0, at: 0)
    animator.animate(to: 100, at: 0)
    animator.addCompletion(.logicallyComplete) { _ in animator.animate(to: 7, at: instant(60)) }
    animator.advance(to: instant(60))
    #expect(animator.target == 7 && animator.isMoving)
    animator.advance(to: instant(120))
    #expect(animator.value == 7 && !animator.isMoving)
  }

  /// Contents of a property animator, and when it is logically complete and at its end.
  @Test(
    arguments: [
      ("a curve ends once", nil, Animation.fade(to: 0, duration: .seconds(2)), 2.0, 2.0),
      ("a spring of a step", nil, .fade(to: 0, duration: .seconds(2), curve: .snappy), 0.5, 2),
      (
        "the last step counts", nil,
        .fade(to: 0, duration: .seconds(2), curve: .snappy)
          .then(.rotate(by: 90, duration: .seconds(2), curve: .snappy)), 2.5, 4
      ),
      (
        "the latest part counts", nil,
        .fade(to: 0, duration: .seconds(2), curve: .snappy)
          .with(.rotate(by: 90, duration: .seconds(1))), 1, 2
      ),
      (
        "passes and speed", nil,
        .fade(to: 0, duration: .seconds(2), curve: .snappy).repeated(3).speed(2), 2.25, 3
      ),
      ("the animator's spring", Curve.snappy, .fade(to: 0, duration: .seconds(2)), 0.5, 2),
    ] as [(String, Curve?, Animation, Double, Double)])
  func aPropertyAnimatorIsLogicallyComplete(
    _ name: String, curve: Curve?, animation: Animation, logical: Double, end: Double
  ) throws {
    let (log, pose) = (Log(), AnimatedPose())
    let animator = PropertyAnimator(pose, curve: curve)
    try animator.add(animation)
    log.add(to: animator)
    try animator.start(after: .seconds(1), at: 0)
    pose.advance(to: instant(1))
    #expect(pose.nextEvent == instant(1 + logical), "\(name)")
    pose.advance(to: instant(1 + logical) - .nanoseconds(1))
    #expect(log.text == "")
    pose.advance(to: instant(1 + logical))
    #expect(log.text == (logical < end ? "L end " : "L end R end "))
    pose.advance(to: instant(1 + end))
    #expect(log.text == "L end R end " && pose.nextEvent == nil)
  }

  /// Reversed, it is over at its start only. Continued with a spring, it is over after the response.
  @Test func reversedAndContinued() throws {
    let (log, pose) = (Log(), AnimatedPose())
    let animator = PropertyAnimator(pose, duration: .seconds(2), curve: .snappy)
    try animator.add(.fadeTo(0))
    log.add(to: animator)
    try animator.start(at: 0)
    try animator.setReversed(true, at: instant(0.4))
    pose.advance(to: instant(0.8))
    #expect(log.text == "R start L start ")

    log.text = ""
    try animator.add(.fadeTo(0))
    log.add(to: animator)
    try animator.scrub(toFraction: 0.5, at: instant(1))
    try animator.continue(curve: .spring(response: .seconds(0.25), damping: 1), at: instant(1))
    #expect(pose.nextEvent == instant(1.25))
    pose.advance(to: instant(1.25))
    #expect(log.text == "L end ")
    // Added when it is logically complete already: called with the next frame.
    animator.addCompletion(.logicallyComplete) { log.text += "late \($0) " }
    pose.advance(to: instant(1.3))
    #expect(log.text == "L end late end ")
    pose.advance(to: instant(2))
    #expect(log.text == "L end late end R end ")
  }
}
