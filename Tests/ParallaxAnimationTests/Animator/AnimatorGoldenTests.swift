import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

/// animations/golden/interrupt_ease.csv: 0 to 1 by ease-in-out in 0.5 s, interrupted at 0.2 s.
@Suite("An interrupted animator") struct AnimatorGoldenTests {
  private let card = AnimatedPose()

  private func animator(to x: Double) throws -> PropertyAnimator {
    let animator = PropertyAnimator(card, durationSeconds: 0.5, curve: .easeInOut)
    try animator.add(.moveTo(px(x)))
    return animator
  }

  /// Compares a column in every row.
  ///
  /// - Parameter interrupt: called at 0.2 s.
  private func compare(
    _ column: String, _ interrupt: (PropertyAnimator, Int64) throws -> Void
  ) throws {
    let table = try NamedTable("interrupt_ease", rows: 37)
    let animator = try animator(to: 1)
    try animator.start(atNanoseconds: 0)
    for row in table.rows {
      let now = Int64((try row["t"] * 1e9).rounded())
      if try row["tick"] == 6 { try interrupt(animator, now) }
      card.advance(toNanoseconds: now)
      #expect(try abs(card.pose.offset.x - row[column]) < 1e-8, "\(row)")
    }
    #expect(card.activeCount == 0)
    #expect(card.pose == .rest)
  }

  @Test(.needsShared) func `turned round it goes the same way back: reversed_uvpa`() throws {
    var told: [AnimationPosition] = []
    try compare("reversed_uvpa") { animator, now in
      animator.addCompletion { told.append($0) }
      try animator.setReversed(true, atNanoseconds: now)
    }
    #expect(told == [.start])
  }

  @Test(.needsShared) func `met by an animator back, both add: additive_ios8`() throws {
    try compare("additive_ios8") { _, now in try animator(to: 0).start(atNanoseconds: now) }
  }

  /// The first column can be said too.
  @Test(.needsShared) func `cut where it is, and back from there: naive`() throws {
    try compare("naive_begin_from_current") { animator, now in
      animator.end(at: .current, atNanoseconds: now)
      try self.animator(to: 0).start(atNanoseconds: now)
    }
  }
}
