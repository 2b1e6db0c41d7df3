/// What waits for one receiver, and what becomes of it when the receiver is slow.
///
/// Lines go out in the order in which they came. State (DEVICE, GATE, OFFSET) is worth only its
/// newest value: a newer line takes the waiting one's place, at the back. Replies and events are
/// each worth something: they queue, up to a limit. So a receiver that falls behind costs a few
/// lines of memory, and what it reads when it comes back is what it missed least.
package struct Outbox: Sendable {
  package enum Kind: Equatable, Sendable {
    /// The answer to a request, an event: queued.
    case event
    case device
    case gate
    /// A frame, by its number.
    case offset(seq: UInt64)

    fileprivate func replaces(_ other: Kind) -> Bool {
      switch (self, other) {
      case (.device, .device), (.gate, .gate), (.offset, .offset): true
      default: false
      }
    }
  }

  package enum Outcome: Equatable, Sendable {
    case ok
    /// More events wait than are allowed.
    case overflow
    /// The receiver is gone.
    case gone
  }

  /// Takes bytes as far as there is room now; nil where the receiver is gone.
  package typealias Writer = (UnsafeRawBufferPointer) -> Int?

  private struct Entry: Sendable {
    var kind: Kind
    var bytes: [UInt8]
  }

  /// OFFSET lines that may wait, the kernel's buffer included; all but the newest are there.
  package static let offsetLimit = 12
  /// Events that may wait, unless somebody allows more.
  package static let eventLimit = 64
  /// A receiver that takes nothing for so long is given up.
  package static let patienceNanoseconds: Int64 = 10_000_000_000

  /// OFFSET lines that never went out, for a newer one took their place.
  package private(set) var dropped: UInt64 = 0

  package var eventLimit = Outbox.eventLimit
  private var entries: [Entry] = []
  private var events = 0
  /// The rest of a line that the kernel took only in part. It has to be finished first, whatever
  /// newer there is.
  private var remainder: [UInt8] = []
  private var remainderStart = 0
  private var waitingOffset: (seq: UInt64, dropped: UInt64)?
  /// Since when nothing was taken although something waits.
  private var stalledSince: Int64?

  package init() {}

  package var isEmpty: Bool { entries.isEmpty && remainder.isEmpty }

  /// When the receiver's patience ends; nil while nothing waits.
  package var deadlineNanoseconds: Int64? {
    stalledSince.map { $0 + Self.patienceNanoseconds }
  }

  /// What `dropped` of the frame `seq` has to say, were it sent now. To be asked behind `flush`.
  package func droppedBefore(seq: UInt64) -> UInt64 {
    guard let waiting = waitingOffset else { return 0 }
    return waiting.seq == seq ? waiting.dropped : waiting.dropped + 1
  }

  /// Sends a line, or keeps what of it does not fit.
  package mutating func send(
    _ line: UnsafeRawBufferPointer, as kind: Kind, atNanoseconds now: Int64, through write: Writer
  ) -> Outcome {
    if flush(atNanoseconds: now, through: write) == .gone { return .gone }
    if isEmpty {
      guard let taken = write(line) else { return .gone }
      if taken == line.count { return .ok }
      stalledSince = now
      if taken > 0 {
        remainder.append(contentsOf: line[taken...])
        return .ok
      }
    }
    return keep(line, as: kind)
  }

  /// Sends as much of what waits as is taken now.
  package mutating func flush(
    atNanoseconds now: Int64, through write: Writer
  ) -> Outcome {
    if !remainder.isEmpty {
      let taken = remainder.withUnsafeBytes {
        write(UnsafeRawBufferPointer(rebasing: $0[remainderStart...]))
      }
      guard let taken else { return .gone }
      if taken > 0 { stalledSince = now }
      remainderStart += taken
      guard remainderStart == remainder.count else { return .ok }
      remainder.removeAll(keepingCapacity: true)
      remainderStart = 0
    }
    while let first = entries.first {
      guard let taken = first.bytes.withUnsafeBytes(write) else { return .gone }
      guard taken > 0 else { return .ok }
      stalledSince = now
      entries.removeFirst()
      forget(first.kind)
      if taken < first.bytes.count {
        remainder.append(contentsOf: first.bytes[taken...])
        return .ok
      }
    }
    stalledSince = nil
    return .ok
  }

  /// Drops everything but a line that was begun, for a last word.
  package mutating func clear() {
    entries = []
    events = 0
    waitingOffset = nil
  }

  private mutating func keep(_ line: UnsafeRawBufferPointer, as kind: Kind) -> Outcome {
    if case .offset(let seq) = kind {
      let missed = droppedBefore(seq: seq)
      if missed > waitingOffset?.dropped ?? 0 { dropped += 1 }
      waitingOffset = (seq, missed)
    }
    var bytes: [UInt8] = []
    if let old = entries.firstIndex(where: { kind.replaces($0.kind) }) {
      bytes = entries.remove(at: old).bytes
      bytes.removeAll(keepingCapacity: true)
    }
    if kind == .event {
      guard events < eventLimit else { return .overflow }
      events += 1
    }
    bytes.append(contentsOf: line)
    entries.append(Entry(kind: kind, bytes: bytes))
    return .ok
  }

  private mutating func forget(_ kind: Kind) {
    switch kind {
    case .event: events -= 1
    case .offset: waitingOffset = nil
    case .device, .gate: break
    }
  }
}
