// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The mean and two slopes of the driving rate, kept over the samples of a segment for `auto` smoothing
/// and for the velocity of unsmoothed motion.
///
/// An average m += dt / (tau + dt) (s - m) is late by exactly tau on a ramp, whatever the intervals between
/// the samples. So the difference between an average and the average of that average, divided by tau, is
/// the slope of the ramp. O(1) per sample.
struct SlopeTracker: Sendable {
  /// The time constant of the mean that is shown at rest.
  static let meanSeconds = 0.4
  /// The time constant of the steady slope: longer is calmer and later.
  static let steadySeconds = 0.02
  /// The time constant of the quick slope, which ends a motion that stops.
  static let quickSeconds = 0.002

  private(set) var mean = DrivingMotion.zero
  private var steady = Averages()
  private var quick = Averages()
  private var lastTime = MotionInstant.zero

  /// An average of the samples and the average of that average.
  private struct Averages {
    var once = DrivingMotion.zero
    var twice = DrivingMotion.zero

    mutating func add(_ motion: DrivingMotion, share: Double) {
      once.approach(motion, share: share)
      twice.approach(once, share: share)
    }

    func slope(timeConstantSeconds seconds: Double) -> DrivingMotion {
      DrivingMotion(a: (once.a - twice.a) / seconds, b: (once.b - twice.b) / seconds)
    }
  }

  /// Adds a sample in rad/s, newer than the last one.
  mutating func add(_ motion: DrivingMotion, time: MotionInstant, startsSegment: Bool) {
    if startsSegment {
      mean = motion
      steady = Averages(once: motion, twice: motion)
      quick = steady
    } else {
      let seconds = (time - lastTime).seconds
      mean.approach(motion, share: seconds / (Self.meanSeconds + seconds))
      steady.add(motion, share: seconds / (Self.steadySeconds + seconds))
      quick.add(motion, share: seconds / (Self.quickSeconds + seconds))
    }
    lastTime = time
  }

  /// rad/s per second.
  var steadySlope: DrivingMotion { steady.slope(timeConstantSeconds: Self.steadySeconds) }

  /// rad/s per second.
  var quickSlope: DrivingMotion { quick.slope(timeConstantSeconds: Self.quickSeconds) }
}

extension DrivingMotion {
  fileprivate mutating func approach(_ other: DrivingMotion, share: Double) {
    a += share * (other.a - a)
    b += share * (other.b - b)
  }
}
