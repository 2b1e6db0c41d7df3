// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The rate of a source that does not state one: the median of the first 16 intervals between kept
/// samples. A median is robust against the dropouts and jitter at the start of a recording.
package struct NominalRate: Sendable {
  package static let intervalCount = 16

  private var rule: TimeRule
  private var lastKept: MotionInstant?
  private var intervals: [MotionDuration] = []

  package init(frameRate: FrameRate) {
    rule = TimeRule(frameRate: frameRate)
    intervals.reserveCapacity(Self.intervalCount)
  }

  /// Whether there are enough intervals; further samples are ignored.
  package var isComplete: Bool { intervals.count >= Self.intervalCount }

  package mutating func add(_ sample: GyroSample) {
    guard !isComplete, sample.rateRadPerSec.isFinite else { return }
    switch rule.admit(sample.time) {
    case .kept(let time, _), .rebased(let time):
      if let last = lastKept { intervals.append(time - last) }
      lastKept = time
    case .duplicate, .backwards, .outOfRange: break
    }
  }

  /// Hz; nil before two samples were kept.
  package var hertz: Double? {
    guard !intervals.isEmpty else { return nil }
    let sorted = intervals.sorted()
    let middle = sorted.count / 2
    let median =
      sorted.count.isMultiple(of: 2)
      ? (Double(sorted[middle - 1].nanoseconds) + Double(sorted[middle].nanoseconds)) / 2
      : Double(sorted[middle].nanoseconds)
    return 1e9 / median
  }
}
