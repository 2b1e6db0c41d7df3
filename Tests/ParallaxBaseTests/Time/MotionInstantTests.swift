// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct MotionInstantTests {
  @Test func differencesAndSumsAreInverse() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      // Every difference of two admissible instants fits.
      let bound = MotionInstant.maxAdmissible.nanoseconds
      let first = MotionInstant(nanoseconds: .random(in: -bound...bound, using: &generator))
      let second = MotionInstant(nanoseconds: .random(in: -bound...bound, using: &generator))
      #expect(first.isAdmissible && second.isAdmissible)
      let difference = second - first
      #expect(first + difference == second, "\(generator.note)")
      #expect(second - difference == first, "\(generator.note)")
      #expect((first < second) == (difference > .zero), "\(generator.note)")
      #expect(first.addingSaturated(difference) == second, "\(generator.note)")
      var moved = first
      moved += difference
      #expect(moved == second)
      moved -= difference
      #expect(moved == first)
    }
  }

  @Test(
    arguments: [
      (0, true), (1 << 61, true), (-(1 << 61), true), ((1 << 61) + 1, false),
      (-(1 << 61) - 1, false),
      (.min, false), (.max, false),
    ] as [(Int64, Bool)])
  func instantsFarFromZeroAreNotAdmissible(nanoseconds: Int64, isAdmissible: Bool) {
    #expect(MotionInstant(nanoseconds: nanoseconds).isAdmissible == isAdmissible)
  }

  @Test(
    arguments: [
      (0, 0), (1, 1_000), (-1, -1_000), (9_223_372_036_854_775, 9_223_372_036_854_775_000),
      (9_223_372_036_854_776, .max), (-9_223_372_036_854_776, .min), (.max, .max), (.min, .min),
    ] as [(Int64, Int64)])
  func microsecondsSaturate(microseconds: Int64, nanoseconds: Int64) {
    #expect(MotionInstant(microseconds: microseconds).nanoseconds == nanoseconds)
  }

  @Test(
    arguments: [
      (.distantPast, 1, MotionInstant(nanoseconds: .min + 1)),
      (.distantPast, -1, .distantPast), (.distantFuture, 1, .distantFuture),
      (.distantFuture, -1, MotionInstant(nanoseconds: .max - 1)),
      (1, .nanoseconds(.max), .distantFuture), (-2, .nanoseconds(.min), .distantPast),
      (0, .nanoseconds(.max), .distantFuture), (0, .nanoseconds(.min), .distantPast),
    ] as [(MotionInstant, MotionDuration, MotionInstant)])
  func saturatedSumsStayAtTheEndsOfTheClock(
    instant: MotionInstant, duration: MotionDuration, sum: MotionInstant
  ) {
    #expect(instant.addingSaturated(duration) == sum)
    #expect(instant.advanced(by: .nanoseconds(duration.nanoseconds)) == sum)
  }

  @Test func theStandardLibrarysDistancesAreExact() {
    #expect(MotionInstant.zero.duration(to: 5) == .nanoseconds(5))
    #expect(MotionInstant(nanoseconds: 5).duration(to: .zero) == .nanoseconds(-5))
    // Farther apart than an Int64 of nanoseconds.
    #expect(
      MotionInstant.distantPast.duration(to: .distantFuture)
        == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
    #expect(MotionInstant.zero.advanced(by: .seconds(1e12)) == .distantFuture)
    #expect(MotionInstant.zero.advanced(by: .seconds(-1e12)) == .distantPast)
  }

  @Test func theEarlierOfTwoInstantsOfWhichEitherMayBeMissing() {
    #expect(MotionInstant.earlier(1, 2) == 1)
    #expect(MotionInstant.earlier(2, 1) == 1)
    #expect(MotionInstant.earlier(nil, 2) == 2)
    #expect(MotionInstant.earlier(2, nil) == 2)
    #expect(MotionInstant.earlier(nil, nil) == nil)
  }

  @Test func instantsAreOrdered() {
    let ordered: [MotionInstant] = [.distantPast, -1, .zero, 1, .maxAdmissible, .distantFuture]
    #expect(ordered.shuffled().sorted() == ordered)
    #expect(MotionInstant(nanoseconds: 1_500_000_000).seconds == 1.5)
  }
}
