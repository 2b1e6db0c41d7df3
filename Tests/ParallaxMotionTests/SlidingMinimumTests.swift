import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

@Suite struct SlidingMinimumTests {
  @Test(arguments: [1, 7, 50] as [Int64])
  func isTheSmallestOfTheSpanButForCandidatesCloserThanTheSpacing(spacing: Int64) {
    var generator = SeededGenerator.forTest()
    var minimum = SlidingMinimum(spanNanoseconds: 100, spacingNanoseconds: spacing)
    var all: [(time: Int64, value: Int64)] = []
    var time: Int64 = -500
    for _ in 0..<5000 {
      let isPause = Int.random(in: 0..<50, using: &generator) == 0
      time += .random(in: 1...(isPause ? 300 : 8), using: &generator)
      all.append((time, .random(in: -1000...1000, using: &generator)))
      let found = minimum.add(all[all.count - 1].value, at: time)
      let whole = all.suffix(101).filter { $0.time >= time - 100 }
      let nearer = whole.filter { $0.time >= time - 100 + spacing - 1 }
      #expect(whole.contains { $0.value == found }, "\(generator.note)")
      #expect(nearer.allSatisfy { $0.value >= found }, "\(generator.note)")
    }
  }

  @Test func forgetsEverythingWhenToldTo() {
    var minimum = SlidingMinimum(spanNanoseconds: 100, spacingNanoseconds: 1)
    #expect(minimum.add(-5, at: 0) == -5)
    #expect(minimum.add(3, at: 100) == -5)
    #expect(minimum.add(3, at: 101) == 3)
    minimum.removeAll()
    #expect(minimum.add(7, at: 102) == 7)
  }
}
