// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

/// The parts of `auto` smoothing. Tests/Motion compares all of it with another implementation.
@Suite struct AutoSmoothingTests {
  @Test func slopesAreExactOnARamp() {
    var generator = SeededGenerator.forTest()
    var slopes = SlopeTracker()
    var seconds = 0.0
    for step in 0..<400 {
      slopes.add(
        DrivingMotion(a: 3 * seconds, b: 1 - 2 * seconds),
        time: MotionInstant(nanoseconds: Int64((seconds * 1e9).rounded())), startsSegment: step == 0
      )
      seconds += Double(Int.random(in: 2...20, using: &generator)) / 1000
    }
    #expect((slopes.steadySlope.a - 3).magnitude < 1e-6, "\(generator.note)")
    #expect((slopes.quickSlope.b + 2).magnitude < 1e-6, "\(generator.note)")
  }

  /// A rate of which `mean` has been seen for long, without a trend: px in a range of 5 px.
  @Test(arguments: [
    (1.0, 1.0, 1.0), (1.2, 1.0, 1.1), (0.8, 1.0, 0.9), (3.0, 1.0, 1 + 2 * 4 / 4.04),
    (9.0, 0.0, 5.0),
  ])
  func nearItsMeanARateIsShownAtTheMean(newest: Double, mean: Double, expected: Double) {
    let rate = MotionLine.Rate(newest: newest, mean: mean, slope: 0, quickSlope: 0, ageSeconds: 0)
    let line = MotionLine.smoothed(rate, range: .standard, periodSeconds: 1.0 / 30)
    #expect((line.offset - expected).magnitude < 1e-12)
    #expect(line.velocity == 0)
  }

  /// Slopes in px/s, and the velocity and offset 10 ms before the sample, of an unsmoothed 4 px.
  @Test(arguments: [
    (20.0, 30.0, 10.0), (30.0, 20.0, 10.0), (-20.0, -30.0, -10.0), (20.0, -1.0, 0.0),
    // A motion toward 0 is there after one period at the earliest.
    (-1000.0, -1000.0, -120.0),
  ])
  func theVelocityIsHalfTheSmallerSlope(slope: Double, quick: Double, velocity: Double) {
    let rate = MotionLine.Rate(
      newest: 4, mean: 4, slope: slope, quickSlope: quick, ageSeconds: 0)
    let line = MotionLine.unsmoothed(
      offset: 4, rate, range: .standard, periodSeconds: 1.0 / 30)
    #expect((line.velocity - velocity).magnitude < 1e-9)
    #expect(line.offset == 4)
  }

  /// Offset and velocity of a line, and both within -5...5 px at 30 Hz.
  @Test(arguments: [
    (4.9, 90.0, 4.9, 90.0), (5.0, 90.0, 5.0, 0.0), (7.0, 30.0, 5.0, 0.0), (5.0, -30.0, 5.0, -30.0),
    (6.0, -60.0, 5.0, -30.0), (-8.0, 30.0, -5.0, 0.0), (-6.0, 60.0, -5.0, 30.0),
  ])
  func aBoundIsLeftWhenTheMotionIsBack(x: Double, v: Double, offset: Double, velocity: Double) {
    let line = MotionLine(offset: x, velocity: v).bounded(by: .standard, periodSeconds: 1.0 / 30)
    #expect(line.offset == offset)
    #expect((line.velocity - velocity).magnitude < 1e-9)
  }

  /// Samples of a tone, and the gain of the filter: the measured amplitude is that of the last seconds.
  @Test(arguments: [
    (0.2, 0.98...1.02), (8.0, 0.2...0.32), (10.0, 0...0.05), (12.0, 0.1...0.25), (20.0, 0.3...0.55),
  ])
  func theTremorFilterRemovesTenHertz(hertz: Double, gain: ClosedRange<Double>) {
    var filter = TremorFilter()
    var greatest = 0.0
    for step in 0..<8000 {
      let seconds = Double(step) / 400
      let rate = filter.step(
        AngularRate(x: 0, y: 0, z: sin(2 * .pi * hertz * seconds)),
        time: MotionInstant(nanoseconds: Int64(step) * 2_500_000), startsSegment: step == 0)
      if seconds > 5 { greatest = max(greatest, rate.z.magnitude) }
    }
    #expect(gain.contains(greatest), "\(greatest)")
  }

