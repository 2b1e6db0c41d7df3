// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The lines that wait for one client.
///
/// Lines are sent in their order. Of state (DEVICE, GATE, OFFSET) only the newest value matters: a
/// newer line replaces the waiting one, at the end of the queue. Replies and events all matter and
/// queue, up to a limit. So a client that falls behind costs a few lines of memory, and reads the most
/// recent state when it catches up.
package struct Outbox: Sendable {
  package enum Kind: Equatable, Sendable {
    /// A reply or an event: queued.
    case event
    case device
    case gate
    /// A frame, by its number.
    case offset(seq: UInt64)

    fileprivate var isOffset: Bool {
      if case .offset = self { true } else { false }
    }

    fileprivate func replaces(_ other: Kind) -> Bool {
      switch (self, other) {
      case (.device, .device), (.gate, .gate), (.offset, .offset): true
      default: false
      }
    }
  }

  package enum Outcome: Equatable, Sendable {
    case ok
    /// More waits than is allowed.
    case overflow
    /// The client is gone.
    case gone
  }

  /// Sends the bytes that are accepted now and returns their number; nil if the client is gone.
  package typealias Writer = (UnsafeRawBufferPointer) -> Int?

  private struct Entry: Sendable {
    var kind: Kind
    var bytes: [UInt8]
  }

  /// OFFSET lines that may wait, including the kernel's buffer, which holds all but the newest.
  package static let offsetLimit = 12
  /// Events that may wait, by default.
  package static let eventLimit = 64
  /// Bytes that may wait, by default. A single line is never refused.
  package static let byteLimit = 128 << 10
  /// A client that reads nothing for this long is disconnected.
  package static let stallLimit: MotionDuration = .seconds(10)

  /// The number of OFFSET lines that a newer one replaced, or `clear` discarded, before they were sent.
  package private(set) var dropped: UInt64 = 0

  package var eventLimit = Outbox.eventLimit
  package var byteLimit = Outbox.byteLimit
  /// The size of the waiting lines, without the rest of one that was sent in part.
  private var entryBytes = 0
  private var entries: [Entry] = []
  private var events = 0
  /// The rest of a line that the kernel accepted in part. It must be finished first.
  private var remainder: [UInt8] = []
  private var remainderStart = 0
  private var waitingOffset: (seq: UInt64, dropped: UInt64)?
  /// Since when the client has accepted nothing although lines wait.
  private var stalledSince: MotionInstant?

  package init() {}

  package var isEmpty: Bool { entries.isEmpty && remainder.isEmpty }

  /// The size of what waits.
  package var waitingBytes: Int { entryBytes + remainder.count - remainderStart }

  /// When the client is to be disconnected; nil while nothing waits.
  package var deadline: MotionInstant? {
    stalledSince.map { $0 + Self.stallLimit }
  }

  /// Returns the value of `dropped` for the frame `seq` if it were sent now. Call `flush` first.
  package func droppedBefore(seq: UInt64) -> UInt64 {
    guard let waiting = waitingOffset else { return 0 }
    return waiting.seq == seq ? waiting.dropped : waiting.dropped + 1
  }

  /// Sends a line after the waiting ones, or keeps the part of it that is not accepted.
  ///
  /// An OFFSET does not flush: `droppedBefore` has counted the waiting one for its `dropped`, so that one
  /// must not be sent any more.
  package mutating func send(
    _ line: UnsafeRawBufferPointer, as kind: Kind, at now: MotionInstant, through write: Writer
  ) -> Outcome {
    if !kind.isOffset, flush(at: now, through: write) == .gone { return .gone }
    return isEmpty
      ? keepRest(of: line, after: write(line), as: kind, at: now) : keep(line, as: kind)
  }

  /// Keeps the part of a line that was not accepted. Nothing else waits.
  ///
  /// - Parameter sent: The number of bytes that were accepted; nil if the client is gone.
  package mutating func keepRest(
    of line: UnsafeRawBufferPointer, after sent: Int?, as kind: Kind, at now: MotionInstant
  ) -> Outcome {
    guard let sent else { return .gone }
    if sent == line.count { return .ok }
    stalledSince = now
    guard sent > 0 else { return keep(line, as: kind) }
    remainder.append(contentsOf: line[sent...])
    return .ok
  }

  /// Sends waiting lines, as far as they are accepted now.
  package mutating func flush(
    at now: MotionInstant, through write: Writer
  ) -> Outcome {
    if !remainder.isEmpty {
      let sent = remainder.withUnsafeBytes {
        write(UnsafeRawBufferPointer(rebasing: $0[remainderStart...]))
      }
      guard let sent else { return .gone }
      if sent > 0 { stalledSince = now }
      remainderStart += sent
      guard remainderStart == remainder.count else { return .ok }
      remainder.removeAll(keepingCapacity: true)
      remainderStart = 0
    }
    while let first = entries.first {
      guard let sent = first.bytes.withUnsafeBytes(write) else { return .gone }
      guard sent > 0 else { return .ok }
      stalledSince = now
      entries.removeFirst()
      entryBytes -= first.bytes.count
      discount(first.kind)
      if sent < first.bytes.count {
        remainder.append(contentsOf: first.bytes[sent...])
        return .ok
      }
    }
    stalledSince = nil
    return .ok
  }

  /// Discards everything but the rest of a line that was sent in part, before a last line.
  package mutating func clear() {
    if waitingOffset != nil { dropped += 1 }
    entries = []
    entryBytes = 0
    events = 0
    waitingOffset = nil
  }

  /// Discards everything, at the end of the connection.
  package mutating func discard() {
    clear()
    remainder = []
    remainderStart = 0
    stalledSince = nil
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
      entryBytes -= bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    guard isEmpty || waitingBytes + line.count <= byteLimit else { return .overflow }
    if kind == .event {
      guard events < eventLimit else { return .overflow }
      events += 1
    }
    entryBytes += line.count
    bytes.append(contentsOf: line)
    entries.append(Entry(kind: kind, bytes: bytes))
    return .ok
  }

  private mutating func discount(_ kind: Kind) {
    switch kind {
    case .event: events -= 1
    case .offset: waitingOffset = nil
    case .device, .gate: break
    }
  }
}
