// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// Received messages that wait for a reader, in bounded memory: of OFFSETs it keeps the newest and adds
/// the number of lost ones to the next one's `dropped`; of DEVICE and GATE it keeps the newest; of the
/// others it drops the oldest.
struct MessageQueue {
  /// The maximum number of messages other than OFFSET.
  static let otherLimit = 64

  private let offsetLimit: Int
  private var messages: [StreamMessage] = []
  private var offsets = 0

  /// Creates an empty queue.
  ///
  /// - Parameter offsetLimit: The maximum number of OFFSETs; at least 1.
  init(offsetLimit: Int) {
    self.offsetLimit = max(1, offsetLimit)
  }

  var isEmpty: Bool { messages.isEmpty }

  mutating func append(_ message: StreamMessage) {
    switch message {
    case .offset: offsets += 1
    case .device: removeFirst { if case .device = $0 { true } else { false } }
    case .gate: removeFirst { if case .gate = $0 { true } else { false } }
    case .version, .animation, .watch, .error: break
    }
    messages.append(message)
    if offsets > offsetLimit { dropOldestOffset() }
    if messages.count - offsets > Self.otherLimit {
      removeFirst { if case .offset = $0 { false } else { true } }
    }
  }

  mutating func popFirst() -> StreamMessage? {
    guard !messages.isEmpty else { return nil }
    let message = messages.removeFirst()
    if case .offset = message { offsets -= 1 }
    return message
  }

  private mutating func removeFirst(where matches: (StreamMessage) -> Bool) {
    if let index = messages.firstIndex(where: matches) {
      messages.remove(at: index)
    }
  }

  private mutating func dropOldestOffset() {
    guard let oldest = indexOfOffset(from: 0), case .offset(let lost) = messages[oldest] else {
      return
    }
    messages.remove(at: oldest)
    offsets -= 1
    // The next OFFSET reports the loss. There is one, because the limit is at least 1.
    guard let next = indexOfOffset(from: oldest), case .offset(var offset) = messages[next] else {
      return
    }
    offset.dropped = (offset.dropped ?? 0) + 1 + (lost.dropped ?? 0)
    messages[next] = .offset(offset)
  }

  private func indexOfOffset(from start: Int) -> Int? {
    messages[start...].firstIndex { if case .offset = $0 { true } else { false } }
  }
}
