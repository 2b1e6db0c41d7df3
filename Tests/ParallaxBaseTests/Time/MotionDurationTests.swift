// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct MotionDurationTests {
  @Test func unitsAgree() {
    #expect(MotionDuration.seconds(2) == .milliseconds(2_000))
    #expect(MotionDuration.milliseconds(-3) == .microseconds(-3_000))
    #expect(MotionDuration.microseconds(4) == .nanoseconds(4_000))
    #expect(MotionDuration.zero == .nanoseconds(0))
  }

  @Test(
    arguments: [
      (0, 0), (1, 1_000_000_000), (-1.5, -1_500_000_000), (0.1, 100_000_000),
      // Half a nanosecond, exactly: away from zero.
      (0x1p-31, 0), (1.5e-9, 2), (-1.5e-9, -2), (0.4e-9, 0), (-0.4e-9, 0),
    ] as [(Double, Int64)])
  func secondsAreRoundedToTheNanosecond(seconds: Double, nanoseconds: Int64) {
    #expect(MotionDuration(seconds: seconds).nanoseconds == nanoseconds)
  }

  @Test func secondsReadBackWithinTheirPrecision() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      // Below 13 days the two roundings are less than half a nanosecond.
      let count = Int64.random(in: -(1 << 50)...(1 << 50), using: &generator)
      let duration = MotionDuration(nanoseconds: count)
      #expect(MotionDuration(seconds: duration.seconds) == duration, "\(generator.note)")
    }
  }

  @Test(
    arguments: [
      (.zero, 0), (.nanoseconds(7), 7), (.seconds(-2), -2_000_000_000),
      (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.min), .min),
      // Attoseconds are cut off, toward zero.
      (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
      (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
      (Duration.nanoseconds(Int64.max) + .nanoseconds(1), .max),
      (Duration.nanoseconds(Int64.min) - .nanoseconds(1), .min),
      (.seconds(1e12), .max), (.seconds(-1e12), .min),
      (Duration(secondsComponent: .max, attosecondsComponent: 0), .max),
      (Duration(secondsComponent: .min, attosecondsComponent: 0), .min),
    ] as [(Duration, Int64)])
  func theStandardLibrarysDurationsSaturate(duration: Duration, nanoseconds: Int64) {
    #expect(MotionDuration(duration).nanoseconds == nanoseconds)
  }

  @Test func arithmeticAgreesWithIntegers() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      let first = Int64.random(in: -(1 << 40)...(1 << 40), using: &generator)
      let second = Int64.random(in: 1...(1 << 20), using: &generator)
      let (a, b) = (MotionDuration(nanoseconds: first), MotionDuration(nanoseconds: second))
      #expect((a + b).nanoseconds == first + second, "\(generator.note)")
      #expect((a - b).nanoseconds == first - second, "\(generator.note)")
      #expect((a * second).nanoseconds == first * second, "\(generator.note)")
      #expect(second * a == a * second)
      #expect((a / second).nanoseconds == first / second, "\(generator.note)")
      #expect(a / b == Double(first) / Double(second), "\(generator.note)")
      #expect((-a).nanoseconds == -first)
      #expect(a.magnitude.nanoseconds == abs(first), "\(generator.note)")
      #expect((a < b) == (first < second))
      var sum = a
      sum += b
      sum -= a
      #expect(sum == b, "\(generator.note)")
    }
  }
}
