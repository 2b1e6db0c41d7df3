// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// When a polled gyroscope is read: evenly, however long a reading takes. Missed readings are skipped.
struct PollSchedule: Equatable {
  private let start: MotionInstant
  private let periodNanoseconds: Double
  private var index: Int64 = 0

  /// - Parameter hertz: Readings per second, above 0.
  init(hertz: Double, start: MotionInstant) {
    self.start = start
    periodNanoseconds = 1e9 / hertz
  }

  /// When the next reading begins.
  var due: MotionInstant {
    start + .nanoseconds(Int64((Double(index) * periodNanoseconds).rounded()))
  }

  /// Notes that a reading begins now.
  mutating func advance(at now: MotionInstant) {
    let elapsed = Double((now - start).nanoseconds)
    index = max(index, Int64((elapsed / periodNanoseconds).rounded(.down))) + 1
  }
}
