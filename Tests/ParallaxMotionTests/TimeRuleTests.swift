// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

/// Times in ms against verdicts, one letter per sample: S kept at the start of a segment, k kept,
/// r rebased (the clock was set back), d duplicate, b backwards, x out of range.
@Suite struct TimeRuleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var rate = FrameRate.standard
    var milliseconds: [Int64]
    var verdicts: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "rising times are kept", milliseconds: [0, 10, 20], verdicts: "Skk"),
    Case(name: "of equal times the first stays", milliseconds: [0, 10, 10, 20], verdicts: "Skdk"),
    Case(
      name: "a sample that goes back is dropped", milliseconds: [0, 10, 5, 20], verdicts: "Skbk"),
    Case(
      name: "an interval above 0.5 s is a gap", milliseconds: [0, 500, 1001],
      verdicts: "SkS"),
    Case(
      name: "below 4 Hz an interval above two periods is a gap", rate: .hertz(2),
      milliseconds: [0, 1000, 2001],
      verdicts: "SkS"),
    Case(
      name: "native counts as 30 Hz", rate: .native, milliseconds: [0, 500, 1001],
      verdicts: "SkS"),
    Case(
      name: "the eighth rising sample that goes back sets the clock",
      milliseconds: [9000, 1, 2, 3, 4, 5, 6, 7, 8, 9], verdicts: "Sbbbbbbbrk"),
    Case(
      name: "samples that go back must rise among themselves",
      milliseconds: [9000, 1, 2, 3, 4, 2, 3, 4, 5, 6, 7, 8, 9], verdicts: "Sbbbbbbbbbbbr"),
    Case(
      name: "an equal time neither extends the run nor ends it",
      milliseconds: [9000, 1, 2, 2, 3, 4, 5, 6, 7, 8], verdicts: "Sbbbbbbbbr"),
    Case(
      name: "a kept sample ends the run",
      milliseconds: [9000, 1, 2, 3, 4, 9001, 5, 6, 7, 8, 9], verdicts: "Sbbbbkbbbbb"),
    Case(
      name: "a duplicate ends the run",
      milliseconds: [9000, 1, 2, 3, 4, 9000, 5, 6, 7, 8, 9], verdicts: "Sbbbbdbbbbb"),
    Case(
      name: "inadmissible times are out of range",
      milliseconds: [0, Int64.max / 1_000_000, Int64.min / 1_000_000, 10], verdicts: "Sxxk"),
  ]

  @Test(arguments: cases) func verdicts(_ example: Case) {
    var rule = TimeRule(frameRate: example.rate)
    let letters = example.milliseconds.map { letter(rule.admit(.zero + .milliseconds($0))) }
    #expect(String(letters) == example.verdicts)
  }

  private func letter(_ verdict: TimeRule.Verdict) -> Character {
    switch verdict {
    case .kept(_, startsSegment: true): "S"
    case .kept(_, startsSegment: false): "k"
    case .rebased: "r"
    case .duplicate: "d"
    case .backwards: "b"
    case .outOfRange: "x"
    }
  }

  @Test func clockThatWasSetBackContinuesOnePeriodAfterTheLastKeptSample() {
    var rule = TimeRule(frameRate: .hertz(50))
    _ = rule.admit(9_000_000_000)
    for time in 1...7 as ClosedRange<Int64> {
      #expect(rule.admit(MotionInstant(nanoseconds: time)) == .backwards)
    }
    #expect(rule.admit(8) == .rebased(time: 9_020_000_000))
    #expect(rule.admit(108) == .kept(time: 9_020_000_100, startsSegment: false))
  }

  @Test func requestedSegmentHasItsOwnTimeOrContinues() {
    var rule = TimeRule(frameRate: .hertz(50))
    _ = rule.admit(1_000_000_000)
    rule.startSegment(continuing: false)
    #expect(
      rule.admit(1_000_000_007) == .kept(time: 1_000_000_007, startsSegment: true))
    rule.startSegment(continuing: true)
    #expect(rule.admit(0) == .kept(time: 1_020_000_007, startsSegment: true))
    #expect(rule.admit(5) == .kept(time: 1_020_000_012, startsSegment: false))
  }

  @Test func keptTimesAlwaysRise() {
    var generator = SeededGenerator.forTest()
    var rule = TimeRule(frameRate: .standard)
    var last = MotionInstant.distantPast
    for _ in 0..<100_000 {
      let nanoseconds: Int64 =
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: .random(in: .min ... .max, using: &generator)
        case 1: .random(in: -5_000_000_000...5_000_000_000, using: &generator)
        default:
          (last == .distantPast ? 0 : last.nanoseconds)
            &+ .random(in: -2...50_000_000, using: &generator)
        }
      switch rule.admit(MotionInstant(nanoseconds: nanoseconds)) {
      case .kept(let kept, _), .rebased(let kept):
        #expect(kept > last, "\(generator.note)")
        last = kept
      case .duplicate, .backwards, .outOfRange: break
      }
    }
  }
}

@Suite struct NominalRateTests {
  private func rate(ofIntervalsMilliseconds intervals: [Int64]) -> Double? {
    var nominal = NominalRate(frameRate: .standard)
    var time: MotionInstant = 0
    nominal.add(GyroSample(time: 0, rateRadPerSec: .zero))
    for interval in intervals {
      time += .milliseconds(interval)
      nominal.add(GyroSample(time: time, rateRadPerSec: .zero))
    }
    return nominal.hertz
  }

  @Test func isTheMedianOfTheFirstSixteenIntervals() {
    #expect(rate(ofIntervalsMilliseconds: []) == nil)
    #expect(rate(ofIntervalsMilliseconds: [20]) == 50)
    #expect(rate(ofIntervalsMilliseconds: [10, 40, 20]) == 50)
    #expect(rate(ofIntervalsMilliseconds: [10, 20, 30, 40]) == 40)
    let sixteen = [Int64](repeating: 10, count: 9) + [Int64](repeating: 400, count: 7)
    #expect(rate(ofIntervalsMilliseconds: sixteen) == 100)
    #expect(
      rate(ofIntervalsMilliseconds: sixteen + [Int64](repeating: 400, count: 50)) == 100)
  }

  @Test func countsOnlyKeptSamples() {
    var nominal = NominalRate(frameRate: .standard)
    for milliseconds in [0, 10, 10, 5, 20] as [Int64] {
      nominal.add(GyroSample(time: .zero + .milliseconds(milliseconds), rateRadPerSec: .zero))
    }
    let nan = AngularRate(x: .nan, y: 0, z: 0)
    nominal.add(GyroSample(time: 25_000_000, rateRadPerSec: nan))
    #expect(nominal.hertz == 100)
    #expect(!nominal.isComplete)
  }
}
