// SPDX-License-Identifier: Apache-2.0

/// The events of a source that wait for the hub. Its storage grows as needed and is then reused.
struct EventQueue {
  private var events: [SourceEvent] = []
  private var head = 0

  var isEmpty: Bool { head == events.count }

  mutating func append(_ event: SourceEvent) { events.append(event) }

  mutating func next() -> SourceEvent? {
    guard head < events.count else { return nil }
    defer {
      head += 1
      if head == events.count { removeAll() }
    }
    return events[head]
  }

  mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    head = 0
  }
}
