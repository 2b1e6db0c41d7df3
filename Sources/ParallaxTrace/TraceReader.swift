// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxMotion
import ParallaxText
import ParallaxTime

/// Counts of the rows read so far.
package struct TraceCounts: Equatable, Sendable {
  /// Rows of data: samples, unreadable ones and the footer.
  package var rows: UInt64 = 0
  /// Rows that could not be read and were skipped (`--skip-bad-rows`).
  package var unreadable: UInt64 = 0
  /// Bad rows after the last good one: a truncated last line, or a spreadsheet's footer.
  package var footer: UInt64 = 0

  package init() {}
}

/// The first rate that is too fast for a hand.
package struct TraceWarning: Equatable, Sendable, CustomStringConvertible {
  package let path: String
  package let line: Int
  package let rateRadPerSec: Double

  /// `walk.csv:12: 57.3 rad/s is ...`
  package var description: String {
    let tenths = DecimalText.scaled(rateRadPerSec, decimals: 1)
    return "\(path):\(line): \(tenths / 10).\(tenths % 10) rad/s is faster than a hand can turn; "
      + "if the rates are in degrees, add --gyro-unit deg/s"
  }
}

/// Reads the samples of a trace, in constant memory.
///
/// `init` reads the header. Then call, in this order: `requireZ()` if z is needed,
/// `findNominalRate(frameRate:)` if the rate is needed, and `next()` until it returns nil.
package struct TraceReader: ~Copyable {
  /// Faster rates are more likely in degrees than made by a hand, rad/s (2292 deg/s; the range of a
  /// phone's gyroscope ends at 2000).
  package static let suspectRateRadPerSec = 40.0
  /// The maximum number of bad rows after the last good one that count as a footer.
  package static let maxFooterRows = 16

  /// The `# key: value` lines.
  package let header: TraceHeader
  let dialect: TraceDialect
  /// The path as given; `standard input` for `-`.
  package let name: String
  package private(set) var counts = TraceCounts()
  /// The first suspiciously fast rate, once read.
  package private(set) var warning: TraceWarning?
  /// Samples per second, from the command line, the header or `findNominalRate`; nil while unknown.
  package private(set) var nominalRateHertz: Double?

  @usableFromInline var batch = SampleBatch()
  private var blocks: LineBlocks
  private let layout: RowLayout
  private let skipsBadRows: Bool
  private var parser: RowParser
  /// The position in the file where the rows begin, and the number of the line before.
  private let firstRow: (position: Int, line: Int)

  private var line: Int
  /// The bad rows since the last good one: the error of the first, and their number.
  private var pending: (error: TraceError?, count: Int) = (nil, 0)
  /// The error to throw after the samples of the batch.
  private var failure: TraceError?
  private var isAtEnd = false
  /// The number of good rows since the beginning or the last rewind.
  private var samples = 0
  private var firstTime: MotionInstant?
  private var timesDiffer = false
  private var lastTime = MotionInstant.zero

  /// Opens a trace and reads its header.
  ///
  /// - Parameter path: The file, or `-` for standard input.
  package init(path: String, options: TraceOptions = TraceOptions()) throws(TraceError) {
    try self.init(TraceInput(path: path), options: options)
  }

  /// Reads the header of an open trace.
  ///
  /// - Parameter blockSize: The number of bytes to read at a time; it does not affect the result.
  package init(
    _ input: consuming TraceInput, options: TraceOptions = TraceOptions(),
    blockSize: Int = 262_144
  ) throws(TraceError) {
    name = input.name
    var blocks = LineBlocks(input, blockSize: blockSize)
    let opening = try HeaderReader.read(&blocks, options: options)
    firstRow = (blocks.nextPosition, opening.lines)
    self.blocks = blocks
    header = opening.header
    layout = opening.layout
    dialect = opening.layout.dialect
    line = opening.lines
    nominalRateHertz = opening.layout.inputRateHertz ?? opening.header.rateHertz
    skipsBadRows = options.skipsBadRows
    parser = RowParser(opening.layout, needsZ: false)
  }

  /// Requires z: a mount matrix that uses it, the bias, tilt mode or a recording needs it. Without this call,
  /// z is 0. Call before the first `next()`.
  package mutating func requireZ() throws(TraceError) {
    guard layout.z != nil else {
      throw TraceError(
        .unknownHeader, path: name, line: firstRow.line,
        "no column with z rates, which the mount matrix, the bias or the recording needs; "
          + "name it in --columns, or omit that option")
    }
    parser = RowParser(layout, needsZ: true)
  }

  /// Whether there is a column with z rates.
  package var hasZ: Bool { layout.z != nil }

  /// Returns the next sample; nil after the last.
  @inlinable
  package mutating func next() throws(TraceError) -> GyroSample? {
    if let sample = batch.next() { return sample }
    return try nextBatch()
  }

  @usableFromInline
  mutating func nextBatch() throws(TraceError) -> GyroSample? {
    batch.removeAll()
    fill()
    if let sample = batch.next() { return sample }
    if let failure { throw failure }
    return nil
  }

  /// Returns the nominal rate, in Hz. If the header does not give it, it is determined from at most 512
  /// samples, which `next()` still returns. Call before the first `next()`.
  package mutating func findNominalRate(frameRate: FrameRate) -> Double? {
    if let hertz = nominalRateHertz { return hertz }
    var rate = NominalRate(frameRate: frameRate)
    var seen = 0
    while !rate.isComplete {
      if seen == batch.count {
        guard !batch.isFull, !isAtEnd, failure == nil else { break }
        fill()
        continue
      }
      rate.add(batch.base[seen])
      seen += 1
    }
    nominalRateHertz = rate.hertz
    return rate.hertz
  }

  /// Restarts at the first row, for `--loop`.
  package mutating func rewind() throws(TraceError) {
    guard blocks.rewind(to: firstRow.position) else {
      throw .cannotRewind(name)
    }
    batch.removeAll()
    line = firstRow.line
    pending = (nil, 0)
    failure = nil
    isAtEnd = false
    samples = 0
  }

  /// Whether `next()` has to read from the file: it has returned all samples read so far.
  // `mutating`, because the compiler copies the whole reader for a getter that is not, and replay asks
  // for every row.
  package var mustRead: Bool {
    mutating get { batch.position == batch.count }
  }

  /// The number of bytes processed.
  package var position: Int { blocks.nextPosition }

  /// Whether `rewind` works.
  package var canRewind: Bool { blocks.input.canRewind }

  /// Reads rows until the batch is full, the block is consumed or the file ends.
  private mutating func fill() {
    do throws(TraceError) {
      while !isAtEnd, failure == nil {
        if blocks.start == blocks.end {
          switch try blocks.refill() {
          case .lines: break
          case .end:
            isAtEnd = true
            try finish()
            return
          case .lineTooLong: throw TraceError.lineTooLong(path: name, line: line + 1)
          }
        }
        let before = batch.count
        try readRows()
        if batch.count > before { return }
      }
    } catch {
      failure = error
    }
  }

  /// Reads as many rows of this block into the batch as fit.
  private mutating func readRows() throws(TraceError) {
    let parser = parser
    let count = parser.roles.count
    let before = batch.count
    var failed: TraceError?
    parser.roles.withUnsafeBufferPointer { roles in
      guard let roles = roles.baseAddress else { return }
      let end = UnsafePointer(blocks.bytes + blocks.end)
      var text = UnsafePointer(blocks.bytes + blocks.start)
      var sample = GyroSample(time: lastTime, rateRadPerSec: .zero)
      var fastest = warning == nil && layout.mayBeDegrees ? Self.suspectRateRadPerSec : .infinity
      while text < end, !batch.isFull {
        let begin = text
        line &+= 1
        var outcome = parser.read(&text, into: &sample, roles: roles, count: count)
        text = Self.lineFeed(text, end)
        if text - begin > LineBlocks.maxLineLength {
          failed = .lineTooLong(path: name, line: line)
          break
        }
        text += 1
        if blocks.lastLineIsUnterminated, text == end, outcome == .sample,
          parser.isTruncated(begin)
        {
          outcome = .bad(.truncated, column: 0)
        }
        guard outcome == .sample else {
          if case .bad(let fault, let column) = outcome {
            failed = addBadRow(fault, column: column, in: begin)
            if failed != nil { break }
          }
          continue
        }
        if pending.count > 0 {
          failed = endBadRows()
          if failed != nil { break }
        }
        if layout.inputRateHertz != nil {
          sample.time = evenTime(of: samples)
        }
        samples &+= 1
        let rate = sample.rateRadPerSec
        if max(rate.x.magnitude, rate.y.magnitude, rate.z.magnitude) > fastest {
          warn(rate)
          if warning != nil { fastest = .infinity }
        }
        compareTime(of: sample)
        batch.base[batch.count] = sample
        batch.count &+= 1
      }
      lastTime = sample.time
      counts.rows &+= UInt64(batch.count - before)
      blocks.consume(to: text - UnsafePointer(blocks.bytes))
    }
    if let failed { throw failed }
  }

  @inline(__always)
  private static func lineFeed(
    _ text: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    if text[0] == UInt8(ascii: "\n") { return text }
    // The byte before the end is a line feed.
    guard let found = memchr(text, Int32(UInt8(ascii: "\n")), end - text) else { return end - 1 }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }

  /// Checks whether any two times differ.
  @inline(__always)
  private mutating func compareTime(of sample: GyroSample) {
    if timesDiffer { return }
    guard let first = firstTime else {
      firstTime = sample.time
      return
    }
    timesDiffer = sample.time != first
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

  private mutating func warn(_ rate: AngularRate) {
    // Infinite rates and NaN are dropped later anyway.
    let fastest = [rate.x, rate.y, rate.z].filter(\.isFinite).map(\.magnitude).max() ?? 0
    guard fastest > Self.suspectRateRadPerSec else { return }
    warning = TraceWarning(path: name, line: line, rateRadPerSec: fastest)
  }

  /// Counts a row that cannot be read. Returns an error unless the row may belong to a footer or is
  /// skipped.
  private mutating func addBadRow(
    _ fault: RowParser.Fault, column: Int, in text: UnsafePointer<UInt8>
  ) -> TraceError? {
    if pending.count == 0, !skipsBadRows {
      pending.error = badRow(fault, column: column, in: text)
    }
    pending.count += 1
    return pending.count > Self.maxFooterRows || samples == 0 ? pending.error : nil
  }

  /// Handles a good row after bad ones, which are therefore not a footer.
  private mutating func endBadRows() -> TraceError? {
    if let error = pending.error { return error }
    counts.unreadable += UInt64(pending.count)
    counts.rows += UInt64(pending.count)
    pending.count = 0
    return nil
  }

  /// Handles the end of the file.
  private mutating func finish() throws(TraceError) {
    counts.rows += UInt64(pending.count)
    if samples > 0, pending.count <= Self.maxFooterRows {
      counts.footer += UInt64(pending.count)
    } else {
      counts.unreadable += UInt64(pending.count)
    }
    pending = (nil, 0)
    guard samples > 0 else {
      throw TraceError(
        .noRows, path: name, line: firstRow.line,
        "no readable rows after the header; record again or give another file")
    }
    guard samples < 2 || timesDiffer else {
      throw TraceError(
        .timesEqual, path: name,
        "all times are equal; give the number of rows per second instead, as in "
          + "--input-rate 100")
    }
  }

  private func badRow(
    _ fault: RowParser.Fault, column: Int, in text: UnsafePointer<UInt8>
  ) -> TraceError {
    let name = column < layout.names.count ? quoted(layout.names[column]) : ""
    let advice = "fix the row or add --skip-bad-rows"
    let message =
      switch fault {
      case .missing: "the row ends before '\(name)'; \(advice)"
      case .notANumber:
        "'\(quoted(parser.text(ofColumn: column, in: text)))' in '\(name)' is not a number; "
          + advice
      case .timeOutOfRange:
        "the time '\(quoted(parser.text(ofColumn: column, in: text)))' is beyond 73 years; "
          + "fix it, or give its unit with --time-unit"
      case .truncated: "the file ends in the middle of a row; \(advice)"
      }
    return TraceError(.badRow, path: self.name, line: line, column: column + 1, message)
  }
}
