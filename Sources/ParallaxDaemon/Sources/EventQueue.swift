// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

/// The events of a source that wait for the hub. Its storage grows as needed and is then reused.
struct EventQueue {
  private var events: [SourceEvent] = []
  private var head = 0
  /// The times of the newest sample and of the one that `next` returned last.
  private var newest = MotionInstant.zero
  private var taken = MotionInstant.zero

  var isEmpty: Bool { head == events.count }

  /// How much older the last sample that `next` returned is than the newest one.
  var lateness: MotionDuration { max(.zero, newest - taken) }

  mutating func append(_ event: SourceEvent) {
    if case .sample(let sample) = event { newest = sample.time }
    events.append(event)
  }

  mutating func next() -> SourceEvent? {
    guard head < events.count else { return nil }
    let event = events[head]
    head += 1
    if head == events.count { removeAll() }
    if case .sample(let sample) = event { taken = sample.time }
    return event
  }

  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    head = 0
  }
}
