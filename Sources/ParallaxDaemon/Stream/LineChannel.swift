package import ParallaxMotion
package import ParallaxWire

/// A client: lines in, lines out, and the end of both. Whatever the client does, it costs bounded
/// memory and delays nobody.
package final class LineChannel {
  private let connection: any Connection
  private let lineLimit: LineLimit
  private var reader: LineReader
  private var outbox: Outbox
  private var life = Life.open

  private enum Life {
    /// Both ways.
    case open
    /// A last line goes out; nothing is read any more.
    case finishing
    /// Over.
    case closed
  }

  package init(_ connection: any Connection, lineLimit: LineLimit) {
    self.connection = connection
    self.lineLimit = lineLimit
    reader = LineReader(limit: lineLimit)
    outbox = Outbox()
  }

  package var isClosed: Bool { life == .closed }

  /// Whether it still takes lines.
  package var isOpen: Bool { life == .open }

  /// When to give the client up, if nothing happens before.
  package var deadlineNanoseconds: Int64? {
    life == .closed ? nil : outbox.deadlineNanoseconds
  }

  /// OFFSET lines that were due and not sent.
  package var dropped: UInt64 { outbox.dropped }

  /// Lets more events wait than usual, for a stream of them that must not have a hole.
  package func allow(waitingEvents limit: Int) {
    outbox.eventLimit = limit
  }

  // -- Out

  /// What `dropped` of the frame `seq` has to say; sends first what waits, so far as it goes.
  package func droppedBefore(seq: UInt64, atNanoseconds now: Int64) -> UInt64 {
    guard life == .open, !outbox.isEmpty else { return 0 }
    flush(atNanoseconds: now)
    return outbox.droppedBefore(seq: seq)
  }

  package func send(_ line: borrowing OutputBuffer, as kind: Outbox.Kind, atNanoseconds now: Int64)
  {
    guard life == .open else { return }
    let connection = connection
    let outcome = line.withBytes {
      outbox.send($0, as: kind, atNanoseconds: now) { connection.send($0) }
    }
    conclude(outcome, atNanoseconds: now)
  }

  /// A last line, then the end: as soon as it is out, or patience is.
  package func finish(_ error: ErrorMessage, atNanoseconds now: Int64) {
    guard life == .open else { return }
    outbox.clear()
    var line = OutputBuffer()
    line.appendLine(error)
    send(line, as: .event, atNanoseconds: now)
    closeWhenEmpty()
  }

  /// Takes no more lines, and closes as soon as those that wait are out, or patience is.
  package func closeWhenEmpty() {
    guard life == .open else { return }
    life = .finishing
    connection.stopReading()
    if outbox.isEmpty { close() }
  }

  package func close() {
    guard life != .closed else { return }
    life = .closed
    connection.close()
  }

  /// There is room again.
  package func flush(atNanoseconds now: Int64) {
    guard life != .closed else { return }
    let connection = connection
    conclude(outbox.flush(atNanoseconds: now) { connection.send($0) }, atNanoseconds: now)
  }

  /// Closes where patience is over.
  package func expire(atNanoseconds now: Int64) {
    guard let deadline = deadlineNanoseconds, deadline <= now else { return }
    // The kernel tells of room late; perhaps there is some.
    flush(atNanoseconds: now)
    if let deadline = deadlineNanoseconds, deadline <= now { close() }
  }

  private func conclude(_ outcome: Outbox.Outcome, atNanoseconds now: Int64) {
    switch outcome {
    case .ok:
      connection.wantsWritable = !outbox.isEmpty
      if life == .finishing, outbox.isEmpty { close() }
    case .gone:
      close()
    case .overflow:
      finish(
        ErrorMessage(
          message:
            "more than \(outbox.eventLimit) lines wait for you; read faster and connect again",
          code: .behind), atNanoseconds: now)
    }
  }

  // -- In

  /// Calls `request` for each line that these bytes complete.
  package func receive(
    _ bytes: UnsafeRawBufferPointer, atNanoseconds now: Int64, request: ([UInt8]) -> Void
  ) {
    guard life == .open else { return }
    reader.add(bytes) { take($0, atNanoseconds: now, request: request) }
  }

  /// The client sends no more; it may still read.
  package func endInput(atNanoseconds now: Int64, request: ([UInt8]) -> Void) {
    guard life == .open else { return }
    connection.stopReading()
    reader.end { take($0, atNanoseconds: now, request: request) }
  }

  private func take(
    _ line: LineReader.Line, atNanoseconds now: Int64, request: ([UInt8]) -> Void
  ) {
    guard life == .open else { return }
    switch line {
    case .text(let bytes): request(bytes)
    case .tooLong:
      finish(
        ErrorMessage(message: lineLimit.refusal, code: .tooLong), atNanoseconds: now)
    }
  }
}
