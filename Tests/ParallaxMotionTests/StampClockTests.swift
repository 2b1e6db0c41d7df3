// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

private let millisecond = MotionDuration.milliseconds(1)
private let second = MotionDuration.seconds(1)

/// A sensor at a steady pace with its own clock, whose samples arrive with a delay.
private struct Sensor {
  static let start = MotionInstant.zero + 5000 * second

  /// The instant of the next sample, in CLOCK_MONOTONIC.
  var instant = start
  var period = 10 * millisecond
  /// The sensor's clock: `stamp = offset + pace * (instant - start)`.
  var offset = -4321 * second
  var pace = 1.0
  var clock: StampClock

  init(_ kind: StampClock.Kind = .foreign) {
    clock = StampClock(kind)
  }

  struct Step {
    var instant: MotionInstant
    var stamp: MotionInstant
    var mapped: StampClock.Mapped

    /// How late the mapped time is.
    var error: MotionDuration { mapped.time - instant }
  }

  var stamp: MotionInstant {
    let elapsed = Double((instant - Self.start).nanoseconds) * pace
    return .zero + offset + .nanoseconds(Int64(elapsed.rounded()))
  }

  /// Maps a sample that arrives `delay` later, or at a given instant with others.
  mutating func step(
    delay: MotionDuration = 0, arrival: MotionInstant? = nil, isNewest: Bool = true
  ) -> Step {
    let stamp = stamp
    let arrival = arrival ?? instant + delay
    let mapped = clock.map(
      stamp: stamp, arrival: arrival, isNewestOfDrain: isNewest)
    defer { instant += period }
    return Step(instant: instant, stamp: stamp, mapped: mapped)
  }

  /// Maps the samples of a span, each delayed by 2 ms to 10 ms.
  mutating func run(_ span: MotionDuration, using generator: inout SeededGenerator) -> [Step] {
    let end = instant + span
    var steps: [Step] = []
    while instant < end {
      steps.append(step(delay: .random(in: 2...10, using: &generator) * millisecond))
    }
    return steps
  }
}

@Suite("Recognition of CLOCK_MONOTONIC") struct StampClockJudgementTests {
  @Test func stampsAreUnchangedAndTheFirstStartsASegment() {
    var clock = StampClock(.monotonic)
    for index in 1...100 as ClosedRange<Int64> {
      let stamp = MotionInstant.zero + index * 33 * millisecond
      let mapped = clock.map(
        stamp: stamp, arrival: stamp + millisecond, isNewestOfDrain: true)
      #expect(mapped == .init(time: stamp, startsSegment: index == 1))
    }
  }

  /// The ages of samples at their arrival in ms, with `,` within a drain and `|` between drains,
  /// and the kind that the clock then has.
  @Test(arguments: [
    ("5|5|5", StampClock.Kind.monotonic),
    ("-1|-1", .monotonic),
    ("-1.001", .foreign),
    ("5|5|5|5|-2|5", .foreign),
    ("1000|1001|1001|1001|1001", .monotonic),
    ("1001|1001", .monotonic),
    ("1001|1001|1001", .foreign),
    ("1001|1001|999|1001|1001|1001", .monotonic),
    ("9000,8000,7000,6000,5|9000,5", .monotonic),
    ("9000,8000,7000,6000,5000", .monotonic),
    ("9000,8000,7000,6000,5000|5000|5000", .foreign),
  ])
  func ages(text: String, kind: StampClock.Kind) throws {
    var clock = StampClock(.monotonic)
    var arrival = MotionInstant.zero + 100 * second
    for drain in text.split(separator: "|") {
      let ages = drain.split(separator: ",").compactMap { Double($0) }
      for (index, age) in ages.enumerated() {
        _ = clock.map(
          stamp: arrival - .nanoseconds(Int64(age * 1e6)), arrival: arrival,
          isNewestOfDrain: index == ages.count - 1)
      }
      arrival += 30 * millisecond
    }
    #expect(clock.kind == kind)
  }

