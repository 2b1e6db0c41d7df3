// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Maps a device's timestamps to CLOCK_MONOTONIC.
///
/// The kernel stamps samples with CLOCK_MONOTONIC if the driver supports it. Some drivers do not,
/// and sensor hubs use their own clock even if the kernel's label says otherwise. Such a foreign
/// clock is mapped by the smallest arrival - stamp of the last 10 s, that of the sample with the
/// least delay. In the first second of a segment the mapping follows at once; later it moves by at
/// most 1 ms per second, which keeps the pace of motion. Rising stamps stay in order.
package struct StampClock: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// CLOCK_MONOTONIC, until a stamp disproves it.
    case monotonic
    /// Any other clock of about the same pace.
    case foreign
  }

  package struct Mapped: Equatable, Sendable {
    /// The sample's time in CLOCK_MONOTONIC.
    package var time: MotionInstant
    /// Whether the mapping, and with it a segment, starts at this sample, as at the first one.
    package var startsSegment: Bool
  }

  /// The farthest that a stamp of CLOCK_MONOTONIC may be ahead of its arrival.
  static let maxLead: MotionDuration = .milliseconds(1)
  /// The largest age of a stamp of CLOCK_MONOTONIC: the clock is foreign if the newest samples of
  /// the first drains are all older.
  static let maxLag: MotionDuration = .seconds(1)
  static let judgedDrains = 3
  /// The window of the smallest arrival - stamp, and the spacing of its candidates.
  static let window: MotionDuration = .seconds(10)
  static let windowSpacing: MotionDuration = .milliseconds(10)
  /// The time of arrivals for which the mapping of a new segment moves freely.
  static let freeSpan: MotionDuration = .seconds(1)
  /// The mapping then moves by at most one part in this many: 1 ms per second.
  static let slewDivisor: Int64 = 1000
  /// The smallest step back of a clock that was set back.
  static let maxStepBack: MotionDuration = .milliseconds(500)
  /// The largest error of a mapping. It restarts at once if times are ahead of their arrival by
  /// more, and after a second in which even the newest samples lag by more.
  static let maxError: MotionDuration = .milliseconds(500)

  package private(set) var kind: Kind

  private let maxGap: MotionDuration
  private var hasProved = false
  private var staleDrains = 0
  private var lastArrival = MotionInstant.distantPast

  private var window = SlidingMinimum(span: window, spacing: windowSpacing)
  /// Added to every stamp of a foreign clock.
  private var shift = MotionDuration.zero
  /// The latest stamp and its mapped time; nil: the next sample begins a segment.
  private var last: Latest?
  /// The arrival until which the mapping moves freely.
  private var freeUntil = MotionInstant.zero
  /// The arrival since which even the newest samples lag by more than `maxError`.
  private var lateSince: MotionInstant?

  private struct Latest: Equatable, Sendable {
    var stamp: MotionInstant
    var time: MotionInstant
  }

  /// - Parameter frameRate: decides which gap of stamps ends a segment, as in `TimeRule`.
  package init(_ kind: Kind, frameRate: FrameRate = .standard) {
    self.kind = kind
    maxGap = TimeRule.maxGap(frameRate)
  }

  /// Maps the stamp of a sample that arrived, or was read, at `arrival`. A stamp beyond
  /// `MotionInstant.maxAdmissible` is returned unchanged; the time rule refuses it.
  ///
  /// - Parameter isNewestOfDrain: whether no newer sample was waiting. Only such a sample shows the
  ///   clock's lag: the others may have waited for long.
  package mutating func map(
    stamp: MotionInstant, arrival: MotionInstant, isNewestOfDrain: Bool
  ) -> Mapped {
    guard stamp.isAdmissible, arrival.isAdmissible else {
      return Mapped(time: stamp, startsSegment: false)
    }
    let arrival = max(arrival, lastArrival)
    lastArrival = arrival
    if kind == .monotonic {
      judge(lag: arrival - stamp, isNewestOfDrain)
      if kind == .monotonic {
        let isFirst = last == nil
        last = Latest(stamp: stamp, time: stamp)
        return Mapped(time: stamp, startsSegment: isFirst)
      }
      last = nil
    }
    return mapForeign(stamp, arrival, isNewestOfDrain)
  }

  private mutating func judge(lag: MotionDuration, _ isNewestOfDrain: Bool) {
    if lag < -Self.maxLead {
      kind = .foreign
    } else if !hasProved, isNewestOfDrain {
      if lag <= Self.maxLag {
        hasProved = true
      } else {
        staleDrains += 1
        if staleDrains == Self.judgedDrains { kind = .foreign }
      }
    }
  }

  private mutating func mapForeign(
    _ stamp: MotionInstant, _ arrival: MotionInstant, _ isNewestOfDrain: Bool
  ) -> Mapped {
    var startsSegment = false
    if let last {
      if last.stamp - stamp > Self.maxStepBack {
        window.removeAll()
        self.last = nil
      } else if stamp - last.stamp > maxGap {
        startsSegment = true
      }
    }
    let target = window.add(arrival - stamp, at: arrival)
    if last == nil || startsSegment {
      startsSegment = true
      beginSegment(target, arrival)
    } else if arrival < freeUntil {
      shift = target
    } else if let last, stamp > last.stamp {
      let maxStep = (stamp - last.stamp) / Self.slewDivisor
      shift += min(max(target - shift, -maxStep), maxStep)
    }
    if isWrong(arrival - (stamp + shift), arrival, isNewestOfDrain) {
      window.removeAll()
      last = nil
      startsSegment = true
      beginSegment(window.add(arrival - stamp, at: arrival), arrival)
    }
    return Mapped(time: inOrder(stamp), startsSegment: startsSegment)
  }

  private mutating func beginSegment(_ target: MotionDuration, _ arrival: MotionInstant) {
    shift = target
    freeUntil = arrival + Self.freeSpan
    lateSince = nil
  }

  /// Returns whether the mapped time is far from the arrival: the clock stopped, or runs away.
  private mutating func isWrong(
    _ lag: MotionDuration, _ arrival: MotionInstant, _ isNewestOfDrain: Bool
  ) -> Bool {
    if lag < -Self.maxError { return true }
    guard isNewestOfDrain else { return false }
    guard lag > Self.maxError else {
      lateSince = nil
      return false
    }
    let since = lateSince ?? arrival
    lateSince = since
    return arrival - since >= Self.freeSpan
  }

  /// Returns the mapped time, before or after the latest one as the stamp is: a mapping that moves
  /// back must not reverse the order.
  private mutating func inOrder(_ stamp: MotionInstant) -> MotionInstant {
    let time = stamp + shift
    guard let last else {
      self.last = Latest(stamp: stamp, time: time)
      return time
    }
    if stamp == last.stamp { return last.time }
    if stamp < last.stamp { return min(time, last.time - .nanoseconds(1)) }
    self.last = Latest(stamp: stamp, time: max(time, last.time + .nanoseconds(1)))
    return max(time, last.time + .nanoseconds(1))
  }
}
