// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

@Suite("Figures of signals with known errors")
struct FigureTests {
  @Test func noiseOfAKnownSizeIsTheError() throws {
    var noise = ReferenceNoise()
    let measure = measure(slowMotion()) { motion, instant in
      motion.value(of: motion.ideal, at: instant) * 5 + SIMD2(noise.next(), noise.next()) * 0.5
    }
    let figures = measure.figures()
    let segment = try #require(measure.segments.first)
    let ideals = segment.instants.map { segment.motion.value(of: segment.motion.ideal, at: $0) * 5 }
    let mean = ideals.reduce(.zero, +) / Double(ideals.count)
    let square = ideals.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
    let expected = (2 * 0.25 / (square / Double(ideals.count))).squareRoot()
    #expect(abs(try #require(figures.error) / expected - 1) < 0.03)
    // 99 % of a normal distribution are within 2.576 standard deviations.
    #expect(abs(try #require(figures.errorPercentile) / (0.5 * 2.576) - 1) < 0.03)
  }

  @Test func jitterAtRestIsMeasuredWithoutItsSlowPart() throws {
    var noise = ReferenceNoise()
    let figures = measure(slowMotion(seconds: 40, restFrom: 2)) { _, instant in
      // What settles within the first 0.3 s does not count.
      (instant < 2.28 ? .one : .zero) + SIMD2(instant, -instant)
        + SIMD2(noise.next(), noise.next()) * 0.01
    }.figures()
    #expect(abs(try #require(figures.rest) / 10 - 1) < 0.05)
    #expect(abs(try #require(figures.restStep) / 14.1 - 1) < 0.05)
  }

  /// A perfect signal drawn as a staircase of 30 Hz.
  @Test func aStaircaseJudders() throws {
    let figures = measure(slowMotion()) { motion, instant in
      motion.value(of: motion.ideal, at: (instant * 30).rounded(.down) / 30) * 5
    }.figures()
    #expect(abs(try #require(figures.judder) - 1.73) < 0.03)
    #expect(abs(try #require(figures.lagMilliseconds) - 1000 / 60) < 0.5)
  }

  @Test func tremorIsTheGainOfWhatIsCommon() throws {
    let samples = (0..<3000).map { index in
      let t = Double(index) / 100
      return FeelRecording.Sample(
        seconds: t, rate: SIMD3(0.3 * sin(2 * .pi * 9 * t), 0.4 * sin(2 * .pi * 11 * t), 0),
        startsSegment: index == 0)
    }
    var noise = ReferenceNoise()
    let figures = measure(samples) { motion, instant in
      motion.value(of: motion.measured, at: instant - 0.01) * 2.5
        + SIMD2(noise.next(), noise.next()) * 0.2
    }.figures()
    #expect(abs(try #require(figures.tremor) - 0.5) < 0.02)
  }

  @Test func percentilesAreBetweenTheTwoNearestValues() {
    #expect(FigureMeasure.percentile(50, of: [1, 2]) == 1.5)
    #expect(FigureMeasure.percentile(99, of: [7]) == 7)
    #expect(FigureMeasure.percentile(99, of: []) == nil)
    #expect(FigureMeasure.percentile(25, of: [0, 10, 20, 30, 40]) == 10)
  }
}