  @Test func clockThatTurnsOutForeignStartsASegmentAtTheArrival() {
    var sensor = Sensor(.monotonic)
    let steps = (0..<4).map { _ in sensor.step(delay: 3 * millisecond) }
    #expect(steps.map(\.mapped.startsSegment) == [true, false, true, false])
    #expect(steps[1].mapped.time == steps[1].stamp)
    #expect(steps[2].error == 3 * millisecond)
    #expect(steps[3].error == 3 * millisecond)
  }
}

@Suite("Foreign clocks") struct StampClockMappingTests {
  @Test func quickestSampleOfTenSecondsDecidesTheMapping() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    let steps = sensor.run(60 * second, using: &generator)
    #expect(steps.map(\.mapped.startsSegment).firstIndex(of: true) == 0)
    #expect(steps.dropFirst().allSatisfy { !$0.mapped.startsSegment })
    // The shortest delay is 2 ms.
    #expect(
      steps.allSatisfy { (2 * millisecond...10 * millisecond).contains($0.error) },
      "\(generator.note)")
    let settled = steps.drop { $0.instant < steps[0].instant + 15 * second }
    #expect(settled.allSatisfy { $0.error <= 3 * millisecond }, "\(generator.note)")
  }

  /// The mapping lags by at most the drift within the window.
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

  @Test func queuedSamplesKeepTheirTimes() {
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

  @Test func queueAtTheStartEndsWithItsNewestSample() {
    var sensor = Sensor()
    let opened = sensor.instant + 3 * second
    var times: [MotionInstant] = []
    while sensor.instant < opened {
      times.append(sensor.step(arrival: opened, isNewest: false).mapped.time)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let next = sensor.step(delay: millisecond)
    #expect((0...2 * millisecond).contains(next.error))
  }

  @Test func gapStartsASegmentAndKeepsTheMapping() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    _ = sensor.run(20 * second, using: &generator)
    sensor.instant += 5 * second
    // A delayed sample is mapped by the quickest one before the gap.
    let delayed = sensor.step(delay: 80 * millisecond)
    #expect(delayed.mapped.startsSegment)
    #expect(delayed.error <= 3 * millisecond, "\(generator.note)")
    sensor.instant += 500 * millisecond - sensor.period
    let noGap = sensor.step(delay: 2 * millisecond)
    #expect(!noGap.mapped.startsSegment)
  }

  @Test func slowSensorHasNoGaps() {
    var sensor = Sensor()
    sensor.clock = StampClock(.foreign, frameRate: .hertz(1))
    sensor.period = second
    let starts = (0..<5).map { _ in sensor.step(delay: millisecond).mapped.startsSegment }
    #expect(starts == [true, false, false, false, false])
  }

  @Test(arguments: [-2.0, -3600, -1.7e9, 0.6, 5, 3600, 1.7e9])
  func clockThatWasSetStartsASegmentAndTimeContinues(seconds: Double) {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    let before = sensor.run(20 * second, using: &generator)
    sensor.offset += MotionDuration(seconds: seconds)
    let after = sensor.run(20 * second, using: &generator)
    #expect(after[0].mapped.startsSegment)
    #expect(after.dropFirst().allSatisfy { !$0.mapped.startsSegment })
    #expect(
      after.allSatisfy { (0...10 * millisecond).contains($0.error) }, "\(generator.note)")
    #expect(after[0].mapped.time > before[before.count - 1].mapped.time)
  }

  @Test func smallStepIsCorrectedByAMillisecondPerSecond() {
    var sensor = Sensor()
    for _ in 0..<500 { _ = sensor.step(delay: 2 * millisecond) }
    sensor.offset += 20 * millisecond
    let steps = (0..<3000).map { _ in sensor.step(delay: 2 * millisecond) }
    #expect(steps.allSatisfy { !$0.mapped.startsSegment })
    #expect((steps[0].error - 22 * millisecond).magnitude < 100_000)
    #expect((steps[1000].error - 12 * millisecond).magnitude < 100_000)
    #expect(steps[2100].error == 2 * millisecond)
  }

  /// The clock of a sensor hub stops while the hub sleeps, so its stamps show no gap.
  @Test func clockThatStoppedIsDetectedWithinASecond() {
    var sensor = Sensor()
    for _ in 0..<2000 { _ = sensor.step(delay: 2 * millisecond) }
    sensor.instant += 3 * second
    sensor.offset -= 3 * second
    let steps = (0..<200).map { _ in sensor.step(delay: 2 * millisecond) }
    #expect(steps.count { $0.mapped.startsSegment } == 1)
    #expect(steps[99].error < -(2 * second))
    #expect(steps[102...].allSatisfy { $0.error == 2 * millisecond })
  }

  @Test(arguments: [1000.0, 2, 1.1, 0.9, 0.5, 0.001])
  func errorOfAClockAtTheWrongPaceIsLimited(pace: Double) {
    var sensor = Sensor()
    sensor.pace = pace
    let steps = (0..<10_000).map { _ in sensor.step(delay: 2 * millisecond) }
    #expect(steps.allSatisfy { $0.error <= 510 * millisecond && $0.error >= -(1600 * millisecond) })
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func sampleAllocatesNothing() {
    var generator = SeededGenerator.forTest()
    var sensor = Sensor()
    func run() {
      for _ in 0..<5000 {
        _ = sensor.step(delay: .nanoseconds(.random(in: 0...10_000_000, using: &generator)))
      }
    }
    // A first run grows the buffers and initializes the runtime.
    run()
    #expect(AllocationCount.during(run) == 0)
  }
}

