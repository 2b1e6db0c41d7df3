// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The number of samples in a recording and the time they cover.
package struct RecordingTally: Equatable, Sendable {
  package private(set) var samples = 0
  private var firstTime = MotionInstant.zero
  private var lastTime = MotionInstant.zero

  package init() {}

  /// The time from the first sample to `time`.
  package func span(to time: MotionInstant) -> MotionDuration {
    samples == 0 ? .zero : time - firstTime
  }

  /// The time from the first sample to the last.
  package var span: MotionDuration { lastTime - firstTime }

  /// The mean rate in Hz; nil for fewer than two samples.
  package var rateHertz: Double? {
    samples < 2 ? nil : Double(samples - 1) * 1e9 / Double(span.nanoseconds)
  }

  package mutating func add(_ time: MotionInstant) {
    if samples == 0 { firstTime = time }
    lastTime = time
    samples += 1
  }
}
