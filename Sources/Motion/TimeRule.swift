// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Decides which samples count, and at what time: times strictly increase, a gap ends a segment,
/// and a clock that was set back starts a new segment instead of silencing the sensor permanently.
package struct TimeRule: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The sample counts, at this time (rebased after the clock was set back). The first sample and
    /// the first after a gap start a segment.
    case kept(time: MotionInstant, startsSegment: Bool)
    /// The sample counts and starts a segment: the clock was set back and is mapped to continue.
    case rebased(time: MotionInstant)
    /// The same time as the last kept sample, which stays.
    case duplicate
    /// Earlier than the last kept sample.
    case backwards
    /// Beyond `MotionInstant.maxAdmissible`.
    case outOfRange
  }

  /// The number of samples with earlier but rising times that shows that the clock was set back.
  package static let backwardsRunLength = 8
  /// The largest interval between samples of one segment.
  package static let maxGapSeconds = 0.5
  /// Below this rate the largest interval is two periods: a single lost sample is not a gap.
  package static let slowRateHertz = 4.0

  private let period: MotionDuration
  let maxGap: MotionDuration
  private(set) var lastKept: MotionInstant?
  /// Added to every incoming time; 0 until a clock was set back.
  private var rebase = MotionDuration.zero
  private var backwardsRun = 0
  private var lastBackwards = MotionInstant.zero
  private var newSegment = SegmentRequest.none

  private enum SegmentRequest {
    /// Segments start by the rule alone.
    case none
    /// The next sample starts one, at its own time.
    case atOwnTime
    /// The next sample starts one at the last kept time + 1/R, regardless of its own time.
    case continuing
  }

  package init(frameRate: FrameRate) {
    period = MotionDuration(nanoseconds: Int64((1e9 / frameRate.timeRuleHertz).rounded()))
    maxGap = Self.maxGap(frameRate)
  }

  static func maxGap(_ frameRate: FrameRate) -> MotionDuration {
    let hertz = frameRate.timeRuleHertz
    let gapSeconds = hertz < slowRateHertz ? 2 / hertz : maxGapSeconds
    return MotionDuration(seconds: gapSeconds)
  }

  /// Starts a segment at the next sample.
  ///
  /// - Parameter continuing: whether the clock continues at the last kept time + 1/R, as when a
  ///   trace is played again. Otherwise the sample has its own time if that is later.
  package mutating func startSegment(continuing: Bool) {
    newSegment = continuing ? .continuing : .atOwnTime
  }

  package mutating func admit(_ stamp: MotionInstant) -> Verdict {
    guard
      stamp.isAdmissible,
      case let (nanoseconds, overflow) = stamp.nanoseconds.addingReportingOverflow(
        rebase.nanoseconds),
      !overflow, case let time = MotionInstant(nanoseconds: nanoseconds), time.isAdmissible
    else { return .outOfRange }
    guard let last = lastKept else {
      newSegment = .none
      return keep(time, startsSegment: true)
    }
    switch newSegment {
    case .none: break
    case .atOwnTime where time > last: return keep(time, startsSegment: true)
    case .atOwnTime, .continuing: return continueClock(from: time, after: last)
    }
    if time > last {
      return keep(time, startsSegment: time - last > maxGap)
    }
    if time == last {
      backwardsRun = 0
      return .duplicate
    }
    if backwardsRun == 0 || time < lastBackwards {
      backwardsRun = 1
      lastBackwards = time
    } else if time > lastBackwards {
      backwardsRun += 1
      lastBackwards = time
    }
    guard backwardsRun == Self.backwardsRunLength else { return .backwards }
    _ = continueClock(from: time, after: last)
    return .rebased(time: last + period)
  }

  /// The last kept time, if the next one only has to be later by at most `maxGap`.
  var runStart: MotionInstant? {
    guard case .none = newSegment, rebase == .zero else { return nil }
    return lastKept
  }

  /// Takes over the last time of a run, in which every sample was kept.
  mutating func endRun(at last: MotionInstant) {
    lastKept = last
    backwardsRun = 0
  }

  private mutating func keep(_ time: MotionInstant, startsSegment: Bool) -> Verdict {
    lastKept = time
    backwardsRun = 0
    newSegment = .none
    return .kept(time: time, startsSegment: startsSegment)
  }

  /// Maps `time` to one period after `last`, and all later times with it.
  private mutating func continueClock(from time: MotionInstant, after last: MotionInstant)
    -> Verdict
  {
    let next = last + period
    rebase += next - time
    return keep(next, startsSegment: true)
  }
}
