/// Decides which samples count, and when: times strictly increase, a gap ends a segment, and a clock
/// that was set back starts a new one instead of silencing the sensor for good.
package struct TimeRule: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The sample counts, at this time (rebased where the clock was set back). A new segment begins
    /// where `startsSegment` says so: at the first sample and behind every gap.
    case kept(timeNanoseconds: Int64, startsSegment: Bool)
    /// As `kept`, at the start of a segment: the clock was set back and is mapped to go on.
    case rebased(timeNanoseconds: Int64)
    /// The same time as the last kept sample: the first one stays.
    case duplicate
    /// Earlier than the last kept sample.
    case backwards
    /// Beyond `GyroSample.timeLimitNanoseconds`.
    case outOfRange
  }

  /// So many samples that go back, rising among themselves, mean that the clock was set back.
  package static let backwardsRunLength = 8
  /// Samples farther apart than this belong to different segments.
  package static let longestGapSeconds = 0.5
  /// Below this rate the gap grows to two periods: one lost sample is no gap.
  package static let slowRateHertz = 4.0

  private let periodNanoseconds: Int64
  private let longestGapNanoseconds: Int64
  private var lastKept: Int64?
  /// Added to every incoming time; 0 until a clock was set back.
  private var rebase: Int64 = 0
  private var backwardsRun = 0
  private var lastBackwards: Int64 = 0
  private var newSegment = SegmentRequest.none

  private enum SegmentRequest {
    /// Segments begin by the rule alone.
    case none
    /// The next sample begins one, at its own time.
    case atOwnTime
    /// The next sample begins one at the last kept time + 1/R, whatever its own time.
    case continuing
  }

  package init(frameRate: FrameRate) {
    periodNanoseconds = Int64((1e9 / frameRate.timeRuleHertz).rounded())
    longestGapNanoseconds = Self.longestGapNanoseconds(frameRate)
  }

  static func longestGapNanoseconds(_ frameRate: FrameRate) -> Int64 {
    let hertz = frameRate.timeRuleHertz
    let gapSeconds = hertz < slowRateHertz ? 2 / hertz : longestGapSeconds
    return Int64((gapSeconds * 1e9).rounded())
  }

  /// Begins a segment at the next sample. `continuing` lets the clock go on at the last kept time
  /// + 1/R (a trace that is played again); else the sample's own time counts as long as it rises.
  package mutating func startSegment(continuing: Bool) {
    newSegment = continuing ? .continuing : .atOwnTime
  }

  package mutating func admit(_ stampNanoseconds: Int64) -> Verdict {
    guard
      stampNanoseconds.magnitude <= GyroSample.timeLimitNanoseconds.magnitude,
      case let (time, overflow) = stampNanoseconds.addingReportingOverflow(rebase), !overflow,
      time.magnitude <= GyroSample.timeLimitNanoseconds.magnitude
    else { return .outOfRange }
    guard let last = lastKept else {
      newSegment = .none
      return keep(time, startsSegment: true)
    }
    switch newSegment {
    case .none: break
    case .atOwnTime where time > last: return keep(time, startsSegment: true)
    case .atOwnTime, .continuing: return goOn(from: time, after: last)
    }
    if time > last {
      return keep(time, startsSegment: time - last > longestGapNanoseconds)
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
    _ = goOn(from: time, after: last)
    return .rebased(timeNanoseconds: last + periodNanoseconds)
  }

  private mutating func keep(_ time: Int64, startsSegment: Bool) -> Verdict {
    lastKept = time
    backwardsRun = 0
    newSegment = .none
    return .kept(timeNanoseconds: time, startsSegment: startsSegment)
  }

  /// Maps `time` to one period behind `last`, and everything after it alike.
  private mutating func goOn(from time: Int64, after last: Int64) -> Verdict {
    let next = last + periodNanoseconds
    rebase += next - time
    return keep(next, startsSegment: true)
  }
}
