// SPDX-License-Identifier: Apache-2.0

import CEvdev
import ParallaxBase
import ParallaxMotion

/// Collects the events of a motion node into scans. Without a descriptor or a clock.
///
/// A report is a list of events that ends with SYN_REPORT. An axis that has not changed is left out, and
/// so is a change below the kernel's fuzz. After SYN_DROPPED, which the kernel sends when its queue was
/// full, the axes are read again, and no scan is made of that: what was in the queue is lost.
///
/// Source: Linux Documentation/input/event-codes.rst.
struct EvdevScans: Sendable {
  /// rad/s per unit of ABS_RX, ABS_RY and ABS_RZ.
  private let scale: AngularRate
  private let timing: EvdevTiming
  /// The present values of the axes, in units.
  private var raw: AngularRate
  private var counter = WrappingMicroseconds()
  /// The present report's time by the device's counter.
  private var counted: MotionInstant?
  private var bursts = BurstTimes()
  private var isResyncing = false
  private var hasDropped = false
  /// The time of the last scan.
  private var last: MotionInstant?
  /// The running mean of the time between two scans; zero: not known.
  private var interval = MotionDuration.zero
  /// The share of a new interval in the mean is one in this many.
  private static let meanDivisor: Int64 = 16

  /// - Parameters:
  ///   - scale: rad/s per unit of each axis.
  ///   - raw: The values of the axes now, in units.
  init(scale: AngularRate, raw: AngularRate, timing: EvdevTiming) {
    self.scale = scale
    self.raw = raw
    self.timing = timing
  }

  /// The kernel's queue was full. The events until `endResync` are the axes as they are now.
  mutating func beginResync() {
    isResyncing = true
    hasDropped = true
    counted = nil
  }

  mutating func endResync() { isResyncing = false }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - time: The kernel's time of the event, in CLOCK_MONOTONIC.
  ///   - arrival: CLOCK_MONOTONIC.
  /// - Returns: A scan, if the event ends a report.
  mutating func add(
    type: UInt16, code: UInt16, value: Int32, time: MotionInstant, arrival: () -> MotionInstant
  ) -> GyroScan? {
    switch (Int32(type), Int32(code)) {
    case (EV_ABS, ABS_RX): raw.x = Double(value)
    case (EV_ABS, ABS_RY): raw.y = Double(value)
    case (EV_ABS, ABS_RZ): raw.z = Double(value)
    case (EV_MSC, MSC_TIMESTAMP):
      let microseconds = counter.unwrapped(UInt32(bitPattern: value))
      counted = MotionInstant(nanoseconds: microseconds * 1_000)
    case (EV_SYN, SYN_REPORT) where !isResyncing:
      return stamp(at: time).map { endReport(at: $0, arrival()) }
    default: break
    }
    return nil
  }

  /// The time of the report that ends; nil: it has none.
  private mutating func stamp(at time: MotionInstant) -> MotionInstant? {
    defer { counted = nil }
    switch timing {
    case .counter: return counted
    case .kernel: return time
    case .bursts(let count): return bursts.time(of: time, count: count)
    }
  }

  private mutating func endReport(at time: MotionInstant, _ arrival: MotionInstant) -> GyroScan {
    let span = last.map { time - $0 } ?? .zero
    let lost = hasDropped ? lostScans(in: span) : 0
    if !hasDropped {
      interval = interval == .zero ? span : interval + (span - interval) / Self.meanDivisor
    }
    last = time
    hasDropped = false
    return GyroScan(
      stamp: time, arrival: arrival,
      rateRadPerSec: AngularRate(x: raw.x * scale.x, y: raw.y * scale.y, z: raw.z * scale.z),
      lostBefore: lost)
  }

  /// How many scans there were between the last one and the present one; at least 1.
  private func lostScans(in span: MotionDuration) -> UInt64 {
    let period = interval.nanoseconds
    guard period > 0 else { return 1 }
    return UInt64(max(1, (span.nanoseconds + period / 2) / period - 1))
  }
}

/// A counter of microseconds with 32 bits, which wraps after 71 minutes, as one that does not.
///
/// A value that is up to 35 minutes less than the last one is earlier: the counter was set back.
struct WrappingMicroseconds: Equatable, Sendable {
  private var last: UInt32?
  private var total: Int64 = 0

  mutating func unwrapped(_ value: UInt32) -> Int64 {
    total += last.map { Int64(Int32(bitPattern: value &- $0)) } ?? Int64(value)
    last = value
    return total
  }
}

/// Spreads samples that came at once over the time since the samples before.
struct BurstTimes: Equatable, Sendable {
  /// Times this close are of one burst.
  static let maxSpread: MotionDuration = .milliseconds(2)
  /// The limits of the time between two samples, and the first guess (a Joy-Con's 200 Hz).
  static let minPeriod: MotionDuration = .milliseconds(2)
  static let maxPeriod: MotionDuration = .milliseconds(10)
  static let standardPeriod: MotionDuration = .milliseconds(5)

  private var burst: MotionInstant?
  private var period = standardPeriod
  /// How many samples of the present burst have come.
  private var index: Int64 = 0

  /// Returns a sample's time: the last of a burst has the burst's, each of the others one period less.
  mutating func time(of arrival: MotionInstant, count: Int64) -> MotionInstant {
    if let burst, arrival - burst <= Self.maxSpread, index + 1 < count {
      index += 1
    } else {
      if let burst {
        period = min(max((arrival - burst) / count, Self.minPeriod), Self.maxPeriod)
      }
      burst = arrival
      index = 0
    }
    return (burst ?? arrival) - (count - 1 - index) * period
  }
}
