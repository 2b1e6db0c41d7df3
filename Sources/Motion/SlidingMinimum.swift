// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The smallest value of the last span of time, in memory that is allocated once.
///
/// A queue of candidates whose values rise from the oldest to the newest: a value drops every
/// earlier one that is not smaller, since none of those can be the smallest again. Later candidates
/// are at least `spacing` apart; the smallest itself is always exact.
struct SlidingMinimum: Equatable, Sendable {
  private struct Entry: Equatable, Sendable {
    var time: MotionInstant
    var value: MotionDuration
  }

  let span: MotionDuration
  let spacing: MotionDuration
  /// A ring; empty until the first value.
  private var entries: [Entry] = []
  private var head = 0
  private var count = 0

  init(span: MotionDuration, spacing: MotionDuration) {
    self.span = span
    self.spacing = spacing
  }

  mutating func removeAll() {
    head = 0
    count = 0
  }

  /// Adds a value and returns the smallest one since `time` - span.
  ///
  /// - Parameter time: not before that of the last call.
  mutating func add(_ value: MotionDuration, at time: MotionInstant) -> MotionDuration {
    if entries.isEmpty {
      let capacity = Int(span.nanoseconds / spacing.nanoseconds) + 2
      entries = [Entry](repeating: Entry(time: .zero, value: .zero), count: capacity)
    }
    while count > 0, entries[head].time < time - span {
      head = index(1)
      count -= 1
    }
    while count > 0, entries[index(count - 1)].value >= value { count -= 1 }
    if count == 0 || time - entries[index(count - 1)].time >= spacing {
      if count == entries.count {
        // Rising times never fill the ring; should it be full, the oldest goes.
        head = index(1)
        count -= 1
      }
      entries[index(count)] = Entry(time: time, value: value)
      count += 1
    }
    return entries[head].value
  }

  private func index(_ offset: Int) -> Int {
    let index = head + offset
    return index < entries.count ? index : index - entries.count
  }
}
