/// From a device's timestamps to CLOCK_MONOTONIC.
///
/// The kernel stamps with CLOCK_MONOTONIC where it can be told to. Some drivers cannot, and sensor
/// hubs stamp with a clock of their own whatever the kernel's label says. Such a foreign clock is
/// mapped by the smallest arrival - stamp of the last 10 s: the sample that was the quickest on its
/// way. In the first second of a segment the mapping follows at once; later it moves by at most
/// 1 ms a second, so that motion keeps its pace. Stamps that rise stay in order.
///
/// All times are nanoseconds.
package struct StampClock: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// CLOCK_MONOTONIC, as long as it looks like it.
    case monotonic
    /// Any other clock that goes at about the same pace.
    case foreign
  }

  package struct Mapped: Equatable, Sendable {
    /// The sample's time in CLOCK_MONOTONIC.
    package var timeNanoseconds: Int64
    /// The mapping begins anew with this sample, and with it a segment. True for the first one.
    package var startsSegment: Bool
  }

  /// No stamp of CLOCK_MONOTONIC is farther ahead of its arrival than this.
  static let mostAheadNanoseconds: Int64 = 1_000_000
  /// A clock is no CLOCK_MONOTONIC if the newest samples of the first drains all look older.
  static let mostBehindNanoseconds: Int64 = 1_000_000_000
  static let judgedDrains = 3
  /// The window of the smallest arrival - stamp, and how closely its candidates lie.
  static let windowNanoseconds: Int64 = 10_000_000_000
  static let windowSpacingNanoseconds: Int64 = 10_000_000
  /// For so long (of arrivals) the mapping of a segment is free.
  static let freeNanoseconds: Int64 = 1_000_000_000
  /// Then it moves by at most one part in so many: 1 ms a second.
  static let slewDivisor: Int64 = 1000
  /// A clock that goes back by more than this was set back.
  static let backwardsNanoseconds: Int64 = 500_000_000
  /// A mapping that is wrong by more than this is begun anew: at once where times lie ahead of
  /// their arrival; where even the newest samples lie behind it, after a second of that.
  static let mostWrongNanoseconds: Int64 = 500_000_000

  package private(set) var kind: Kind
  /// Whether a sample's latency can be told: the clock is CLOCK_MONOTONIC and has shown it.
  package var isComparable: Bool { kind == .monotonic && hasProved }

  private let longestGap: Int64
  private var hasProved = false
  private var staleDrains = 0
  private var lastArrival = Int64.min

  private var window = SlidingMinimum(
    spanNanoseconds: windowNanoseconds, spacingNanoseconds: windowSpacingNanoseconds)
  /// Added to every stamp of a foreign clock.
  private var shift: Int64 = 0
  /// The latest stamp, and what became of it; nil: the next sample begins a segment.
  private var last: Latest?
  /// When the mapping stops being free.
  private var freeUntil: Int64 = 0
  /// Since when even the newest samples lie far behind.
  private var behindSince: Int64?

  private struct Latest: Equatable, Sendable {
    var stamp: Int64
    var time: Int64
  }

  /// - Parameter frameRate: says which gap of stamps ends a segment, as for `TimeRule`.
  package init(_ kind: Kind, frameRate: FrameRate = .standard) {
    self.kind = kind
    longestGap = TimeRule.longestGapNanoseconds(frameRate)
  }

  /// Maps the stamp of a sample that arrived, or was read, at `arrivalNanoseconds`. Stamps beyond
  /// `GyroSample.timeLimitNanoseconds` are given back as they are: the time rule refuses them.
  ///
  /// - Parameter isNewestOfDrain: whether nothing newer was waiting behind it. Only such a sample
  ///   tells how far behind a clock is: the others may have waited for long.
  package mutating func map(
    stampNanoseconds stamp: Int64, arrivalNanoseconds arrival: Int64, isNewestOfDrain: Bool
  ) -> Mapped {
    guard
      stamp.magnitude <= GyroSample.timeLimitNanoseconds.magnitude,
      arrival.magnitude <= GyroSample.timeLimitNanoseconds.magnitude
    else { return Mapped(timeNanoseconds: stamp, startsSegment: false) }
    let arrival = max(arrival, lastArrival)
    lastArrival = arrival
    if kind == .monotonic {
      judge(behindNanoseconds: arrival - stamp, isNewestOfDrain)
      if kind == .monotonic {
        let isFirst = last == nil
        last = Latest(stamp: stamp, time: stamp)
        return Mapped(timeNanoseconds: stamp, startsSegment: isFirst)
      }
      last = nil
    }
    return mapForeign(stamp, arrival, isNewestOfDrain)
  }

  private mutating func judge(behindNanoseconds behind: Int64, _ isNewestOfDrain: Bool) {
    if behind < -Self.mostAheadNanoseconds {
      kind = .foreign
    } else if !hasProved, isNewestOfDrain {
      if behind <= Self.mostBehindNanoseconds {
        hasProved = true
      } else {
        staleDrains += 1
        if staleDrains == Self.judgedDrains { kind = .foreign }
      }
    }
  }

  private mutating func mapForeign(
    _ stamp: Int64, _ arrival: Int64, _ isNewestOfDrain: Bool
  ) -> Mapped {
    var startsSegment = false
    if let last {
      if last.stamp - stamp > Self.backwardsNanoseconds {
        window.removeAll()
        self.last = nil
      } else if stamp - last.stamp > longestGap {
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
      let most = (stamp - last.stamp) / Self.slewDivisor
      shift += min(max(target - shift, -most), most)
    }
    if isWrong(arrival - (stamp + shift), arrival, isNewestOfDrain) {
      window.removeAll()
      last = nil
      startsSegment = true
      beginSegment(window.add(arrival - stamp, at: arrival), arrival)
    }
    return Mapped(timeNanoseconds: inOrder(stamp), startsSegment: startsSegment)
  }

  private mutating func beginSegment(_ target: Int64, _ arrival: Int64) {
    shift = target
    freeUntil = arrival + Self.freeNanoseconds
    behindSince = nil
  }

  /// Whether the mapped time is nowhere near the arrival: the clock stood still, or runs away.
  private mutating func isWrong(
    _ behind: Int64, _ arrival: Int64, _ isNewestOfDrain: Bool
  ) -> Bool {
    if behind < -Self.mostWrongNanoseconds { return true }
    guard isNewestOfDrain else { return false }
    guard behind > Self.mostWrongNanoseconds else {
      behindSince = nil
      return false
    }
    let since = behindSince ?? arrival
    behindSince = since
    return arrival - since >= Self.freeNanoseconds
  }

  /// The mapped time, before or behind the latest one as the stamp is: a mapping that comes down
  /// must not turn the order round.
  private mutating func inOrder(_ stamp: Int64) -> Int64 {
    let time = stamp + shift
    guard let last else {
      self.last = Latest(stamp: stamp, time: time)
      return time
    }
    if stamp == last.stamp { return last.time }
    if stamp < last.stamp { return min(time, last.time - 1) }
    self.last = Latest(stamp: stamp, time: max(time, last.time + 1))
    return max(time, last.time + 1)
  }
}
