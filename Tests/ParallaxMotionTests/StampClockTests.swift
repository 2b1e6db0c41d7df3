import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

private let millisecond: Int64 = 1_000_000
private let second: Int64 = 1_000_000_000

/// A sensor at a steady pace with a clock of its own, and the way of its samples to us.
private struct Sensor {
  /// The instant of the next sample, in CLOCK_MONOTONIC.
  var instant: Int64 = 5000 * second
  var period = 10 * millisecond
  /// Its clock: `stamp = offset + pace * instant`.
  var offset: Int64 = -4321 * second
  var pace = 1.0
  var clock: StampClock

  init(_ kind: StampClock.Kind = .foreign) {
    clock = StampClock(kind)
  }

  struct Step {
    var instant: Int64
    var stamp: Int64
    var arrival: Int64
    var mapped: StampClock.Mapped

    /// How late the mapped time is.
    var error: Int64 { mapped.timeNanoseconds - instant }
  }

  var stamp: Int64 { offset + Int64((Double(instant - 5000 * second) * pace).rounded()) }

  /// A sample that arrives `delay` later, or at a given instant with others.
  mutating func step(
    delay: Int64 = 0, arrival: Int64? = nil, isNewest: Bool = true
  ) -> Step {
    let stamp = stamp
    let arrival = arrival ?? instant + delay
    let mapped = clock.map(
      stampNanoseconds: stamp, arrivalNanoseconds: arrival, isNewestOfDrain: isNewest)
    defer { instant += period }
    return Step(instant: instant, stamp: stamp, arrival: arrival, mapped: mapped)
  }

  /// Samples for so long, each delayed by 2 ms to 10 ms.
  mutating func run(_ span: Int64, using generator: inout SeededGenerator) -> [Step] {
    let end = instant + span
    var steps: [Step] = []
    while instant < end {
      steps.append(step(delay: .random(in: 2...10, using: &generator) * millisecond))
    }
    return steps
  }
}

@Suite("Is it CLOCK_MONOTONIC?") struct StampClockJudgementTests {
  @Test func stampsPassUnchangedAndTheFirstBeginsASegment() {
    var clock = StampClock(.monotonic)
    #expect(!clock.isComparable)
    for index in 1...100 as ClosedRange<Int64> {
      let stamp = index * 33 * millisecond
      let mapped = clock.map(
        stampNanoseconds: stamp, arrivalNanoseconds: stamp + millisecond, isNewestOfDrain: true)
      #expect(mapped == .init(timeNanoseconds: stamp, startsSegment: index == 1))
      #expect(clock.isComparable)
    }
  }

  /// Ages in ms of the samples as they arrive, `,` within a drain and `|` between drains; what
  /// the clock is taken for behind them.
  @Test(arguments: [
    ("5|5|5", StampClock.Kind.monotonic, true),
    ("-1|-1", .monotonic, true),
    ("-1.001", .foreign, false),
    ("5|5|5|5|-2|5", .foreign, false),
    ("1000|1001|1001|1001|1001", .monotonic, true),
    ("1001|1001", .monotonic, false),
    ("1001|1001|1001", .foreign, false),
    ("1001|1001|999|1001|1001|1001", .monotonic, true),
    ("9000,8000,7000,6000,5|9000,5", .monotonic, true),
    ("9000,8000,7000,6000,5000", .monotonic, false),
  ])
  func ages(text: String, kind: StampClock.Kind, isComparable: Bool) throws {
    var clock = StampClock(.monotonic)
    var arrival = 100 * second
    for drain in text.split(separator: "|") {
      let ages = drain.split(separator: ",").compactMap { Double($0) }
      for (index, age) in ages.enumerated() {
        _ = clock.map(
          stampNanoseconds: arrival - Int64(age * 1e6), arrivalNanoseconds: arrival,
          isNewestOfDrain: index == ages.count - 1)
      }
      arrival += 30 * millisecond
    }
    #expect(clock.kind == kind)
    #expect(clock.isComparable == isComparable)
  }

  @Test func whatIsFoundOutToBeForeignBeginsASegmentAtItsArrival() {
    var sensor = Sensor(.monotonic)
    let steps = (0..<4).map { _ in sensor.step(delay: 3 * millisecond) }
    #expect(steps.map(\.mapped.startsSegment) == [true, false, true, false])
    #expect(steps[1].mapped.timeNanoseconds == steps[1].stamp)
    #expect(steps[2].error == 3 * millisecond)
    #expect(steps[3].error == 3 * millisecond)
  }
}

