// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite struct FrameGridTests {
  @Test(arguments: [
    (30.0, [0, 33_333_333, 66_666_667, 100_000_000]),
    (60.0, [0, 16_666_667, 33_333_333, 50_000_000]),
    (0.5, [0, 2_000_000_000, 4_000_000_000, 6_000_000_000]),
    // 1e9 / 64 = 15625000, exactly.
    (64.0, [0, 15_625_000, 31_250_000, 46_875_000]),
  ])
  func framesAreRoundedHalfUp(hertz: Double, times: [MotionDuration]) {
    let grid = FrameGrid(origin: 7, hertz: hertz)
    #expect((0..<4).map { grid.time(ofFrame: $0) - 7 } == times)
  }

  @Test func halfNanosecondIsRoundedUp() {
    // At 1024 Hz frame 1 is at 976562.5 ns. The rate is out of range, but the arithmetic allows it.
    let grid = FrameGrid(origin: 0, hertz: 1024)
    #expect(grid.time(ofFrame: 1) == 976_563)
    #expect(grid.time(ofFrame: 3) == 2_929_688)
  }

  @Test func noErrorAccumulatesOverYears() {
    let grid = FrameGrid(origin: 0, hertz: 30)
    let year: Int64 = 365 * 86_400
    #expect(grid.time(ofFrame: 60 * year * 30) == .zero + .seconds(60 * year))
  }

  @Test func firstFrameAtOrAfterAnInstantIsExact() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      let hertz = Double.random(in: FrameRate.range, using: &generator)
      let origin = MotionInstant(
        nanoseconds: .random(in: -(1 << 60)...(1 << 60), using: &generator))
      let grid = FrameGrid(origin: origin, hertz: hertz)
      let time = origin + .nanoseconds(.random(in: 0...(1 << 60), using: &generator))
      let index = grid.firstFrame(atOrAfter: time)
      #expect(grid.time(ofFrame: index) >= time, "\(generator.note)")
      #expect(index == 0 || grid.time(ofFrame: index - 1) < time, "\(generator.note)")
    }
  }
}

