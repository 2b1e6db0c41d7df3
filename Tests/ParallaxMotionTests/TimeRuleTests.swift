import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

/// Times in ms against verdicts, a letter a sample: S kept and a segment starts, k kept,
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
    Case(name: "a row that goes back is dropped", milliseconds: [0, 10, 5, 20], verdicts: "Skbk"),
    Case(
      name: "a gap of 0.5 s is none, a longer one is", milliseconds: [0, 500, 1001],
      verdicts: "SkS"),
    Case(
      name: "below 4 Hz the gap is two periods", rate: .hertz(2), milliseconds: [0, 1000, 2001],
      verdicts: "SkS"),
    Case(
      name: "native counts as 30 Hz", rate: .native, milliseconds: [0, 500, 1001],
      verdicts: "SkS"),
    Case(
      name: "the eighth rising row that goes back sets the clock",
      milliseconds: [9000, 1, 2, 3, 4, 5, 6, 7, 8, 9], verdicts: "Sbbbbbbbrk"),
    Case(
      name: "rows that go back must rise among themselves",
      milliseconds: [9000, 1, 2, 3, 4, 2, 3, 4, 5, 6, 7, 8, 9], verdicts: "Sbbbbbbbbbbbr"),
    Case(
      name: "an equal row neither adds to the run nor ends it",
      milliseconds: [9000, 1, 2, 2, 3, 4, 5, 6, 7, 8], verdicts: "Sbbbbbbbbr"),
    Case(
      name: "a kept row ends the run",
      milliseconds: [9000, 1, 2, 3, 4, 9001, 5, 6, 7, 8, 9], verdicts: "Sbbbbkbbbbb"),
    Case(
      name: "a duplicate ends the run",
      milliseconds: [9000, 1, 2, 3, 4, 9000, 5, 6, 7, 8, 9], verdicts: "Sbbbbdbbbbb"),
    Case(
      name: "no clock shows such times",
      milliseconds: [0, Int64.max / 1_000_000, Int64.min / 1_000_000, 10], verdicts: "Sxxk"),
  ]

  @Test(arguments: cases) func verdicts(_ example: Case) {
    var rule = TimeRule(frameRate: example.rate)
    let letters = example.milliseconds.map { letter(rule.admit($0 * 1_000_000)) }
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

  @Test func aClockThatWasSetBackGoesOnOnePeriodBehindTheLastKeptRow() {
    var rule = TimeRule(frameRate: .hertz(50))
    _ = rule.admit(9_000_000_000)
    for time in 1...7 { #expect(rule.admit(Int64(time)) == .backwards) }
    #expect(rule.admit(8) == .rebased(timeNanoseconds: 9_020_000_000))
    #expect(rule.admit(108) == .kept(timeNanoseconds: 9_020_000_100, startsSegment: false))
  }

  @Test func aSegmentOnRequestKeepsItsOwnTimeOrGoesOn() {
    var rule = TimeRule(frameRate: .hertz(50))
    _ = rule.admit(1_000_000_000)
    rule.startSegment(continuing: false)
    #expect(
      rule.admit(1_000_000_007) == .kept(timeNanoseconds: 1_000_000_007, startsSegment: true))
    rule.startSegment(continuing: true)
    #expect(rule.admit(0) == .kept(timeNanoseconds: 1_020_000_007, startsSegment: true))
    #expect(rule.admit(5) == .kept(timeNanoseconds: 1_020_000_012, startsSegment: false))
  }

  @Test func keptTimesAlwaysRiseWhateverComes() {
    var generator = SeededGenerator.forTest()
    var rule = TimeRule(frameRate: .standard)
    var last = Int64.min
    for _ in 0..<100_000 {
      let time: Int64 =
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: .random(in: .min ... .max, using: &generator)
        case 1: .random(in: -5_000_000_000...5_000_000_000, using: &generator)
        default: (last == .min ? 0 : last) &+ .random(in: -2...50_000_000, using: &generator)
        }
      switch rule.admit(time) {
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
    var time: Int64 = 0
    nominal.add(GyroSample(timeNanoseconds: 0, rateRadPerSec: .zero))
    for interval in intervals {
      time += interval * 1_000_000
      nominal.add(GyroSample(timeNanoseconds: time, rateRadPerSec: .zero))
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
      nominal.add(GyroSample(timeNanoseconds: milliseconds * 1_000_000, rateRadPerSec: .zero))
    }
    let nan = AngularRate(x: .nan, y: 0, z: 0)
    nominal.add(GyroSample(timeNanoseconds: 25_000_000, rateRadPerSec: nan))
    #expect(nominal.hertz == 100)
    #expect(!nominal.isComplete)
  }
}
