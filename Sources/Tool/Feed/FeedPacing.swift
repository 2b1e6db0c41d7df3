// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTrace

/// Decides when each row is sent, and with which time. Time is an argument.
///
/// A row of a file is due at its own time. All times are shifted to CLOCK_MONOTONIC by the same amount, so
/// that their differences are kept. A row of a pipe is due when it arrives, and keeps its time, because it
/// may be from the clock of another machine. Rows that arrive ahead of their times are not live, so they are
/// sent at the pace of their times.
struct FeedPacing {
  /// The rule for when a row is due.
  enum Pace: Equatable {
    case arrival
    case times
  }

  private(set) var pace: Pace
  /// Whether times are shifted to CLOCK_MONOTONIC.
  let shiftsTimes: Bool
  /// Rows that have arrived but were not taken, from the index `first`.
  private var rows: [GyroSample] = []
  private var first = 0
  /// The next row, with the time to send, and the instant at which it is due.
  private var upcoming: (sample: GyroSample, due: MotionInstant)?
  private var schedule: TraceSchedule?
  /// The delay of all rows, because this program was stopped.
  private var delay = MotionDuration.zero
  /// Added to all times if their clock began before zero, because the protocol has no negative times.
  private var base: MotionDuration?
  /// The time by which the rows' times have advanced more than their arrival.
  private var lead = MotionDuration.zero
  private var last: (time: MotionInstant, arrival: MotionInstant)?

  /// The maximum lead of live rows. A network or a program may hold rows back, and an instrument may send
  /// several at once.
  static let maxLead: MotionDuration = .seconds(1)
  /// The maximum step between two rows that counts toward the lead, because the clock of live rows may jump.
  static let maxCountedStep: MotionDuration = .milliseconds(500)
  /// A due row is later than this only if this program was stopped; the remaining rows are then delayed.
  static let maxLateness: MotionDuration = .seconds(1)

  /// - Parameter keepsTimes: Whether the rows are from a recording, not live.
  init(keepsTimes: Bool) {
    pace = keepsTimes ? .times : .arrival
    shiftsTimes = keepsTimes
  }

  /// Whether rows of a pipe have run ahead of their times.
  var isAhead: Bool { pace == .times && !shiftsTimes }

  /// Whether further rows may be added: all others were taken.
  var isEmpty: Bool { upcoming == nil && first == rows.count }

  /// When the next row is due; nil if there is none.
  var due: MotionInstant? { upcoming?.due }

  /// Adds rows that have arrived. Those without a usable time or rate are left out, as the daemon would do.
  mutating func add(_ arrived: [GyroSample], at now: MotionInstant) {
    if first > 0 {
      rows.removeSubrange(..<first)
      first = 0
    }
    for row in arrived where row.rateRadPerSec.isFinite && row.time.isAdmissible {
      if pace == .arrival { measureLead(of: row.time, at: now) }
      rows.append(row)
    }
    if upcoming == nil { advance(at: now) }
  }

  /// Returns the next row if it is due, with the time to send.
  mutating func next(at now: MotionInstant) -> GyroSample? {
    guard let current = upcoming, current.due <= now else { return nil }
    if pace == .times, now - current.due > Self.maxLateness {
      delay += now - current.due
      upcoming = placed(current.sample, due: current.due, later: now - current.due)
    }
    defer { advance(at: now) }
    return upcoming?.sample
  }

  /// The rows begin again: time continues one frame after the last row.
  ///
  /// - Returns: Whether there was one.
  mutating func restart() -> Bool {
    guard let last = schedule, last.hasKept else { return false }
    schedule = Self.continuing(last)
    return true
  }

  private static func continuing(_ schedule: TraceSchedule?) -> TraceSchedule? {
    schedule.map {
      TraceSchedule(
        frameRate: .standard,
        start: $0.due + MotionDuration(seconds: 1 / FrameRate.standard.timeRuleHertz))
    }
  }

  private mutating func measureLead(of time: MotionInstant, at now: MotionInstant) {
    if let last {
      lead += min(max(time - last.time, .zero), Self.maxCountedStep) - (now - last.arrival)
      if lead > Self.maxLead { pace = .times }
    }
    last = (time, now)
  }

  private mutating func advance(at now: MotionInstant) {
    upcoming = nil
    guard first < rows.count else { return }
    let row = rows[first]
    first += 1
    guard pace == .times else {
      upcoming = (unshifted(row), now)
      return
    }
    var schedule = schedule ?? TraceSchedule(frameRate: .standard, start: now)
    var (shifted, due) = schedule.place(row)
    if shifted.time < .zero, let later = Self.continuing(schedule) {
      // A clock that was set far back; see `base`.
      schedule = later
      (shifted, due) = schedule.place(row)
    }
    self.schedule = schedule
    upcoming = placed(shiftsTimes ? shifted : unshifted(row), due: due, later: delay)
  }

  private func placed(
    _ sample: GyroSample, due: MotionInstant, later: MotionDuration
  ) -> (GyroSample, MotionInstant) {
    let time = shiftsTimes ? sample.time + later : sample.time
    return (GyroSample(time: time, rateRadPerSec: sample.rateRadPerSec), due + later)
  }

  private mutating func unshifted(_ row: GyroSample) -> GyroSample {
    let base = base ?? max(.zero, .zero - row.time)
    self.base = base
    return GyroSample(time: row.time + base, rateRadPerSec: row.rateRadPerSec)
  }
}