@Suite("Foreign clocks at random") struct StampClockRandomTests {
  /// With jitter, queues, lost samples and small steps the order is kept, and after the first
  /// second the mapping moves by at most 1 ms per second.
  @Test func orderIsKeptAndTheMappingMovesSlowly() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<200 {
      var clock = StampClock(.foreign)
      var stamp = MotionInstant(nanoseconds: .random(in: -1 << 60...1 << 60, using: &generator))
      var arrival = MotionInstant(nanoseconds: .random(in: 0...1 << 50, using: &generator))
      var last: (stamp: MotionInstant, time: MotionInstant)?
      var segment = MotionInstant.zero
      for _ in 0..<1000 {
        let jump = Int.random(in: 0..<100, using: &generator)
        let step = MotionDuration(nanoseconds: .random(in: 1...20_000_000, using: &generator))
        stamp += jump == 0 ? .milliseconds(.random(in: -400...2000, using: &generator)) : step
        arrival += Int.random(in: 0..<3, using: &generator) == 0 ? .zero : 15 * millisecond
        let mapped = clock.map(
          stamp: stamp, arrival: arrival, isNewestOfDrain: jump % 3 != 0)
        if mapped.startsSegment {
          segment = arrival
        } else if let last, stamp > last.stamp {
          let moved = (mapped.time - last.time) - (stamp - last.stamp)
          #expect(mapped.time > last.time, "\(generator.note)")
          if arrival >= segment + second {
            // The latest samples of the first second may be 1 ns apart each.
            let limit = (stamp - last.stamp) / Int64(1000) + 20
            #expect(moved.magnitude <= limit, "\(generator.note)")
          }
        }
        if mapped.startsSegment || stamp > last?.stamp ?? .distantPast {
          last = (stamp, mapped.time)
        }
      }
    }
  }

  @Test(arguments: [StampClock.Kind.monotonic, .foreign])
  func everyStampIsMapped(kind: StampClock.Kind) {
    var generator = SeededGenerator.forTest()
    let limit = MotionInstant.maxAdmissible.nanoseconds
    let extremes = [.min, -limit - 1, -limit, -1, 0, 1, limit, limit + 1, .max]
    var clock = StampClock(kind)
    for _ in 0..<100_000 {
      let stamp = Int64.random(in: .min ... .max, using: &generator)
      let arrival = Int64.random(in: .min ... .max, using: &generator)
      let shift = Int64.random(in: 0...63, using: &generator)
      let isExtreme = Bool.random(using: &generator)
      let mapped = clock.map(
        stamp: MotionInstant(
          nanoseconds: isExtreme
            ? extremes.randomElement(using: &generator) ?? 0 : stamp >> shift),
        arrival: MotionInstant(
          nanoseconds: isExtreme
            ? extremes.randomElement(using: &generator) ?? 0 : arrival >> 3),
        isNewestOfDrain: Bool.random(using: &generator))
      #expect(mapped.time != .distantPast || isExtreme)
      if Int.random(in: 0..<1000, using: &generator) == 0 { clock = StampClock(kind) }
    }
  }
}