@Suite("Foreign clocks") struct StampClockMappingTests {
  @Test func theQuickestSampleOfTenSecondsTellsTheMapping() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    let steps = sensor.run(60 * second, using: &generator)
    #expect(steps.map(\.mapped.startsSegment).firstIndex(of: true) == 0)
    #expect(steps.dropFirst().allSatisfy { !$0.mapped.startsSegment })
    // 2 ms is the quickest that there is.
    #expect(
      steps.allSatisfy { (2 * millisecond...10 * millisecond).contains($0.error) },
      "\(generator.note)")
    let settled = steps.drop { $0.instant < steps[0].instant + 15 * second }
    #expect(settled.allSatisfy { $0.error <= 3 * millisecond }, "\(generator.note)")
    #expect(!sensor.clock.isComparable)
  }

  /// The mapping follows from behind by no more than the window's drift.
  @Test(arguments: [100e-6, -100e-6]) func driftIsFollowed(drift: Double) {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    sensor.pace = 1 + drift
    let steps = sensor.run(600 * second, using: &generator)
    let late = steps.drop { $0.instant < steps[0].instant + 15 * second }
    #expect(
      late.allSatisfy { (millisecond...4 * millisecond).contains($0.error) }, "\(generator.note)")
    #expect(steps.dropFirst().allSatisfy { !$0.mapped.startsSegment })
  }

  @Test func whatPiledUpKeepsItsTimes() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    _ = sensor.run(20 * second, using: &generator)
    let wakeUp = sensor.instant + 3 * second
    while sensor.instant < wakeUp {
      let late = sensor.step(arrival: wakeUp, isNewest: sensor.instant + sensor.period >= wakeUp)
      #expect(late.error <= 3 * millisecond && !late.mapped.startsSegment, "\(generator.note)")
    }
    let after = sensor.run(5 * second, using: &generator)
    #expect(after.allSatisfy { $0.error <= 3 * millisecond }, "\(generator.note)")
  }

  @Test func aPileAtTheStartIsOverWithItsNewest() {
    var sensor = Sensor()
    let opened = sensor.instant + 3 * second
    var times: [Int64] = []
    while sensor.instant < opened {
      times.append(sensor.step(arrival: opened, isNewest: false).mapped.timeNanoseconds)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let next = sensor.step(delay: millisecond)
    #expect((0...2 * millisecond).contains(next.error))
  }

  @Test func aGapBeginsASegmentAndKeepsWhatIsKnown() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    _ = sensor.run(20 * second, using: &generator)
    sensor.instant += 5 * second
    // A slow one, and still it is placed by the quickest of before.
    let behind = sensor.step(delay: 80 * millisecond)
    #expect(behind.mapped.startsSegment)
    #expect(behind.error <= 3 * millisecond, "\(generator.note)")
    sensor.instant += 500 * millisecond - sensor.period
    let noGap = sensor.step(delay: 2 * millisecond)
    #expect(!noGap.mapped.startsSegment)
  }

  @Test func aSlowSensorHasNoGaps() {
    var sensor = Sensor()
    sensor.clock = StampClock(.foreign, frameRate: .hertz(1))
    sensor.period = second
    let starts = (0..<5).map { _ in sensor.step(delay: millisecond).mapped.startsSegment }
    #expect(starts == [true, false, false, false, false])
  }

  @Test(arguments: [-2.0, -3600, -1.7e9, 0.6, 5, 3600, 1.7e9])
  func aClockThatWasSetBeginsASegmentAndTimeGoesOn(seconds: Double) {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    let before = sensor.run(20 * second, using: &generator)
    sensor.offset += Int64(seconds * 1e9)
    let after = sensor.run(20 * second, using: &generator)
    #expect(after[0].mapped.startsSegment)
    #expect(after.dropFirst().allSatisfy { !$0.mapped.startsSegment })
    #expect(
      after.allSatisfy { (0...10 * millisecond).contains($0.error) }, "\(generator.note)")
    #expect(after[0].mapped.timeNanoseconds > before[before.count - 1].mapped.timeNanoseconds)
  }

  @Test func aSmallStepIsMadeUpForByAMillisecondASecond() {
    var sensor = Sensor()
    for _ in 0..<500 { _ = sensor.step(delay: 2 * millisecond) }
    sensor.offset += 20 * millisecond
    let steps = (0..<3000).map { _ in sensor.step(delay: 2 * millisecond) }
    #expect(steps.allSatisfy { !$0.mapped.startsSegment })
    #expect(abs(steps[0].error - 22 * millisecond) < 100_000)
    #expect(abs(steps[1000].error - 12 * millisecond) < 100_000)
    #expect(steps[2100].error == 2 * millisecond)
  }

  /// A hub that sleeps: its clock stood still, its stamps show no gap.
  @Test func aClockThatStoodStillIsFoundOutWithinASecond() {
    var sensor = Sensor()
    for _ in 0..<2000 { _ = sensor.step(delay: 2 * millisecond) }
    sensor.instant += 3 * second
    sensor.offset -= 3 * second
    let steps = (0..<200).map { _ in sensor.step(delay: 2 * millisecond) }
    #expect(steps.count { $0.mapped.startsSegment } == 1)
    #expect(steps[99].error < -2 * second)
    #expect(steps[102...].allSatisfy { $0.error == 2 * millisecond })
  }

  @Test(arguments: [1000.0, 2, 1.1, 0.9, 0.5, 0.001])
  func aClockAtTheWrongPaceNeverGetsFarFromTheTruth(pace: Double) {
    var sensor = Sensor()
    sensor.pace = pace
    let steps = (0..<10_000).map { _ in sensor.step(delay: 2 * millisecond) }
    #expect(steps.allSatisfy { $0.error <= 510 * millisecond && $0.error >= -1600 * millisecond })
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func aSampleAllocatesNothing() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    func run() {
      for _ in 0..<5000 {
        _ = sensor.step(delay: .random(in: 0...10_000_000, using: &generator))
      }
    }
    // What grows has grown, and what the runtime needs once it has.
    run()
    #expect(AllocationCount.during(run) == 0)
  }
}

