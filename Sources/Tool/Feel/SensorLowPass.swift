// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// The low-pass that a gyroscope applies before its samples are read, as a delay.
///
/// Two averages one after the other, each of which is late by half of it on a ramp. A sensor's data sheet gives its own: an
/// MPU-9250 that is read at 100 Hz, which Linux sets to a bandwidth of 41 Hz, is 5.9 ms late (register map RM-MPU-9250A-00,
/// `DLPF_CFG`).
struct SensorLowPass {
  private let timeConstantSeconds: Double
  private var first = AngularRate.zero
  private var second = AngularRate.zero
  private var last: MotionInstant?

  init(delaySeconds: Double) {
    timeConstantSeconds = delaySeconds / 2
  }

  /// Returns the sample as it would have been read. After a gap, the averages begin again.
  mutating func filtered(_ sample: GyroSample) -> GyroSample {
    guard sample.rateRadPerSec.isFinite else { return sample }
    let seconds = last.map { (sample.time - $0).seconds } ?? .infinity
    last = sample.time
    if seconds > 0, seconds <= 0.5 {
      let share = seconds / (timeConstantSeconds + seconds)
      first = Self.mix(first, sample.rateRadPerSec, share)
      second = Self.mix(second, first, share)
    } else {
      (first, second) = (sample.rateRadPerSec, sample.rateRadPerSec)
    }
    return GyroSample(time: sample.time, rateRadPerSec: second)
  }

  private static func mix(_ old: AngularRate, _ new: AngularRate, _ share: Double) -> AngularRate {
    AngularRate(
      x: old.x + (new.x - old.x) * share, y: old.y + (new.y - old.y) * share,
      z: old.z + (new.z - old.z) * share)
  }
}
