import ParallaxWire

/// Messages that were received and not yet taken. It cannot grow without bound, whatever its reader
/// does: of OFFSETs the newest are kept, and the one behind a loss says so in its `dropped`; of
/// DEVICE and GATE only the newest counts; of the others the oldest go first.
struct MessageQueue {
  /// Messages that are no OFFSET, at most.
  static let otherLimit = 64

  private let offsetLimit: Int
  private var messages: [StreamMessage] = []
  private var offsets = 0

  /// - Parameter offsetLimit: OFFSETs that may wait; at least 1.
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
    guard let oldest = indexOfOffset(from: 0), case .offset(let gone) = messages[oldest] else {
      return
    }
    messages.remove(at: oldest)
    offsets -= 1
    // The loss is told by the next one; there is one, for the limit is at least 1.
    guard let next = indexOfOffset(from: oldest), case .offset(var offset) = messages[next] else {
      return
    }
    offset.dropped = (offset.dropped ?? 0) + 1 + (gone.dropped ?? 0)
    messages[next] = .offset(offset)
  }

  private func indexOfOffset(from start: Int) -> Int? {
    messages[start...].firstIndex { if case .offset = $0 { true } else { false } }
  }
}
