// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion
package import ParallaxProtocol

/// A client's connection as lines in both directions. Its memory is bounded, and it never delays other
/// clients: only a few of its lines are handled at a time, and none while its answers wait to be read.
package final class LineChannel {
  /// Lines that are handled before other clients have their turn.
  package static let linesPerTurn = 8

  private let connection: any Connection
  /// Whether a line goes to the socket at once: the client is connected, and nothing of its own waits.
  private(set) var isClear = true
  private let lineLimit: LineLimit
  private let budget: UserBudget
  private var reader: LineReader
  private var outbox: Outbox
  private var state = State.open
  private var hasInputEnded = false
  /// The number of answers that its next line must wait for.
  private var pauses = 0
  private var countedBytes = 0
  /// Whether its bytes do not count for the user's budget.
  private var ownsItsBytes = false
  /// Whether `stalls` looks after its time limit.
  var isInStallQueue = false
  private weak var stalls: StallQueue?
  private var didClose: (() -> Void)?

  private enum State {
    /// Both directions are in use.
    case open
    /// The last lines are being sent; nothing more is read.
    case finishing
    /// The connection is closed.
    case closed
  }

  /// - Parameter budget: What it shares with the user's other connections.
  package init(_ connection: any Connection, lineLimit: LineLimit, budget: UserBudget) {
    self.connection = connection
    self.lineLimit = lineLimit
    self.budget = budget
    reader = LineReader(limit: lineLimit)
    outbox = Outbox()
    budget.channelDidOpen()
  }

  /// Adds the channel to a queue whenever lines wait, and calls a handler once, when it has closed.
  func follow(stalls: StallQueue, didClose: @escaping () -> Void) {
    self.stalls = stalls
    self.didClose = didClose
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

  /// Sets how much may wait, for a stream of events that must not have gaps. The user's budget no longer
  /// counts it.
  package func setLimits(events: Int, bytes: Int) {
    outbox.eventLimit = events
    outbox.byteLimit = bytes
    ownsItsBytes = true
    countBytes()
  }

  /// Limits what may wait in the kernel. If that fails, the last limit stays.
  func setSendBuffer(bytes: Int32) {
    try? connection.setSendBuffer(bytes: bytes)
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
    transmit(line, as: kind, at: now)
    refuseIfOverMemory(at: now)
  }

  /// Sends a line while `isClear`.
  func sendWhileClear(
    _ line: borrowing OutputBuffer, as kind: Outbox.Kind, at now: MotionInstant
  ) {
    let sent = line.withBytes { connection.send($0) }
    if sent == line.count { return }
    let outcome = line.withBytes { outbox.keepRest(of: $0, after: sent, as: kind, at: now) }
    handle(outcome, at: now)
    refuseIfOverMemory(at: now)
  }

  private func transmit(
    _ line: borrowing OutputBuffer, as kind: Outbox.Kind, at now: MotionInstant
  ) {
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
    endReading()
    var line = OutputBuffer()
    line.appendLine(error)
    transmit(line, as: .event, at: now)
  }

  /// Accepts no more lines, and closes once the waiting ones are sent, or after the time limit.
  package func closeWhenEmpty() {
    guard state == .open else { return }
    endReading()
    awaitEvents()
    if outbox.isEmpty { close() }
  }

  /// Takes nothing more from the client.
  private func endReading() {
    state = .finishing
    reader = LineReader(limit: lineLimit)
    countBytes()
  }

  package func close() {
    guard state != .closed else { return }
    state = .closed
    isClear = false
    budget.channelDidClose()
    budget.changeWaitingBytes(by: -countedBytes)
    countedBytes = 0
    outbox.discard()
    connection.close()
    didClose?()
    didClose = nil
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
    countBytes()
    if !isInStallQueue, outbox.deadline != nil { stalls?.add(self) }
    switch outcome {
    case .ok:
      awaitEvents()
      if state == .finishing, outbox.isEmpty { close() }
    case .gone:
      close()
    case .overflow:
      finish(
        ErrorMessage(
          message: "too many lines are waiting for you; read faster and connect again",
          code: .behind), at: now)
    }
  }

  /// Takes note of what waits.
  private func countBytes() {
    let bytes = ownsItsBytes ? 0 : outbox.waitingBytes + reader.waitingBytes
    isClear = state == .open && outbox.isEmpty && bytes == 0
    if bytes == countedBytes { return }
    budget.changeWaitingBytes(by: bytes - countedBytes)
    countedBytes = bytes
  }

  /// Ends a connection whose user's connections together hold too much.
  private func refuseIfOverMemory(at now: MotionInstant) {
    guard budget.isOverMemory, countedBytes > 0, state == .open else { return }
    finish(
      ErrorMessage(
        message:
          "more than \(UserBudget.maxWaitingBytes >> 20) MiB are waiting for your connections; read "
          + "faster, send shorter lines and connect again",
        code: .behind), at: now)
  }

  /// Requests the events that can be handled now.
  private func awaitEvents() {
    guard state != .closed else { return }
    var events: AwaitedEvents = []
    if !outbox.isEmpty {
      events = .output
    } else if state == .open {
      // The socket reports a client that has gone even if nothing is awaited.
      if pauses > 0 {
        events = []
      } else if reader.mayHaveLine {
        events = .turn
      } else if !hasInputEnded {
        events = .input
      }
    }
    if connection.awaits != events { connection.awaits = events }
  }

  // MARK: - Input

  /// Handles no more lines until as many calls of `resume`: the answers keep the order of the requests.
  package func pause() {
    pauses += 1
    awaitEvents()
  }

  package func resume() {
    pauses -= 1
    awaitEvents()
  }

  /// Whether the client sends no more and every line has been handled.
  package var isInputDone: Bool { hasInputEnded && !reader.mayHaveLine }

  /// Takes bytes from the client, and calls `request` for the first complete lines.
  package func receive(
    _ bytes: UnsafeRawBufferPointer, at now: MotionInstant, request: ([UInt8]) -> Void
  ) {
    guard state == .open else { return }
    reader.add(bytes)
    takeTurn(at: now, request: request)
  }

  /// Handles the end of the client's input; the client may still read.
  package func endInput(at now: MotionInstant, request: ([UInt8]) -> Void) {
    guard state == .open else { return }
    hasInputEnded = true
    reader.end()
    takeTurn(at: now, request: request)
  }

  /// Calls `request` for the next lines, as long as the answers can be sent.
  package func takeTurn(at now: MotionInstant, request: ([UInt8]) -> Void) {
    var left = Self.linesPerTurn
    while left > 0, state == .open, pauses == 0, outbox.isEmpty, let line = reader.next() {
      left -= 1
      guard budget.takeRequest(bytes: line.count, at: now) else {
        finish(UserBudget.tooManyRequests, at: now)
        return
      }
      handle(line, at: now, request: request)
    }
    countBytes()
    refuseIfOverMemory(at: now)
    awaitEvents()
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
