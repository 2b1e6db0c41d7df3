// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// A reading of a gyroscope as its driver gave it, in SI units.
package struct GyroScan: Equatable, Sendable {
  /// On the device's clock, see `GyroFacts.clock`; nil: the device gives no timestamps.
  package var stamp: MotionInstant?
  /// When it was read, on CLOCK_MONOTONIC.
  package var arrival: MotionInstant
  /// In the sensor's frame, with its zero offset.
  package var rateRadPerSec: AngularRate
  /// In the accelerometer's frame; nil: not read in this scan.
  package var acceleration: Acceleration?
  /// How many scans before this one the kernel dropped because they were not read in time.
  package var lostBefore: UInt64

  package init(
    stamp: MotionInstant?, arrival: MotionInstant, rateRadPerSec: AngularRate,
    acceleration: Acceleration? = nil, lostBefore: UInt64 = 0
  ) {
    self.stamp = stamp
    self.arrival = arrival
    self.rateRadPerSec = rateRadPerSec
    self.acceleration = acceleration
    self.lostBefore = lostBefore
  }
}

/// Converts a driver's numbers to rad/s or m/s²: value = (raw + offset) * scale
/// (Linux Documentation/ABI/testing/sysfs-bus-iio).
struct RawScale: Equatable, Sendable {
  var offset: Double
  var scale: Double

  func value(_ raw: Double) -> Double { (raw + offset) * scale }
}
