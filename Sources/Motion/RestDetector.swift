// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// When a gyroscope counts as at rest: no axis deviates from its mean by more than a limit.
package struct RestRule: Sendable {
  /// The largest deviation, rad/s.
  let maxDeviationRadPerSec: Double

  /// A device that lies on a table; only such a rest shows the bias.
  package static let lying = RestRule(maxDeviationRadPerSec: 0.02)
  /// A device that a hand holds still, before and after a guided turn.
  package static let held = RestRule(maxDeviationRadPerSec: 0.1)

  /// Whether a rest with this mean may have this rate.
  package func allows(_ rate: AngularRate, around mean: AngularRate) -> Bool {
    rate.isWithin(maxDeviationRadPerSec, of: mean)
  }
}

/// Detects rest in the samples of one segment.
///
/// Storage grows to the length of a rest and is then reused.
package struct RestDetector: Sendable {
  private struct Entry {
    var time: MotionInstant
    var rate: AngularRate
  }

  /// Denser samples (10 kHz; no gyroscope reaches that) are skipped, so that a trace with absurd
  /// times cannot fill the memory.
  private static let minSpacing: MotionDuration = .microseconds(100)

  private let rule: RestRule
  private var entries: [Entry] = []
  private var head = 0
  private var segmentStart: MotionInstant?

  package init(_ rule: RestRule) {
    self.rule = rule
  }

  /// Starts a segment.
  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    head = 0
    segmentStart = nil
  }

  /// Adds a sample, newer than the last one.
  ///
  /// - Parameter span: The length of a rest.
  /// - Returns: The mean over the span if all of it was a rest, else nil.
  package mutating func add(
    _ rate: AngularRate, time: MotionInstant, span: MotionDuration
  ) -> AngularRate? {
    if segmentStart == nil { segmentStart = time }
    while head < entries.count, entries[head].time < time - span { head += 1 }
    if head > 64, head > entries.count / 2 {
      entries.removeFirst(head)
      head = 0
    }
    if head == entries.count || time - entries[entries.count - 1].time >= Self.minSpacing {
      entries.append(Entry(time: time, rate: rate))
    }
    return mean(span: span)
  }

  private func mean(span: MotionDuration) -> AngularRate? {
    guard head < entries.count, let start = segmentStart else { return nil }
    let newest = entries[entries.count - 1]
    guard newest.time - start >= span else { return nil }
    // Two samples that are both within the limit of a mean are within twice the limit of each
    // other: while the device moves, the scan ends after a few samples.
    let limit = 2 * rule.maxDeviationRadPerSec
    var sum = AngularRate.zero
    var index = entries.count
    while index > head {
      index -= 1
      let rate = entries[index].rate
      guard rate.isWithin(limit, of: newest.rate) else { return nil }
      sum.x += rate.x
      sum.y += rate.y
      sum.z += rate.z
    }
    let count = Double(entries.count - head)
    let mean = AngularRate(x: sum.x / count, y: sum.y / count, z: sum.z / count)
    while index < entries.count {
      guard rule.allows(entries[index].rate, around: mean) else { return nil }
      index += 1
    }
    return mean
  }
}

extension AngularRate {
  /// Whether no axis differs from `other` by more than `limit`, rad/s.
  package func isWithin(_ limit: Double, of other: AngularRate) -> Bool {
    (x - other.x).magnitude <= limit && (y - other.y).magnitude <= limit
      && (z - other.z).magnitude <= limit
  }
}
