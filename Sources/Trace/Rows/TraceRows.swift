// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

/// Takes the blocks of a trace in order and keeps what rows have in common: the line number, the counts, bad
/// rows, the warning, and how reading ends.
package struct TraceRows: ~Copyable, Sendable {
  package private(set) var counts = TraceCounts()
  /// The first suspiciously fast rate, once read.
  package private(set) var warning: TraceWarning?
  /// The error that ends the trace, after the samples so far.
  package private(set) var failure: TraceError?
  package private(set) var scanner: RowScanner

  private let name: String
  private let layout: RowLayout
  private let skipsBadRows: Bool
  /// The number of the line before the first row.
  private let headerLine: Int
  private var line: Int
  /// The bad rows since the last good one: the error of the first, and their number.
  private var pending: (error: TraceError?, count: Int) = (nil, 0)
  private var hasEnded = false
  /// The number of good rows since the beginning or the last rewind.
  private var samples = 0
  private var firstTime: MotionInstant?
  private var timesDiffer = false
  private var lastTime = MotionInstant.zero

  init(name: String, _ opening: TraceOpening, skipsBadRows: Bool) {
    self.name = name
    self.skipsBadRows = skipsBadRows
    layout = opening.layout
    headerLine = opening.lines
    line = opening.lines
    scanner = RowScanner(layout, z: .none)
  }

  var hasZ: Bool { layout.z != nil }

  mutating func requireZ() throws(TraceError) {
    guard hasZ else {
      throw TraceError(
        .unknownHeader, path: name, line: headerLine,
        "no column with z rates, which the mount matrix, the bias or the recording needs; "
          + "name it in --columns, or omit that option")
    }
    scanner = RowScanner(layout, z: .value)
  }

  mutating func checkZ() {
    scanner = RowScanner(layout, z: .check)
  }

  /// Starts again at the first row.
  package mutating func rewind() {
    line = headerLine
    pending = (nil, 0)
    failure = nil
    hasEnded = false
    samples = 0
  }

  /// Takes back that the trace has ended, unless by an error: the next reader sees its end again.
  mutating func reopen() { hasEnded = false }

  /// Whether there are no further rows, or none that may be read after an error.
  package var isAtEnd: Bool { hasEnded || failure != nil }

  /// Ends the trace unless there are lines.
  package mutating func handle(_ outcome: LineBlocks.Outcome) {
    switch outcome {
    case .lines, .pending: break
    case .end:
      hasEnded = true
      finish()
    case .lineTooLong: failure = .lineTooLong(path: name, line: line + 1)
    case .failed(let error): failure = error
    }
  }

  /// Reads as many rows of a block as fit; at an error, those before it.
  package mutating func read(_ block: inout LineBlock, into samples: inout SampleColumns) {
    while failure == nil, !block.isEmpty, !samples.isFull {
      let first = samples.count
      let stop = scanner.scan(&block, into: &samples)
      add(&samples, from: first, stop, block)
    }
  }

  /// Counts what the scanner has read of a block: samples, from an index on, and why it stopped. Removes the
  /// samples if an error comes before them.
  package mutating func add(
    _ samples: inout SampleColumns, from first: Int, _ stop: RowScanner.Stop,
    _ block: borrowing LineBlock
  ) {
    guard failure == nil else {
      samples.count = first
      return
    }
    if samples.count > first {
      if pending.count > 0 { endBadRows() }
      guard failure == nil else {
        samples.count = first
        return
      }
      complete(&samples, from: first, stop)
    }
    switch stop {
    case .none, .withoutTime: break
    case .ignored: line += 1
    case .bad(let fault, let column, let start):
      line += 1
      addBadRow(fault, column: column, in: block, start)
    case .lineTooLong: failure = .lineTooLong(path: name, line: line + 1)
    }
  }

  /// Counts samples and gives times to those whose rows have none.
  private mutating func complete(
    _ samples: inout SampleColumns, from first: Int, _ stop: RowScanner.Stop
  ) {
    if layout.inputRateHertz != nil {
      for index in first..<samples.count {
        samples.times[index] = evenTime(of: self.samples + index - first)
      }
    } else if stop == .withoutTime {
      let last = samples.count - 1
      samples.times[last] = last > first ? samples.times[last - 1] : lastTime
    }
    if warning == nil, layout.mayBeDegrees,
      samples.hasRate(above: TraceReader.suspectRateRadPerSec, from: first)
    {
      for index in first..<samples.count where warning == nil {
        warn(samples[index].rateRadPerSec, line: line + 1 + index - first)
      }
    }
    if !timesDiffer {
      let origin = firstTime ?? samples.times[first]
      firstTime = origin
      timesDiffer = samples.times[first..<samples.count].contains { $0 != origin }
    }
    let count = samples.count - first
    line += count
    self.samples += count
    counts.rows += UInt64(count)
    lastTime = samples.times[samples.count - 1]
  }

  /// Returns the time of a row if rows are evenly spaced, rounded half up.
  private func evenTime(of row: Int) -> MotionInstant {
    guard let hertz = layout.inputRateHertz else { return .zero }
    if hertz == hertz.rounded(.down) {
      let rate = UInt128(hertz)
      return MotionInstant(
        nanoseconds: Int64(clamping: (UInt128(row) * 2_000_000_000 + rate) / (2 * rate)))
    }
    let time = (Double(row) / hertz * 1e9 + 0.5).rounded(.down)
    return Int64(exactly: time).map { MotionInstant(nanoseconds: $0) } ?? .distantFuture
  }

  private mutating func warn(_ rate: AngularRate, line: Int) {
    // Infinite rates and NaN are dropped later anyway.
    let fastest = [rate.x, rate.y, rate.z].filter(\.isFinite).map(\.magnitude).max() ?? 0
    guard fastest > TraceReader.suspectRateRadPerSec else { return }
    warning = TraceWarning(path: name, line: line, rateRadPerSec: fastest)
  }

  /// Counts a row that cannot be read. It is an error unless it may belong to a footer or is skipped.
  private mutating func addBadRow(
    _ fault: RowScanner.Fault, column: Int, in block: borrowing LineBlock, _ start: Int
  ) {
    if pending.count == 0, !skipsBadRows {
      pending.error = badRow(fault, column: column, in: block, start)
    }
    pending.count += 1
    if pending.count > TraceReader.maxFooterRows || samples == 0 { failure = pending.error }
  }

  /// Handles a good row after bad ones, which are therefore not a footer.
  private mutating func endBadRows() {
    if let error = pending.error {
      failure = error
      return
    }
    counts.unreadable += UInt64(pending.count)
    counts.rows += UInt64(pending.count)
    pending.count = 0
  }

  /// Handles the end of the file.
  private mutating func finish() {
    counts.rows += UInt64(pending.count)
    if samples > 0, pending.count <= TraceReader.maxFooterRows {
      counts.footer += UInt64(pending.count)
    } else {
      counts.unreadable += UInt64(pending.count)
    }
    pending = (nil, 0)
    guard samples > 0 else {
      failure = TraceError(
        .noRows, path: name, line: headerLine,
        "no readable rows after the header; record again or give another file")
      return
    }
    if samples >= 2, !timesDiffer {
      failure = TraceError(
        .timesEqual, path: name,
        "all times are equal; give the number of rows per second instead, as in "
          + "--input-rate 100")
    }
  }

  private func badRow(
    _ fault: RowScanner.Fault, column: Int, in block: borrowing LineBlock, _ start: Int
  ) -> TraceError {
    let name = column < layout.names.count ? quoted(layout.names[column]) : ""
    let advice = "fix the row or add --skip-bad-rows"
    let value = quoted(scanner.text(ofColumn: column, in: block, start))
    let message =
      switch fault {
      case .missing: "the row ends before '\(name)'; \(advice)"
      case .notANumber:
        "'\(value)' in '\(name)' is not a number; \(advice)"
      case .timeOutOfRange:
        "the time '\(value)' is beyond 73 years; fix it, or give its unit with --time-unit"
      case .truncated: "the file ends in the middle of a row; \(advice)"
      }
    return TraceError(.badRow, path: self.name, line: line, column: column + 1, message)
  }
}