@Suite("Foreign clocks, by chance") struct StampClockRandomTests {
  /// Jitter, pile-ups, lost samples, small steps: order is kept, and behind the first second the
  /// mapping moves by no more than 1 ms a second.
  @Test func orderIsKeptAndTheMappingMovesSlowly() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<200 {
      var clock = StampClock(.foreign)
      var stamp = Int64.random(in: -1 << 60...1 << 60, using: &generator)
      var arrival = Int64.random(in: 0...1 << 50, using: &generator)
      var last: (stamp: Int64, time: Int64)?
      var segment: Int64 = 0
      for _ in 0..<1000 {
        let jump = Int.random(in: 0..<100, using: &generator)
        let step: Int64 = .random(in: 1...20_000_000, using: &generator)
        stamp += jump == 0 ? .random(in: -400...2000, using: &generator) * millisecond : step
        arrival += Int.random(in: 0..<3, using: &generator) == 0 ? 0 : 15 * millisecond
        let mapped = clock.map(
          stampNanoseconds: stamp, arrivalNanoseconds: arrival, isNewestOfDrain: jump % 3 != 0)
        if mapped.startsSegment {
          segment = arrival
        } else if let last, stamp > last.stamp {
          let moved = mapped.timeNanoseconds - last.time - (stamp - last.stamp)
          #expect(mapped.timeNanoseconds > last.time, "\(generator.note)")
          if arrival >= segment + second {
            #expect(abs(moved) <= (stamp - last.stamp) / 1000 + 1, "\(generator.note)")
          }
        }
        if mapped.startsSegment || stamp > last?.stamp ?? .min {
          last = (stamp, mapped.timeNanoseconds)
        }
      }
    }
  }

  @Test(arguments: [StampClock.Kind.monotonic, .foreign])
  func noStampIsTooMuch(kind: StampClock.Kind) {
    var generator = SeededGenerator.forTest()
    let limit = GyroSample.timeLimitNanoseconds
    let extremes = [.min, -limit - 1, -limit, -1, 0, 1, limit, limit + 1, .max]
    var clock = StampClock(kind)
    for _ in 0..<100_000 {
      let stamp = Int64.random(in: .min ... .max, using: &generator)
      let arrival = Int64.random(in: .min ... .max, using: &generator)
      let shift = Int64.random(in: 0...63, using: &generator)
      let isExtreme = Bool.random(using: &generator)
      let mapped = clock.map(
        stampNanoseconds: isExtreme
          ? extremes.randomElement(using: &generator) ?? 0 : stamp >> shift,
        arrivalNanoseconds: isExtreme
          ? extremes.randomElement(using: &generator) ?? 0 : arrival >> 3,
        isNewestOfDrain: Bool.random(using: &generator))
      #expect(mapped.timeNanoseconds != .min || isExtreme)
      if Int.random(in: 0..<1000, using: &generator) == 0 { clock = StampClock(kind) }
    }
  }
}
