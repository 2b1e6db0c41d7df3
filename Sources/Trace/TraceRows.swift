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
  /// Reads most rows; nil if the layout needs the parser for all of them.
  package private(set) var scanner: RowScanner?

  private let name: String
  private let layout: RowLayout
  private let skipsBadRows: Bool
  private var useOfZ = TraceReader.UseOfZ.none
  private var parser: RowParser
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
  /// How many rows the parser takes before the scanner is tried again: more, the more often that fails.
  private var parsedRows = 1

  init(name: String, _ opening: TraceOpening, skipsBadRows: Bool) {
    self.name = name
    self.skipsBadRows = skipsBadRows
    layout = opening.layout
    headerLine = opening.lines
    line = opening.lines
    parser = RowParser(layout, needsZ: false)
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
    use(z: .value)
  }

  mutating func checkZ() { use(z: .check) }

  private mutating func use(z: TraceReader.UseOfZ) {
    useOfZ = z
    parser = RowParser(layout, needsZ: z != .none)
    scanner = RowScanner(layout, z: z)
  }

  /// Starts again at the first row.
  mutating func rewind() {
    line = headerLine
    pending = (nil, 0)
    failure = nil
    hasEnded = false
    samples = 0
  }

  /// Whether there are no further rows, or none that may be read after an error.
  package var isAtEnd: Bool { hasEnded || failure != nil }

  /// Begins a block, or ends the trace if there was none to read.
  package mutating func begin(_ outcome: LineBlocks.Outcome) {
    switch outcome {
    case .lines: break
    case .end:
      hasEnded = true
      finish()
    case .lineTooLong: failure = .lineTooLong(path: name, line: line + 1)
    case .failed(let error): failure = error
    }
  }

  /// Reads as many rows of a block as fit; at an error, those before it.
  package mutating func read(_ block: inout LineBlock, into samples: inout SampleColumns) {
    guard failure == nil else { return }
    let before = samples.count
    scanner?.scan(&block, into: &samples)
    add(samples: &samples, from: before)
    guard samples.count == before else {
      parsedRows = 1
      return
    }
    let rows = scanner == nil ? Int.max : parsedRows
    block.start = parse(
      block.bytes.span.bytes, block.start..<block.end, isUnterminated: block.isUnterminated,
      most: rows, into: &samples)
    parsedRows = min(2 * parsedRows, 256)
  }

  /// Counts samples that the scanner has read, from an index on; removes them if an error comes before them.
  package mutating func add(samples: inout SampleColumns, from first: Int) {
    guard samples.count > first else { return }
    if pending.count > 0 { endBadRows() }
    guard failure == nil else {
      samples.count = first
      return
    }
    if warning == nil, layout.mayBeDegrees,
      samples.hasRate(above: TraceReader.suspectRateRadPerSec, from: first)
    {
      for index in first..<samples.count where warning == nil {
        warn(samples[index].rateRadPerSec, line: line + 1 + index - first)
      }
    }
    var index = first
    while !timesDiffer, index < samples.count {
      compareTime(samples.times[index])
      index += 1
    }
    let count = samples.count - first
    line += count
    self.samples += count
    counts.rows += UInt64(count)
    lastTime = samples.times[samples.count - 1]
  }

  /// Reads rows in any form: as many as fit, at most a number of them. Returns where the next one begins.
  private mutating func parse(
    _ text: borrowing RawSpan, _ lines: Range<Int>, isUnterminated: Bool, most: Int,
    into samples: inout SampleColumns
  ) -> Int {
    var at = lines.lowerBound
    var rows = 0
    var sample = GyroSample(time: lastTime, rateRadPerSec: .zero)
    while at < lines.upperBound, !samples.isFull, rows < most, failure == nil {
      let begin = at
      line += 1
      rows += 1
      let outcome = parser.read(text, &at, into: &sample)
      while text.byte(at) != UInt8(ascii: "\n") { at += 1 }
      guard at - begin <= LineBlocks.maxLineLength else {
        failure = .lineTooLong(path: name, line: line)
        break
      }
      at += 1
      switch outcome {
      case .ignored: break
      case .bad(let fault, let column): addBadRow(fault, column: column, in: text, begin)
      case .sample:
        if isUnterminated, at == lines.upperBound, parser.isTruncated(text, begin) {
          addBadRow(.truncated, column: 0, in: text, begin)
        } else {
          add(&sample, to: &samples)
        }
      }
    }
    lastTime = sample.time
    return at
  }

  /// Adds the sample of a row, unless bad rows before it are an error.
  private mutating func add(_ sample: inout GyroSample, to samples: inout SampleColumns) {
    if pending.count > 0 {
      endBadRows()
      guard failure == nil else { return }
    }
    if layout.inputRateHertz != nil { sample.time = evenTime(of: self.samples) }
    self.samples += 1
    let rate = sample.rateRadPerSec
    if warning == nil, layout.mayBeDegrees,
      max(rate.x.magnitude, rate.y.magnitude, rate.z.magnitude) > TraceReader.suspectRateRadPerSec
    {
      warn(rate, line: line)
    }
    compareTime(sample.time)
    if useOfZ == .check {
      // The scanner sets no z, so none may be left in the columns.
      if !rate.z.isFinite { sample.rateRadPerSec.x = .nan }
      sample.rateRadPerSec.z = 0
    }
    samples.append(sample)
    counts.rows += 1
  }

  /// Checks whether any two times differ.
  private mutating func compareTime(_ time: MotionInstant) {
    if timesDiffer { return }
    guard let first = firstTime else {
      firstTime = time
      return
    }
    timesDiffer = time != first
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
    _ fault: RowParser.Fault, column: Int, in text: borrowing RawSpan, _ line: Int
  ) {
    if pending.count == 0, !skipsBadRows {
      pending.error = badRow(fault, column: column, in: text, line)
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
    _ fault: RowParser.Fault, column: Int, in text: borrowing RawSpan, _ begin: Int
  ) -> TraceError {
    let name = column < layout.names.count ? quoted(layout.names[column]) : ""
    let advice = "fix the row or add --skip-bad-rows"
    let value = quoted(parser.text(ofColumn: column, in: text, begin))
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
