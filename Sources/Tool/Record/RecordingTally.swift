// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The number of samples in a recording and the time they cover.
struct RecordingTally: Equatable, Sendable {
  private(set) var samples = 0
  private var firstTime = MotionInstant.zero
  private var lastTime = MotionInstant.zero

  init() {}

  /// The time from the first sample to `time`.
  func span(to time: MotionInstant) -> MotionDuration {
    samples == 0 ? .zero : time - firstTime
  }

  /// The time from the first sample to the last.
  var span: MotionDuration { lastTime - firstTime }

  /// The mean rate in Hz; nil for fewer than two samples.
  var rateHertz: Double? {
    samples < 2 ? nil : Double(samples - 1) * 1e9 / Double(span.nanoseconds)
  }

  mutating func add(_ time: MotionInstant) {
    if samples == 0 { firstTime = time }
    lastTime = time
    samples += 1
  }
}