  /// Turns about y, z and x that end where they began leave no tilt but the leak's.
  @Test func aTurnAboutZMovesTheTiltRound() {
    var settings = MotionSettings()
    (settings.mode, settings.recenterSeconds, settings.fadeSeconds) = (.tilt, 1e9, 0)
    var viewer = ViewerDirection(settings)
    var now = MotionInstant.zero
    func turn(_ rate: AngularRate, milliseconds: Int) -> DrivingMotion {
      var tilt = DrivingMotion.zero
      for _ in 0..<milliseconds {
        now += .milliseconds(1)
        tilt = viewer.add(rate, time: now, startsSegment: false)
      }
      return tilt
    }
    _ = viewer.add(.zero, time: now, startsSegment: true)
    let angle = 0.35
    let tilted = turn(AngularRate(x: 0, y: angle, z: 0), milliseconds: 1000)
    #expect((tilted.a - angle).magnitude < 1e-3 && tilted.b.magnitude < 1e-12)
    let turned = turn(AngularRate(x: 0, y: 0, z: .pi / 2), milliseconds: 1000)
    #expect(turned.a.magnitude < 2e-3 && (turned.b - angle).magnitude < 2e-3, "\(turned)")
    // Back about the axis that is now x.
    let back = turn(AngularRate(x: -angle, y: 0, z: 0), milliseconds: 1000)
    #expect(back.a.magnitude < 2e-3 && back.b.magnitude < 2e-3, "\(back)")
  }

  @Test func restHoldsAndContinuesFromThere() {
    var hold = RestHold()
    let reach = PixelOffset(x: 5, y: 5)
    func shown(_ ms: Int64, _ x: Double, away: Double = 0) -> ScreenMotion {
      hold.apply(
        to: ScreenMotion(
          offset: PixelOffset(x: x, y: 0), velocity: PixelVelocity(x: 1, y: 0)),
        away: PixelOffset(x: away, y: 0), time: .zero + .milliseconds(ms), reach: reach)
    }
    for ms in stride(from: Int64(0), to: 250, by: 25) {
      #expect(shown(ms, 0.01).velocity.x == 1)
    }
    // It drifts, within 2 % of the range.
    #expect(shown(250, 0.01) == ScreenMotion(offset: PixelOffset(x: 0.01, y: 0), velocity: .zero))
    #expect(shown(275, 0.09).offset.x == 0.01)
    // The first motion shows at once, from the held offset; what was held fades over 0.2 s.
    #expect((shown(300, 0.3, away: 0.2).offset.x - 0.22).magnitude < 1e-12)
    #expect((shown(400, 1).offset.x - 0.96).magnitude < 1e-12)
    #expect(shown(500, 1, away: 1).offset.x == 1)
  }

  /// SET changes the smoothing while samples come: the filters begin with the next sample.
  @Test func anotherSmoothingAppliesFromTheNextSample() throws {
    var settings = MotionSettings()
    settings.smoothing = .ema(timeConstantSeconds: 0.1)
    var pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: 100, bias: .off)
    var last: MotionFrame?
    func run(from: Int64, to: Int64) {
      for ms in stride(from: from, to: to, by: 10) {
        let rate = AngularRate(x: 0, y: Double(ms) / 2000, z: 0)
        _ = pipeline.push(GyroSample(time: .zero + .milliseconds(ms), rateRadPerSec: rate))
        while let frame = pipeline.nextFrame() { last = frame }
      }
    }
    run(from: 0, to: 1000)
    let late = try #require(last).offset.x
    #expect(late < 2.4)
    settings.smoothing = .auto(.normal)
    pipeline.reconfigure(settings)
    run(from: 1000, to: 1500)
    let motion = try #require(last)
    // 5 px per rad/s, 0.5 rad/s per second.
    #expect(
      (motion.offset.x - Double(motion.time.nanoseconds) / 1e9 * 2.5).magnitude < 0.1, "\(motion)")
    #expect((motion.motion.velocity.x - 1.25).magnitude < 0.2, "\(motion)")
  }
}
