// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
package import ParallaxText
package import ParallaxTime
package import ParallaxWire

/// A client's connection as lines in both directions. Its memory is bounded, and it never delays other
/// clients.
package final class LineChannel {
  private let connection: any Connection
  private let lineLimit: LineLimit
  private var reader: LineReader
  private var outbox: Outbox
  private var state = State.open

  private enum State {
    /// Both directions are in use.
    case open
    /// The last lines are being sent; nothing more is read.
    case finishing
    /// The connection is closed.
    case closed
  }

  package init(_ connection: any Connection, lineLimit: LineLimit) {
    self.connection = connection
    self.lineLimit = lineLimit
    reader = LineReader(limit: lineLimit)
    outbox = Outbox()
  }

  package var isClosed: Bool { state == .closed }

  /// Whether it accepts lines to send.
  package var isOpen: Bool { state == .open }

  /// When to disconnect the client unless it reads before; nil if nothing waits.
  package var deadline: MotionInstant? {
    state == .closed ? nil : outbox.deadline
  }

  /// The number of OFFSET lines that were due and not sent.
  package var dropped: UInt64 { outbox.dropped }

  /// Sets the number of events that may wait, for a stream of events that must not have gaps.
  package func setEventLimit(_ limit: Int) {
    outbox.eventLimit = limit
  }

  // MARK: - Output

  /// Returns the value of `dropped` for the frame `seq`, after sending as many waiting lines as
  /// possible.
  package func droppedBefore(seq: UInt64, at now: MotionInstant) -> UInt64 {
    guard state == .open, !outbox.isEmpty else { return 0 }
    flush(at: now)
    return outbox.droppedBefore(seq: seq)
  }

  package func send(_ line: borrowing OutputBuffer, as kind: Outbox.Kind, at now: MotionInstant) {
    guard state == .open else { return }
    let connection = connection
    let outcome = line.withBytes {
      outbox.send($0, as: kind, at: now) { connection.send($0) }
    }
    handle(outcome, at: now)
  }

  /// Sends an error as the last line and closes once it is sent, or after the time limit.
  package func finish(_ error: ErrorMessage, at now: MotionInstant) {
    guard state == .open else { return }
    outbox.clear()
    var line = OutputBuffer()
    line.appendLine(error)
    send(line, as: .event, at: now)
    closeWhenEmpty()
  }

  /// Accepts no more lines, and closes once the waiting ones are sent, or after the time limit.
  package func closeWhenEmpty() {
    guard state == .open else { return }
    state = .finishing
    connection.stopReading()
    if outbox.isEmpty { close() }
  }

  package func close() {
    guard state != .closed else { return }
    state = .closed
    connection.close()
  }

  /// Sends waiting lines, as far as the socket accepts them.
  package func flush(at now: MotionInstant) {
    guard state != .closed else { return }
    let connection = connection
    handle(outbox.flush(at: now) { connection.send($0) }, at: now)
  }

  /// Closes after the time limit.
  package func expire(at now: MotionInstant) {
    guard let due = deadline, due <= now else { return }
    // The kernel reports a writable socket late: it may accept bytes already.
    flush(at: now)
    if let due = deadline, due <= now { close() }
  }

  private func handle(_ outcome: Outbox.Outcome, at now: MotionInstant) {
    switch outcome {
    case .ok:
      connection.wantsWritable = !outbox.isEmpty
      if state == .finishing, outbox.isEmpty { close() }
    case .gone:
      close()
    case .overflow:
      finish(
        ErrorMessage(
          message:
            "more than \(outbox.eventLimit) lines are waiting for you; read faster and connect again",
          code: .behind), at: now)
    }
  }

  // MARK: - Input

  /// Calls `request` for each line that these bytes complete.
  package func receive(
    _ bytes: UnsafeRawBufferPointer, at now: MotionInstant, request: ([UInt8]) -> Void
  ) {
    guard state == .open else { return }
    reader.add(bytes) { handle($0, at: now, request: request) }
  }

  /// Handles the end of the client's input; the client may still read.
  package func endInput(at now: MotionInstant, request: ([UInt8]) -> Void) {
    guard state == .open else { return }
    connection.stopReading()
    reader.end { handle($0, at: now, request: request) }
  }

  private func handle(
    _ line: LineReader.Line, at now: MotionInstant, request: ([UInt8]) -> Void
  ) {
    guard state == .open else { return }
    switch line {
    case .text(let bytes): request(bytes)
    case .tooLong:
      finish(
        ErrorMessage(message: lineLimit.refusal, code: .tooLong), at: now)
    }
  }
}
