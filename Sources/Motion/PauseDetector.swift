// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Detects the moments between two motions in which a hand keeps a device still.
///
/// Keeps the extremes and the sum of the samples since a start, not the samples. The start moves
/// past a sample that is too far from another one, so a pause may be found up to its own length
/// late. Google's context hub tests windows of 0.5 s in the same way (CHRE `nano_calibration`,
/// `window_time_duration_nanos`), there by their variance.
struct PauseDetector: Sendable {
  static let minSeconds = 0.3
  /// The largest difference between two samples of an axis, rad/s: within 0.02 of the middle.
  static let maxSpreadRadPerSec = 0.04
  /// At 10 samples per second a pause takes 0.7 s.
  static let minCount = 8.0

  private var start: MotionInstant?
  private var low = AngularRate.zero
  private var high = AngularRate.zero
  private var sum = AngularRate.zero
  private var count = 0.0

  /// Adds a sample, newer than the last one.
  ///
  /// - Returns: The mean rate of a pause that this sample completes, else nil. The next pause begins
  ///   after it.
  mutating func add(_ rate: AngularRate, time: MotionInstant) -> AngularRate? {
    guard let start else {
      begin(rate, time: time)
      return nil
    }
    low = AngularRate(x: min(low.x, rate.x), y: min(low.y, rate.y), z: min(low.z, rate.z))
    high = AngularRate(x: max(high.x, rate.x), y: max(high.y, rate.y), z: max(high.z, rate.z))
    guard high.isWithin(Self.maxSpreadRadPerSec, of: low) else {
      begin(rate, time: time)
      return nil
    }
    sum = sum + rate
    count += 1
    guard count >= Self.minCount, (time - start).seconds >= Self.minSeconds else { return nil }
    self.start = nil
    return sum * (1 / count)
  }

  private mutating func begin(_ rate: AngularRate, time: MotionInstant) {
    start = time
    low = rate
    high = rate
    sum = rate
    count = 1
  }
}
