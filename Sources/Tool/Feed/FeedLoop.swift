// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxMotion
import ParallaxTrace

/// Sends the rows of a recording to the daemon until the input ends, the user interrupts it or the daemon
/// refuses. If the daemon restarts, waits for it and discards the rows that are due until then: late rows are
/// useless.
struct FeedLoop: ~Copyable {
  private var connection: LineConnection
  private var reader: TraceReader
  private var machine: FeedStateMachine
  private var pacing: FeedPacing
  private let loops: Bool
  private var report: FeedReport
  /// Whether the daemon has accepted the feed: rows wait until then.
  private var hasBegun = false
  private var input = Input.open
  /// Whether the reader has rows that have arrived: its descriptor need not become readable for them.
  private var hasMore = false
  private var hasWarned = false
  private var sentCount = 0
  private var discardedCount = 0

  private enum Input {
    case open
    /// Without an error, or with one that ends the command after the rows before it.
    case ended(CommandFailure?)
  }

  /// The most rows to take at a time.
  private static let maxRows = 2048

  /// - Parameters:
  ///   - connection: A connection that has been made, and that tries again.
  ///   - reader: The rows, of which none has been taken.
  ///   - keepsTimes: Whether the rows are sent at the pace of their times, on this machine's clock.
  ///   - loops: Whether to start again at the end. The reader must be able to rewind.
  init(
    _ connection: consuming LineConnection, _ reader: consuming TraceReader, _ request: FeedRequest,
    keepsTimes: Bool, loops: Bool, report: FeedReport
  ) {
    self.connection = connection
    self.reader = reader
    self.loops = loops
    self.report = report
    machine = FeedStateMachine(request)
    pacing = FeedPacing(keepsTimes: keepsTimes)
  }

  /// Returns after the last row.
  ///
  /// - Parameter interruption: A descriptor that becomes readable when the user interrupts the command.
  /// - Returns: Whether the input has ended; false: the user has interrupted the command.
  mutating func run(until interruption: Int32) throws(CommandFailure) -> Bool {
    try handle(.connected)
    while true {
      let now = MotionInstant.now
      while let event = connection.next(at: now) { try handle(event) }
      if hasBegun {
        readRows(at: now)
        sendRows(at: now)
        if case .ended(let failure) = input, pacing.isEmpty, !connection.hasOutput {
          try finish(failure)
          return true
        }
      }
      if wait(for: interruption) {
        report.finish(sent: sentCount, discarded: discardedCount)
        return false
      }
    }
  }

  private func finish(_ failure: CommandFailure?) throws(CommandFailure) {
    report.finish(sent: sentCount, discarded: discardedCount)
    if let failure { throw failure }
    guard machine.isAccepted else {
      throw CommandFailure(
        .unavailable, "the last rows were not sent, because no daemon answered when they were due")
    }
  }

  private mutating func handle(_ event: LineConnection.Event) throws(CommandFailure) {
    switch machine.handle(event) {
    case nil: break
    case .send(let bytes): connection.send(bytes)
    case .accepted:
      hasBegun = true
      report.accepted()
    case .device(let device): report.show(device)
    case .rejected(let error): report.rejected(error)
    case .lost(let error): report.lost(error)
    case .refused(let error): throw CommandFailure(error)
    case .malformed: throw CommandFailure(ParallaxError.malformed)
    case .ended(let error): throw CommandFailure(error ?? .closed)
    }
  }

  // MARK: - Rows

  /// Takes the rows that have arrived, after all earlier rows were sent.
  private mutating func readRows(at now: MotionInstant) {
    guard case .open = input, pacing.isEmpty else { return }
    var rows: [GyroSample] = []
    do throws(TraceError) {
      reading: while rows.count < Self.maxRows {
        switch try reader.nextArrived() {
        case .sample(let sample): rows.append(sample)
        case .pending: break reading
        case .end:
          if rows.isEmpty { try restart() }
          break reading
        }
      }
    } catch {
      input = .ended(CommandFailure(error))
    }
    if !hasWarned, let warning = reader.warning {
      hasWarned = true
      Console.report(warning.description)
    }
    hasMore = rows.count == Self.maxRows
    let wasAhead = pacing.isAhead
    pacing.add(rows, at: now)
    if pacing.isAhead, !wasAhead { report.isAhead() }
  }

  private mutating func restart() throws(TraceError) {
    guard loops, pacing.restart() else {
      input = .ended(nil)
      return
    }
    try reader.rewind()
  }

  private mutating func sendRows(at now: MotionInstant) {
    var samples: [SampleRequest] = []
    while let row = pacing.next(at: now) {
      samples.append(SampleRequest(time: row.time, rateRadPerSec: row.rateRadPerSec))
    }
    guard !samples.isEmpty else { return }
    guard machine.isAccepted, !connection.hasOutput else {
      discardedCount += samples.count
      return
    }
    connection.send(FeedStateMachine.lines(samples))
    sentCount += samples.count
  }

  /// Waits for the daemon, the next row and the user.
  ///
  /// - Returns: Whether the user has interrupted the command.
  private func wait(for interruption: Int32) -> Bool {
    var isReading = false
    if case .open = input { isReading = hasBegun && pacing.isEmpty }
    var others = [
      pollfd(fd: isReading ? reader.descriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
    ]
    connection.wait(with: &others, until: isReading && hasMore ? .now : pacing.due)
    return others[1].revents != 0
  }
}
