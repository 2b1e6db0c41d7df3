// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxMotion

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Someone looks around in the first seconds: the device turns smoothly, lies for a moment, and is carried away.
@Suite struct FirstTurnTests {
  /// A turn about y, rad/s, how long it lasts and how long the device then lies, s.
  private static let turns: [(Double, Double, Double)] = [
    (0.1, 5, 6), (0.1, 10, 6), (0.2, 5, 6), (-0.2, 10, 6), (0.35, 5, 6), (-0.35, 10, 6),
    // The slower and longer a turn, the more it looks like bias, until the rest.
    (0.05, 5, 6), (0.05, 10, 15),
  ]

  /// Samples at 100 Hz of a gyroscope with this bias: the turn with the noise of a sensor, a rest, and a walk.
  private func samples(
    turn: Double, for seconds: Double, rest: Double, bias: AngularRate,
    using generator: inout SeededGenerator
  ) -> [GyroSample] {
    let walk = HeldDevice(strength: 2, using: &generator)
    let hertz = 100.0
    return (0..<Int((seconds + rest + 30) * hertz)).map { index in
      let time = Double(index) / hertz
      func noise() -> Double { .random(in: -0.003...0.003, using: &generator) }
      var rate = AngularRate(x: noise(), y: noise(), z: noise()) + bias
      if time < seconds {
        rate = rate + AngularRate(x: 0, y: turn, z: 0)
      } else if time >= seconds + rest {
        let step = 0.35 * sin(2 * .pi * 1.5 * time)
        rate = rate + walk.rate(at: time) + AngularRate(x: step, y: -step / 2, z: step / 3)
      }
      return GyroSample(time: .zero + MotionDuration(seconds: time), rateRadPerSec: rate)
    }
  }

  /// The offsets after `start`, and the bias at the end.
  private func offsets(
    _ samples: [GyroSample], _ mode: MotionMode, _ bias: BiasState, after start: Double
  ) -> ([PixelOffset], BiasState) {
    var settings = MotionSettings()
    settings.mode = mode
    var pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: 100, bias: bias)
    var offsets: [PixelOffset] = []
    for sample in samples {
      _ = pipeline.push(sample)
      while let frame = pipeline.nextFrame() {
        if frame.time.seconds >= start { offsets.append(frame.offset) }
      }
    }
    return (offsets, pipeline.biasState)
  }

  private func distance(_ one: [PixelOffset], _ other: [PixelOffset]) -> Double {
    zip(one, other).map { max(($0.x - $1.x).magnitude, ($0.y - $1.y).magnitude) }.max() ?? .infinity
  }

  /// From the end of the rest on, and after a restart, nothing is off by more than 0.3 px.
  @Test(arguments: [MotionMode.rate, .tilt]) func aSmoothTurnIsNotBias(mode: MotionMode) {
    var generator = SeededGenerator.forTest()
    for (turn, seconds, rest) in Self.turns {
      for bias in [AngularRate.zero, AngularRate(x: 0.004, y: -0.006, z: 0.003)] {
        let (start, walks) = (seconds + rest, generator)
        let own = samples(turn: turn, for: seconds, rest: rest, bias: bias, using: &generator)
        var again = walks
        let true0 = samples(turn: turn, for: seconds, rest: rest, bias: .zero, using: &again)
        let (shown, found) = offsets(own, mode, .auto(nil), after: start)
        let (ideal, _) = offsets(true0, mode, .off, after: start)
        let name = "\(turn) rad/s for \(seconds) s, bias \(bias)"
        #expect(distance(shown, ideal) <= 0.3, "\(name), \(generator.note)")
        let (later, _) = offsets(own, mode, found, after: start)
        #expect(distance(later, ideal) <= 0.3, "\(name), after a restart, \(generator.note)")
      }
    }
  }
}
