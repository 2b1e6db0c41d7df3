// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// Golden/animation/interrupt_ease.csv: 0 to 1 by ease-in-out in 0.5 s, interrupted at 0.2 s.
@Suite("Interrupted animators") struct AnimatorGoldenTests {
  private let card = AnimatedPose()

  private func animator(to x: Double) throws -> PropertyAnimator {
    let animator = PropertyAnimator(card, durationSeconds: 0.5, curve: .easeInOut)
    try animator.add(.moveTo(px(x)))
    return animator
  }

  /// Compares a column in every row.
  ///
  /// - Parameter interrupt: Called at 0.2 s.
  private func compare(
    _ column: String, _ interrupt: (PropertyAnimator, MotionInstant) throws -> Void
  ) throws {
    let table = try NamedTable("interrupt_ease", rows: 37)
    let animator = try animator(to: 1)
    try animator.start(at: 0)
    for row in table.rows {
      let now = instant(try row["t"])
      if try row["tick"] == 6 { try interrupt(animator, now) }
      card.advance(to: now)
      #expect(try abs(card.pose.offset.x - row[column]) < 1e-8, "\(row)")
    }
    #expect(card.activeCount == 0)
    #expect(card.pose == .rest)
  }

  @Test func reversedAnimatorRetracesItsPath() throws {
    var endings: [AnimationPosition] = []
    try compare("reversed_uvpa") { animator, now in
      animator.addCompletion { endings.append($0) }
      try animator.setReversed(true, at: now)
    }
    #expect(endings == [.start])
  }

  @Test func opposingAnimatorsAddUp() throws {
    try compare("additive_ios8") { _, now in try animator(to: 0).start(at: now) }
  }

  /// The first column is possible too.
  @Test func endedAnimatorIsReplaced() throws {
    try compare("naive_begin_from_current") { animator, now in
      animator.end(at: .current, at: now)
      try self.animator(to: 0).start(at: now)
    }
  }
}
