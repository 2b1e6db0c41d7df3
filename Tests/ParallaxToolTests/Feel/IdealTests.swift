// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxMotion
import ParallaxTestSupport
import ParallaxBase
import Testing

@testable import ParallaxTool

@Suite("The ideal: filter, tilt and rests")
struct IdealTests {
  @Test(arguments: [0.5, 3, 10, 17, 40])
  func theLowPassHasItsGainAndDelaysNothing(hertz: Double) {
    let signal = (0..<6000).map { index in
      let angle = 2 * .pi * hertz * Double(index) / 1000
      return SIMD2(sin(angle), cos(angle))
    }
    let filtered = ZeroPhaseLowPass(cutoffHertz: 10, rateHertz: 1000)
      .filtered(signal, margin: 1000)
    let gain = 1 / (1 + pow(hertz / 10, 4))
    for index in 1000..<5000 {
      let difference = filtered[index] - gain * signal[index]
      #expect(max(abs(difference.x), abs(difference.y)) < 1e-6)
    }
  }

  @Test func theLowPassKeepsALineUpToItsEnds() {
    let line = (0..<3000).map { SIMD2(Double($0), 7) }
    let filtered = ZeroPhaseLowPass(cutoffHertz: 10, rateHertz: 1000).filtered(line, margin: 1000)
    for index in line.indices {
      #expect(abs(filtered[index].x - line[index].x) < 1e-6)
      #expect(abs(filtered[index].y - 7) < 1e-9)
    }
  }

  /// 20 degrees about y, then a quarter turn about z: the viewer is then above instead of to the side.
  @Test func aTurnAboutZTurnsTheTilt() throws {
    let samples = (0...2000).map { index in
      FeelRecording.Sample(
        seconds: Double(index) / 1000,
        rate: index < 1000
          ? SIMD3(0, 20 * .pi / 180, 0) : SIMD3(0, 0, .pi / 2), startsSegment: index == 0)
    }
    let angles = ViewerAngle.angles(of: samples[...], timeConstantSeconds: 1e9, limit: .infinity)
    #expect(abs(angles[1000].x * 180 / .pi - 20) < 0.1)
    #expect(abs(angles[1000].y) < 0.01)
    #expect(abs(angles[2000].x * 180 / .pi) < 0.1)
    #expect(abs(angles[2000].y * 180 / .pi - 20) < 0.1)
  }

  @Test func tiltReturnsWithTheTimeConstant() {
    let samples = (0...800).map { index in
      FeelRecording.Sample(
        seconds: Double(index) / 100, rate: index < 100 ? SIMD3(0.1, 0, 0) : .zero,
        startsSegment: index == 0)
    }
    let angles = ViewerAngle.angles(of: samples[...], timeConstantSeconds: 2, limit: .infinity)
    #expect(abs(angles[700].y / angles[300].y - exp(-2)) < 1e-9)
  }

  /// A ramp is late by the delay, whatever the intervals; after a gap, the filter starts again.
  @Test func theSensorsLowPassDelays() {
    var sensor = SensorLowPass(delaySeconds: 0.006)
    var seconds = 0.0
    func read(_ rate: Double) -> Double {
      sensor.filtered(
        GyroSample(
          time: .zero + MotionDuration(seconds: seconds),
          rateRadPerSec: AngularRate(x: rate, y: -rate, z: 0))
      ).rateRadPerSec.x
    }
    var last = 0.0
    for index in 0..<300 {
      last = read(3 * seconds)
      seconds += index % 2 == 0 ? 0.009 : 0.011
    }
    #expect((last - 3 * (seconds - 0.011 - 0.006)).magnitude < 1e-3)
    seconds += 0.6
    #expect(read(-2) == -2)
  }

  /// The sliding window against its definition, sample by sample.
  @Test func restsAreThoseOfTheDefinition() {
    var generator = SeededGenerator.forTest(salt: 71)
    for _ in 0..<20 {
      var samples: [FeelRecording.Sample] = []
      var seconds = 0.0
      while samples.count < 1500 {
        let isStill = Double.random(in: 0...1, using: &generator) < 0.6
        for _ in 0..<Int.random(in: 20...200, using: &generator) {
          let size = isStill ? 0.015 : 0.3
          seconds += Double.random(in: 0.005...0.03, using: &generator)
          samples.append(
            FeelRecording.Sample(
              seconds: seconds,
              rate: SIMD3(
                .random(in: -size...size, using: &generator), 0.1,
                .random(in: -size...size, using: &generator)), startsSegment: samples.isEmpty))
        }
      }
      #expect(RestFinder.rests(in: samples[...]) == restsByDefinition(samples), "\(generator.note)")
    }
  }

  private func restsByDefinition(_ samples: [FeelRecording.Sample]) -> [ClosedRange<Double>] {
    var still = [Bool](repeating: false, count: samples.count)
    for (index, sample) in samples.enumerated() {
      guard sample.seconds - samples[0].seconds >= 1 else { continue }
      let low = samples.firstIndex { $0.seconds >= sample.seconds - 1 } ?? index
      let window = samples[low...index].map(\.rate)
      let mean = window.reduce(.zero, +) / Double(window.count)
      guard
        window.allSatisfy({ rate in
          (0..<3).allSatisfy { abs(rate[$0] - mean[$0]) <= 0.02 }
        })
      else { continue }
      for place in low...index { still[place] = true }
    }
    var rests: [ClosedRange<Double>] = []
    var start: Int?
    for index in 0...samples.count {
      let isStill = index < samples.count && still[index]
      if isStill, start == nil { start = index }
      if !isStill, let first = start {
        rests.append(samples[first].seconds...samples[index - 1].seconds)
        start = nil
      }
    }
    return rests
  }

  @Test func picturesInRestsDoNotMove() {
    let motion = IdealMotion(
      slowMotion(seconds: 20, restFrom: 10)[...], settings: MotionSettings(), orientation: .normal)
    #expect(motion.rests.count == 1)
    #expect(motion.moves(at: [5, 9.9, 10.5, 15]) == [true, true, false, false])
  }
}