/// Samples of one axis as (ms, value) against frames as (ms, value) at 10 Hz.
@Suite struct FrameSamplerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var method: FrameSampler.Method
    var samples: [(ms: Int64, value: Double)]
    var frames: [(ms: Int64, value: Double)]
    var testDescription: String { name }
  }

  static let ramp: [(ms: Int64, value: Double)] = [
    (0, 0), (40, 4), (80, 8), (120, 12), (200, 20), (350, 35),
  ]

  static let cases = [
    Case(
      name: "mean: samples in (g(k-1), g(k)], an empty bin repeats", method: .mean, samples: ramp,
      frames: [(0, 0), (100, 6), (200, 16), (300, 16)]),
    Case(
      name: "linear", method: .linear, samples: ramp,
      frames: [(0, 0), (100, 10), (200, 20), (300, 30)]),
    Case(
      name: "hold: the last sample at or before g(k)", method: .hold, samples: ramp,
      frames: [(0, 0), (100, 8), (200, 20), (300, 20)]),
    Case(
      name: "every sample", method: .everySample, samples: ramp,
      frames: [(0, 0), (40, 4), (80, 8), (120, 12), (200, 20), (350, 35)]),
    Case(
      name: "no frames in a gap, after which the grid continues", method: .mean,
      samples: [(0, 1), (90, 3), (930, 5), (970, 7), (1010, 9)],
      frames: [(0, 1), (1000, 6)]),
    Case(
      name: "a segment without a grid instant yields nothing", method: .hold,
      samples: [(0, 1), (910, 5), (950, 6), (1720, 7), (1800, 8)],
      frames: [(0, 1), (1800, 8)]),
  ]

  @Test(arguments: cases) func frames(_ example: Case) {
    var sampler = FrameSampler(method: example.method, hertz: 10)
    var last: Int64?
    var frames: [SensorFrame] = []
    for sample in example.samples {
      let startsSegment = last.map { sample.ms - $0 > 500 } ?? true
      sampler.push(
        time: .zero + .milliseconds(sample.ms),
        motion: DrivingMotion(a: sample.value, b: -sample.value),
        startsSegment: startsSegment)
      while let frame = sampler.nextFrame() { frames.append(frame) }
      last = sample.ms
    }
    #expect(frames.map(\.time) == example.frames.map { .zero + .milliseconds($0.ms) })
    #expect(frames.map(\.motion.a) == example.frames.map(\.value))
    #expect(frames.map(\.motion.b) == example.frames.map { -$0.value })
  }

  /// With frames between them, the frames on the grid are the same; those between are halfway, only where there is
  /// a sample in between, and a mean is over as long as on the grid.
  @Test(
    arguments: [
      (.mean, [1.5, 10.5]), (.linear, [5, 15]), (.hold, [3, 15]), (.newest, [6, 15]),
      (.everySample, []),
    ] as [(FrameSampler.Method, [Double])])
  func framesBetween(_ method: FrameSampler.Method, _ between: [Double]) {
    func frames(isFine: Bool) -> [SensorFrame] {
      var sampler = FrameSampler(method: method, hertz: 10)
      sampler.isFine = isFine
      // Every 30 ms, and then not before the frames at 250 and 300 ms are both complete.
      return (0..<9 as Range<Int64>).map { $0 < 8 ? 30 * $0 : 310 }.flatMap { ms in
        sampler.push(
          time: .zero + .milliseconds(ms),
          motion: DrivingMotion(a: Double(ms) / 10, b: -Double(ms) / 10), startsSegment: ms == 0)
        var frames: [SensorFrame] = []
        while let frame = sampler.nextFrame() { frames.append(frame) }
        return frames
      }
    }
    let fine = frames(isFine: true)
    #expect(fine.filter { !$0.isBetween } == frames(isFine: false))
    let found = fine.filter(\.isBetween)
    let times: [MotionInstant] = [.zero + .milliseconds(50), .zero + .milliseconds(150)]
    #expect(found.map(\.time) == (between.isEmpty ? [] : times))
    #expect(found.map(\.motion.a) == between)
  }

  /// A subscriber that asks for them in the middle of a mean gets no frame of nothing, however few samples there are.
  @Test func framesBetweenBeginWithTheMeanSoFar() {
    var sampler = FrameSampler(method: .mean, hertz: 10)
    var values: [Double] = []
    for ms in [0, 120, 260, 330] as [Int64] {
      sampler.push(
        time: .zero + .milliseconds(ms), motion: DrivingMotion(a: 5, b: 5), startsSegment: ms == 0)
      while let frame = sampler.nextFrame() { values.append(frame.motion.a) }
      if ms == 120 { sampler.isFine = true }
    }
    // At 0, 100, 200, 250 and 300 ms.
    #expect(values == [5, 5, 5, 5, 5])
  }

  /// No user sees more than 60 frames a second.
  @Test(arguments: [(30.0, true), (31, false), (60, false)])
  func framesBetweenAreNotMoreThanAnyoneSees(hertz: Double, isFine: Bool) {
    var sampler = FrameSampler(method: .newest, hertz: hertz)
    sampler.isFine = true
    #expect(sampler.isFine == isFine)
  }

  @Test func onlyTheFirstFrameOfASegmentStartsIt() {
    var sampler = FrameSampler(method: .mean, hertz: 10)
    var starts: [Bool] = []
    for (ms, startsSegment) in [(0, true), (100, false), (930, true), (1100, false)]
      as [(Int64, Bool)]
    {
      sampler.push(
        time: .zero + .milliseconds(ms), motion: .zero, startsSegment: startsSegment)
      while let frame = sampler.nextFrame() { starts.append(frame.startsSegment) }
    }
    #expect(starts == [true, false, true, false])
  }

  @Test(arguments: [
    (30.0, nil, FrameSampler.Method.mean), (30.0, 29.4, .mean), (30.0, 29.42, .everySample),
    (30.0, 30.3, .everySample), (30.0, 36.0, .everySample), (30.0, 36.1, .mean),
    (30.0, 100.0, .mean),
  ])
  func auto(requested: Double, nominal: Double?, method: FrameSampler.Method) {
    var settings = MotionSettings()
    settings.frameRate = .hertz(requested)
    #expect(
      FrameSampler.method(settings: settings, nominalRateHertz: nominal)
        == (method == .everySample ? .everySample : .newest))
    settings.smoothing = Smoothing.none
    #expect(FrameSampler.method(settings: settings, nominalRateHertz: nominal) == method)
    settings.mode = .tilt
    #expect(
      FrameSampler.method(settings: settings, nominalRateHertz: nominal)
        == (method == .everySample ? .everySample : .hold))
    settings.resampling = .linear
    #expect(FrameSampler.method(settings: settings, nominalRateHertz: nominal) == .hold)
    settings.mode = .rate
    #expect(FrameSampler.method(settings: settings, nominalRateHertz: nominal) == .linear)
    settings.frameRate = .native
    #expect(FrameSampler.method(settings: settings, nominalRateHertz: nominal) == .everySample)
  }
}
