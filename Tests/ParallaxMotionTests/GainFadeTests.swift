import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

@Suite struct GainFadeTests {
  @Test func closingEndsAtExactlyZeroWithinTheFade() {
    var fade = GainFade(gain: 1, fadeSeconds: 0.3)
    fade.aim(at: 0, atNanoseconds: 1_000_000_000)
    #expect(fade.gain(atNanoseconds: 1_000_000_000) == 1)
    #expect((fade.gain(atNanoseconds: 1_150_000_000) - 0.5).magnitude < 1e-12)
    #expect(fade.gain(atNanoseconds: 1_299_000_000) > 0)
    #expect(fade.isMoving)
    #expect(fade.gain(atNanoseconds: 1_300_000_000) == 0)
    #expect(!fade.isMoving)
  }

  @Test func aFadeOfNoTimeIsDoneAtOnce() {
    var fade = GainFade(gain: 0, fadeSeconds: 0)
    fade.aim(at: 1, atNanoseconds: 5)
    #expect(fade.gain(atNanoseconds: 5) == 1)
  }

  /// The column `reversed_uvpa` of the shared tables: 0 to 1 over 0.5 s, turned round at 0.2 s.
  @Test(.needsShared) func turnsRoundAsAReversedPropertyAnimatorDoes() throws {
    let table = try text(ofFile: sharedPath("animations/golden/interrupt_ease.csv"))
    let rows = table.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",").compactMap { Double(String($0)) }
    }
    var fade = GainFade(gain: 0, fadeSeconds: 0.5)
    fade.aim(at: 1, atNanoseconds: 0)
    var hasTurned = false
    for row in rows {
      let now = Int64((row[1] * 1e9).rounded())
      let gain = fade.gain(atNanoseconds: now)
      #expect((gain - row[4]).magnitude < 1e-6, "at \(row[1]) s")
      if !hasTurned, now >= 200_000_000 {
        fade.aim(at: 0, atNanoseconds: 200_000_000)
        hasTurned = true
      }
    }
    #expect(rows.count > 20)
  }

  /// Flipped at random instants between random stops: continuous, monotone on each way, within the
  /// stops, and exactly on the stop a fade after the last flip.
  @Test func randomFlipsNeverJump() {
    var generator = SeededGenerator.forTest()
    var fade = GainFade(gain: 1, fadeSeconds: 0.3)
    var now: Int64 = 0
    var last = 1.0
    let stops = [0, 0.25, 1]
    // The steepest slope of ease-in-out is 1.72 of its span.
    let steepestPerSecond = 1.73 / 0.3
    for _ in 0..<100_000 {
      if Int.random(in: 0..<6, using: &generator) == 0 {
        fade.aim(at: stops.randomElement(using: &generator) ?? 0, atNanoseconds: now)
        let same = fade.gain(atNanoseconds: now)
        if (same - last).magnitude > 1e-12 { Issue.record("a jump; \(generator.note)") }
      }
      let dt = Int64.random(in: 1...50_000_000, using: &generator)
      now += dt
      let gain = fade.gain(atNanoseconds: now)
      let risesToTarget = fade.target >= last
      let monotone = risesToTarget ? gain >= last : gain <= last
      let steady = (gain - last).magnitude <= steepestPerSecond * Double(dt) * 1e-9 + 1e-12
      if !monotone || !steady || !(0...1).contains(gain) {
        Issue.record("\(last) -> \(gain) in \(dt) ns to \(fade.target); \(generator.note)")
      }
      last = gain
    }
    now += 300_000_000
    #expect(fade.gain(atNanoseconds: now) == fade.target)
  }

  /// |x| <= gain * max(|lo|, hi) at every frame while the gate closes over real motion.
  @Test func theOffsetStaysUnderTheGain() {
    var generator = SeededGenerator.forTest()
    let range = PixelRange.standard
    var fade = GainFade(gain: 1, fadeSeconds: 0.3)
    var now: Int64 = 0
    for _ in 0..<100_000 {
      now += .random(in: 1...40_000_000, using: &generator)
      if Int.random(in: 0..<10, using: &generator) == 0 {
        fade.aim(at: fade.target == 0 ? 1 : 0, atNanoseconds: now)
      }
      let gain = fade.gain(atNanoseconds: now)
      let offset = range.clamp(.random(in: -20...20, using: &generator)) * gain
      if offset.magnitude > gain * range.reach { Issue.record("\(offset); \(generator.note)") }
      if gain == 0 && offset != 0 { Issue.record("not silent; \(generator.note)") }
    }
  }
}

@Suite struct CubicBezierTests {
  /// The shared table of 13 curves in 50-digit arithmetic.
  @Test(.needsShared) func matchesTheTable() throws {
    let table = try text(ofFile: sharedPath("animations/golden/easing_cubic_bezier.csv"))
    let lines = table.split(whereSeparator: \.isNewline)
    let header = lines[0].split(separator: ",").map(String.init)
    let columns = ["x1", "y1", "x2", "y2"].compactMap { header.firstIndex(of: $0) }
    try #require(columns.count == 4, "columns: \(header)")
    let x = try #require(header.firstIndex { ["x", "t", "progress", "input"].contains($0) })
    let y = try #require(header.firstIndex { ["y", "value", "output"].contains($0) })
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let number = { (index: Int) in Double(String(cells[index])) ?? .nan }
      let curve = CubicBezier(
        x1: number(columns[0]), y1: number(columns[1]), x2: number(columns[2]),
        y2: number(columns[3]))
      #expect((curve.value(at: number(x)) - number(y)).magnitude < 1e-9, "\(line)")
    }
  }
}
