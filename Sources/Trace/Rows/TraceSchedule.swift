// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// When each sample of a trace is due.
///
/// It applies the pipeline's time rule, so a clock that was set back and a repetition cause no pause.
package struct TraceSchedule: Sendable {
  private let start: MotionInstant
  private var rule: TimeRule
  /// From the trace's clock to CLOCK_MONOTONIC; nil before the first sample.
  private var shift: MotionDuration?
  /// When the last sample is due. It never goes back.
  package private(set) var due: MotionInstant
  /// Whether the current pass has a valid sample.
  package private(set) var hasKept = false

  package init(frameRate: FrameRate, start: MotionInstant) {
    self.start = start
    rule = TimeRule(frameRate: frameRate)
    due = start
  }

  /// Returns the sample with its time on CLOCK_MONOTONIC, and when it is due.
  package mutating func place(_ sample: GyroSample) -> (sample: GyroSample, due: MotionInstant) {
    var placed = sample
    if shift == nil, sample.rateRadPerSec.isFinite {
      shift = MotionDuration(nanoseconds: start.nanoseconds &- sample.time.nanoseconds)
    }
    // A trace may have any times: the time rule refuses those that wrap.
    placed.time = MotionInstant(
      nanoseconds: sample.time.nanoseconds &+ (shift ?? .zero).nanoseconds)
    guard sample.rateRadPerSec.isFinite else { return (placed, due) }
    switch rule.admit(placed.time) {
    case .kept(let time, _), .rebased(let time):
      hasKept = true
      due = max(due, time)
    case .duplicate, .backwards, .outOfRange: break
    }
    return (placed, due)
  }

  /// Starts another pass over the trace. Time continues.
  package mutating func restart() {
    rule.startSegment(continuing: true)
    hasKept = false
  }
}
