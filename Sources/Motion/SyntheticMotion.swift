// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Endless motion like that of a hand that holds and turns a device, for demonstrations and for
/// machines without a sensor. The same seed gives the same motion.
///
/// A sum of sines whose frequencies have no common period: slow turns (0.1 to 1 Hz with the 1/f
/// amplitudes of voluntary motion) and a faint physiological tremor (8 to 12 Hz: Elble and Koller,
/// "Tremor", 1990).
package struct SyntheticMotion: Sendable {
  /// Samples per second. At the pipeline's default rate each is a frame.
  package static let rateHertz = 30.0

  private struct Tone {
    var hertz: Double
    var amplitudeRadPerSec: Double
    var phase: Double
  }

  private var axes: [[Tone]]

  package init(seed: UInt64) {
    var random = SplitMix64(state: seed)
    axes = (0..<3).map { axis in
      // Hands turn a device most about its long axis, least about the screen's normal.
      let strength = [0.5, 0.6, 0.25][axis]
      let slow = [0.11, 0.23, 0.41, 0.67, 0.97].map { hertz in
        Tone(
          hertz: hertz * (0.9 + 0.2 * random.unit()),
          amplitudeRadPerSec: strength * 0.11 / hertz * (0.8 + 0.4 * random.unit()) + 0.02,
          phase: 2 * Double.pi * random.unit())
      }
      let tremor = (0..<2).map { _ in
        Tone(
          hertz: 8 + 4 * random.unit(), amplitudeRadPerSec: 0.004,
          phase: 2 * Double.pi * random.unit())
      }
      return slow + tremor
    }
  }

  /// Returns the sample at a time since the motion's start.
  package func sample(at time: MotionInstant) -> GyroSample {
    let seconds = time.seconds
    func rate(_ tones: [Tone]) -> Double {
      tones.reduce(0) {
        $0 + $1.amplitudeRadPerSec * sin(2 * Double.pi * $1.hertz * seconds + $1.phase)
      }
    }
    return GyroSample(
      time: time,
      rateRadPerSec: AngularRate(x: rate(axes[0]), y: rate(axes[1]), z: rate(axes[2])))
  }
}

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014.
private struct SplitMix64 {
  var state: UInt64

  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Double(z >> 11) * 0x1p-53
  }
}
