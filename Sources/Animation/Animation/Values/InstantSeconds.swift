// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

extension MotionInstant {
  /// Returns the instant that many seconds later, rounded to the nearest nanosecond; nil if the
  /// clock does not reach that far. Negative numbers count as 0.
  func adding(seconds: Double) -> MotionInstant? {
    let length = (seconds * 1e9).rounded()
    guard length < 9e18 else { return nil }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(Int64(max(0, length)))
    return overflow ? nil : MotionInstant(nanoseconds: sum)
  }

  /// Returns the seconds that have passed since `start`; 0 if that is later.
  func seconds(since start: MotionInstant) -> Double {
    guard self > start else { return 0 }
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return overflow ? .infinity : Double(difference) * 1e-9
  }
}