@Suite("Stops")
struct StopTests {
  /// The first numbers of NumPy's default_rng(1).normal(), and the first of its tail.
  @Test func theNoiseIsThatOfNumPy() {
    var noise = ReferenceNoise()
    let first = (0..<4).map { _ in noise.next() }
    let expected = [
      0.345584192064786, 0.8216181435011584, 0.33043707618338714, -1.303157231604361,
    ]
    for (value, wanted) in zip(first, expected) { #expect(abs(value - wanted) < 1e-13) }
    for _ in 4..<860 { _ = noise.next() }
    #expect(abs(noise.next() - 3.75163497) < 1e-8)
  }

  private func stopSegment(
    _ shown: (IdealMotion, Double) -> SIMD2<Double>
  ) throws -> (Double?, Double?) {
    StopTrace.overshoot(of: try segment(StopTrace.samples(), shown), scale: SIMD2(5, 5))
  }

  private func segment(
    _ samples: [GyroSample], mode: MotionMode = .rate,
    _ shown: (IdealMotion, Double) -> SIMD2<Double>
  ) throws -> ShownSegment {
    var settings = MotionSettings()
    settings.mode = mode
    var recording = FeelRecording(
      settings: settings, orientation: .normal, nominalRateHertz: 100, bias: .off)
    for sample in samples { _ = recording.add(sample) }
    let segment = try #require(recording.segments.first)
    let motion = IdealMotion(
      recording.kept[segment], settings: settings, orientation: .normal)
    let instants = motion.pictures(hertz: 119.88)
    return ShownSegment(motion, instants: instants, shown: instants.map { shown(motion, $0) })
  }

  @Test func theIdealStopsAtOnce() throws {
    let (overshoot, settling) = try stopSegment { motion, instant in
      motion.value(of: motion.ideal, at: instant) * 5
    }
    #expect(overshoot == 0)
    #expect(settling == 0)
  }

  @Test func aLatePictureSettlesLater() throws {
    let (overshoot, settling) = try stopSegment { motion, instant in
      motion.value(of: motion.ideal, at: instant - 0.1) * 5
    }
    #expect(try #require(overshoot) < 3)
    let late = try #require(settling)
    #expect(late > 90 && late < 140)
  }

  @Test func aPictureThatRunsOnOvershoots() throws {
    let (overshoot, _) = try stopSegment { motion, instant in
      let ideal = motion.value(of: motion.ideal, at: instant) * 5
      let before = motion.value(of: motion.ideal, at: instant - 0.05) * 5
      return 2 * ideal - before
    }
    #expect(try #require(overshoot) > 20)
  }

  /// A picture that is the measured motion, later, leaves each rest by that much later.
  @Test(arguments: [0, 0.0234])
  func theOnsetIsTheDelay(delay: Double) throws {
    let shown = try segment(StopTrace.samples()) { motion, instant in
      motion.value(of: motion.measured, at: instant - delay) * 5
    }
    let onset = try #require(StopTrace.onset(of: shown, scale: SIMD2(5, 5)))
    #expect(abs(onset - 1000 * delay) < 0.5)
  }

  /// The picture stays at 5 px until 0.2 s after the reversal of a turn, and then returns at 10 px/s.
  @Test func aReversalIsFollowedLate() throws {
    // The turn of 170 degrees takes longest; the others are followed from their first picture on.
    let begin = 34 + 170 * .pi / 180 / 3 + 0.1 + 0.5
    let shown = try segment(TurnTrace.samples(), mode: .tilt) { _, instant in
      let passed = instant - begin
      return SIMD2(passed < -1 ? 100 * instant : 5 - 10 * max(0, passed - 0.2), 0)
    }
    let reversal = try #require(TurnTrace.reversal(of: shown, reach: 5))
    #expect(abs(reversal - 225) < 9)
  }

  @Test func aPictureAtTheEndOfItsRangeThatShouldReturnIsWoundUp() throws {
    // An ideal returns from 7.5 px, where its limit is, at 43 px/s: by 45 degrees in 0.36 s, and twice to -7.5 px in
    // 0.4 s. Away from the other end it turns for 0.23 s each time, until it reaches the limit.
    for (shown, expected) in [(5, 1.05...1.2), (4.5, 0...0), (-5, 0.65...0.8)] as [(Double, _)] {
      let segment = try segment(TurnTrace.samples(), mode: .tilt) { _, _ in SIMD2(shown, 0) }
      let windup = FigureMeasure(
        [segment], scale: SIMD2(14.3, 14.3),
        range: IdealRange(
          lowest: SIMD2(repeating: -5), highest: SIMD2(repeating: 5), isSoft: true),
        nominalHertz: 120
      ).figures().windup
      let seconds = try #require(windup) / 100 * Double(segment.moving.count) / 119.88
      #expect(expected.contains(seconds))
    }
  }

  /// A picture that is 0.3 px off after the slow turn.
  @Test func theErrorAfterASlowTurnIsItsDistance() throws {
    let range = IdealRange(lowest: SIMD2(-5, -5), highest: SIMD2(5, 5), isSoft: false)
    let shown = try segment(SlowTurnTrace.samples()) { motion, instant in
      motion.value(of: motion.ideal, at: instant) * 5 + (instant < 8 ? 9 : 0.3)
    }
    let error = try #require(SlowTurnTrace.error(of: shown, scale: SIMD2(5, 5), range: range))
    #expect(abs(error - 0.3) < 1e-9)
  }
}
