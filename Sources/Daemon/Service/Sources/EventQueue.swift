// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The events of a source that wait for the hub. Its storage is reused, unless very many waited.
///
/// It is bounded: of too many events it discards the older half, except for what still holds.
struct EventQueue {
  /// 10 s at 400 Hz, far more than a loop that runs leaves waiting.
  static let maxEvents = 4096
  /// The size of storage that is kept: 0.6 s at 400 Hz.
  private static let keptCapacity = 256

  private var events: [SourceEvent] = []
  private var head = 0
  /// The times of the newest sample and of the one that `next` returned last.
  private var newest = MotionInstant.zero
  private var taken = MotionInstant.zero

  var isEmpty: Bool { head == events.count }

  /// How much older the last sample that `next` returned is than the newest one.
  var lateness: MotionDuration { max(.zero, newest - taken) }

  mutating func append(_ event: SourceEvent) {
    if events.count - head >= Self.maxEvents { discardOlderHalf() }
    if case .sample(let sample) = event { newest = sample.time }
    events.append(event)
  }

  private mutating func discardOlderHalf() {
    let older = events[head..<head + (events.count - head) / 2]
    let lost = older.reduce(UInt64(0)) { if case .lost(let count) = $1 { $0 + count } else { $0 } }
    let held = [
      older.last { $0.isState },
      older.last { if case .latencyUnknown = $0 { true } else { false } },
      older.last { if case .orientation = $0 { true } else { false } },
      lost > 0 ? .lost(lost) : nil, .segment(continuing: false),
    ].compactMap(\.self)
    events.replaceSubrange(..<older.endIndex, with: held)
    head = 0
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
    events.removeAll(keepingCapacity: events.capacity <= Self.keptCapacity)
    head = 0
  }
}

extension SourceEvent {
  /// Whether it says whether samples come.
  fileprivate var isState: Bool {
    switch self {
    case .streaming, .waiting, .failed, .ended: true
    case .sample, .lost, .latencyUnknown, .orientation, .segment: false
    }
  }
}
