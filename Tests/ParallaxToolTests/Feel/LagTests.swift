// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// Returns samples at 100 Hz whose rates about x and y are sums of slow waves.
func slowMotion(seconds: Double = 20, restFrom: Double = .infinity) -> [FeelRecording.Sample] {
  (0..<Int(seconds * 100)).map { index in
    let t = Double(index) / 100
    func wave(_ phase: Double) -> Double {
      t > restFrom
        ? 0 : 0.4 * sin(2.1 * t + phase) + 0.3 * sin(5.3 * t + 2 * phase) + 0.2 * sin(9.7 * t)
    }
    return FeelRecording.Sample(
      seconds: t, rate: SIMD3(wave(0.3), wave(1.7), 0), startsSegment: index == 0)
  }
}

/// Returns the measure of what `shown` makes of each instant.
func measure(
  _ samples: [FeelRecording.Sample], hertz: Double = 120, reach: Double = 20,
  shown: (IdealMotion, Double) -> SIMD2<Double>
) -> FigureMeasure {
  let motion = IdealMotion(samples[...], settings: MotionSettings(), orientation: .normal)
  let instants = motion.pictures(hertz: hertz * Display.rateShare)
  let segment = ShownSegment(motion, instants: instants, shown: instants.map { shown(motion, $0) })
  return FigureMeasure(
    [segment], scale: SIMD2(5, 5),
    range: IdealRange(
      lowest: SIMD2(repeating: -reach), highest: SIMD2(repeating: reach), isSoft: false),
    nominalHertz: hertz)
}

@Suite("The lag of signals with a known delay")
struct LagTests {
  @Test(arguments: [-0.0123, 0, 0.0234, 0.1501], [60.0, 120.0])
  func aKnownDelayIsFound(delay: Double, hertz: Double) throws {
    let figures = measure(slowMotion(), hertz: hertz) { motion, instant in
      motion.value(of: motion.ideal, at: instant - delay) * 5
    }.figures()
    #expect(abs(try #require(figures.lagMilliseconds) - 1000 * delay) < 0.1)
    #expect(abs(try #require(figures.slowLagMilliseconds) - 1000 * delay) < 0.3)
    #expect(try #require(figures.judder) < 0.02)
  }

  @Test func theIdealItselfHasNoError() throws {
    let figures = measure(slowMotion()) { motion, instant in
      motion.value(of: motion.ideal, at: instant) * 5
    }.figures()
    #expect(figures.error == 0)
    #expect(figures.errorPercentile == 0)
    #expect(figures.judder.map { $0 < 1e-3 } == true)
  }

  @Test func aClampedPictureIsHeldAgainstAClampedIdeal() throws {
    let figures = measure(slowMotion(), reach: 1) { motion, instant in
      (motion.value(of: motion.ideal, at: instant - 0.02) * 5)
        .clamped(lowerBound: SIMD2(-1, -1), upperBound: SIMD2(1, 1))
    }.figures()
    #expect(abs(try #require(figures.lagMilliseconds) - 20) < 0.1)
  }

  @Test func aPictureThatStandsStillHasNoLag() {
    let figures = measure(slowMotion()) { _, _ in SIMD2(1, 2) }.figures()
    #expect(figures.lagMilliseconds == nil)
    #expect(figures.judder == nil)
    #expect(figures.error != nil)
  }

  @Test func aDelayBeyondTheSearchIsNoFigure() {
    let figures = measure(slowMotion()) { motion, instant in
      motion.value(of: motion.ideal, at: instant - 0.45) * 5
    }.figures()
    #expect(figures.lagMilliseconds == nil)
  }

  @Test func withoutMotionOnlyRestIsMeasured() {
    let figures = measure(slowMotion(seconds: 30, restFrom: -1)) { _, _ in .zero }.figures()
    #expect(figures.lagMilliseconds == nil)
    #expect(figures.slowLagMilliseconds == nil)
    #expect(figures.error == nil)
    #expect(figures.errorPercentile == nil)
    #expect(figures.judder == nil)
    #expect(figures.tremor == nil)
    #expect(figures.rest == 0)
    #expect(figures.restStep == 0)
  }
}
