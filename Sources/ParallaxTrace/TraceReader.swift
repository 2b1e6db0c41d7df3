internal import Glibc
package import ParallaxMotion

/// How many rows a trace had, so far, and what became of them.
package struct TraceCounts: Equatable, Sendable {
  /// Rows of data: samples, unreadable ones and the footer.
  package var rows: UInt64 = 0
  /// Rows that could not be read and were passed over (`--skip-bad-rows`).
  package var unreadable: UInt64 = 0
  /// Rows behind the last good one that are none: a cut last line, a spreadsheet's footer.
  package var footer: UInt64 = 0

  package init() {}
}

/// The first rate that no hand makes.
package struct TraceWarning: Equatable, Sendable, CustomStringConvertible {
  package let path: String
  package let line: Int
  package let rateRadPerSec: Double

  /// `walk.csv:12: 57.3 rad/s is ...`
  package var description: String {
    let tenths = DecimalText.scaled(rateRadPerSec, decimals: 1)
    return "\(path):\(line): \(tenths / 10).\(tenths % 10) rad/s is faster than any hand turns; "
      + "if the rates are degrees, add --gyro-unit deg/s"
  }
}

/// A trace as a stream of samples, in constant memory whatever its size.
///
/// Opening it reads its header. Then, in this order: `requireZ()` if z is needed,
/// `findNominalRate(frameRate:)` if the rate is, and `next()` until it is nil.
package struct TraceReader: ~Copyable {
  /// Rates above this come from degrees more often than from hands, rad/s (2292 deg/s: a phone's
  /// gyroscope ends at 2000).
  package static let suspectRateRadPerSec = 40.0
  /// Rows behind the last good one that count as a footer.
  package static let footerLimit = 16

  /// What the recording says about itself.
  package let header: TraceHeader
  package let dialect: TraceDialect
  /// As it was named; `standard input` for that.
  package let name: String
  package private(set) var counts = TraceCounts()
  /// Set once, when the first such rate was read.
  package private(set) var warning: TraceWarning?
  /// Samples a second: as the command line or the header says, else as found by
  /// `findNominalRate`; nil while unknown.
  package private(set) var nominalRateHertz: Double?

  @usableFromInline var batch = SampleBatch()
  private var blocks: LineBlocks
  private let layout: RowLayout
  private let skipsBadRows: Bool
  private var parser: RowParser
  /// The column of a z that nothing depends on; nil where it is not read, or needed and so read by
  /// `parser`.
  private var spareZ: Int?
  /// Where in the file the rows begin, and behind which line.
  private let firstRow: (position: Int, line: Int)

  private var line: Int
  /// The line of the first of the bad rows that run up to here, and how many they are.
  private var pending: (error: TraceError?, count: Int) = (nil, 0)
  /// What ends the stream once the batch is taken.
  private var failure: TraceError?
  private var isAtEnd = false
  /// Rows that could be read, since the beginning or the last rewind.
  private var samples = 0
  private var firstTime: Int64?
  private var timesDiffer = false
  private var lastTime: Int64 = 0

  /// Opens a trace and reads its header.
  ///
  /// - Parameter path: `-` is standard input.
  package init(path: String, options: TraceOptions = TraceOptions()) throws(TraceError) {
    try self.init(TraceInput(path: path), options: options)
  }

  /// Reads a trace from what is open.
  ///
  /// - Parameter blockSize: bytes read at a time; the result does not depend on it.
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

  /// Reads z as well: a mount matrix that uses it, the bias or a recording needs it. To be called
  /// before the first sample is taken; without it z is 0 everywhere.
  package mutating func requireZ() throws(TraceError) {
    guard layout.z != nil else {
      throw TraceError(
        .unknownHeader, path: name, line: firstRow.line,
        "no column of z rates, which the mount matrix, the bias or the recording needs; "
          + "name it in --columns or leave that option out")
    }
    parser = RowParser(layout, needsZ: true)
    spareZ = nil
  }

  /// Reads z where there is one, though nothing depends on it: somebody may record what this trace
  /// is played as. A z that is missing or no number is 0 then, as without this, and no error. To be
  /// called before the first sample is taken.
  package mutating func readZWhereItIs() {
    spareZ = layout.z
  }

  /// The next sample; nil behind the last.
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

  /// Finds the nominal rate by looking ahead, where the header does not say it: the samples looked
  /// at are given out afterwards. To be called before the first sample is taken.
  ///
  /// It looks at the first 512 rows at most.
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

  /// Begins anew at the first row, as `--loop` does.
  package mutating func rewind() throws(TraceError) {
    guard blocks.rewind(to: firstRow.position) else {
      throw TraceError(
        .usage, path: name, "cannot begin anew for --loop; give a file instead of a stream")
    }
    batch.removeAll()
    line = firstRow.line
    pending = (nil, 0)
    failure = nil
    isAtEnd = false
    samples = 0
  }

  /// Whether the next sample has to be read first: what is known of the trace has been taken.
  @inlinable
  package var mustRead: Bool { batch.taken == batch.count }

  /// Bytes of the trace that were worked on.
  package var position: Int { blocks.nextPosition }

  /// Whether `rewind` works: for a check before the first sample.
  package var canRewind: Bool { blocks.input.canRewind }

  /// Reads rows until the batch is full, the block is used up or there is nothing more to read.
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

  /// Reads rows of this block into the batch, as many as fit.
  private mutating func readRows() throws(TraceError) {
    let parser = parser
    let count = parser.roles.count
    let spareZ = spareZ ?? -1
    let before = batch.count
    var failed: TraceError?
    parser.roles.withUnsafeBufferPointer { roles in
      guard let roles = roles.baseAddress else { return }
      let end = UnsafePointer(blocks.bytes + blocks.end)
      var text = UnsafePointer(blocks.bytes + blocks.start)
      var sample = GyroSample(timeNanoseconds: lastTime, rateRadPerSec: .zero)
      var fastest = warning == nil && layout.mayBeDegrees ? Self.suspectRateRadPerSec : .infinity
      while text < end, !batch.isFull {
        let begin = text
        line &+= 1
        var outcome = parser.read(&text, into: &sample, roles: roles, count: count)
        text = Self.lineFeed(text, end)
        if text - begin > LineBlocks.lineLimit {
          failed = .lineTooLong(path: name, line: line)
          break
        }
        text += 1
        if blocks.lastLineIsCut, text == end, outcome == .sample, parser.isCut(begin) {
          outcome = .bad(.cut, column: 0)
        }
        guard outcome == .sample else {
          if case .bad(let fault, let column) = outcome {
            failed = meet(fault, column: column, in: begin)
            if failed != nil { break }
          }
          continue
        }
        if pending.count > 0 {
          failed = settlePending()
          if failed != nil { break }
        }
        if layout.inputRateHertz != nil {
          sample.timeNanoseconds = evenTime(of: samples)
        }
        samples &+= 1
        let rate = sample.rateRadPerSec
        if max(rate.x.magnitude, rate.y.magnitude, rate.z.magnitude) > fastest {
          warn(rate)
          if warning != nil { fastest = .infinity }
        }
        note(sample)
        if spareZ >= 0 { sample.rateRadPerSec.z = parser.spareZ(ofColumn: spareZ, in: begin) }
        batch.base[batch.count] = sample
        batch.count &+= 1
      }
      lastTime = sample.timeNanoseconds
      counts.rows &+= UInt64(batch.count - before)
      blocks.take(to: text - UnsafePointer(blocks.bytes))
    }
    if let failed { throw failed }
  }

  @inline(__always)
  private static func lineFeed(
    _ text: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    if text[0] == UInt8(ascii: "\n") { return text }
    // There is one before the end.
    guard let found = memchr(text, Int32(UInt8(ascii: "\n")), end - text) else { return end - 1 }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }

  /// Keeps in mind whether the times move at all.
  @inline(__always)
  private mutating func note(_ sample: GyroSample) {
    if timesDiffer { return }
    guard let first = firstTime else {
      firstTime = sample.timeNanoseconds
      return
    }
    timesDiffer = sample.timeNanoseconds != first
  }

  /// The time of a row where rows are evenly spaced, rounded half up.
  private func evenTime(of row: Int) -> Int64 {
    guard let hertz = layout.inputRateHertz else { return 0 }
    if hertz == hertz.rounded(.down) {
      let rate = UInt128(hertz)
      return Int64(clamping: (UInt128(row) * 2_000_000_000 + rate) / (2 * rate))
    }
    let time = (Double(row) / hertz * 1e9 + 0.5).rounded(.down)
    return Int64(exactly: time) ?? .max
  }

  private mutating func warn(_ rate: AngularRate) {
    // What is infinite or no number is dropped behind this anyway.
    let fastest = [rate.x, rate.y, rate.z].filter(\.isFinite).map(\.magnitude).max() ?? 0
    guard fastest > Self.suspectRateRadPerSec else { return }
    warning = TraceWarning(path: name, line: line, rateRadPerSec: fastest)
  }

  /// A row that cannot be read: an error, unless only such rows follow.
  private mutating func meet(
    _ fault: RowParser.Fault, column: Int, in text: UnsafePointer<UInt8>
  ) -> TraceError? {
    if pending.count == 0, !skipsBadRows {
      pending.error = badRow(fault, column: column, in: text)
    }
    pending.count += 1
    return pending.count > Self.footerLimit || samples == 0 ? pending.error : nil
  }

  /// A good row behind bad ones: they were no footer.
  private mutating func settlePending() -> TraceError? {
    if let error = pending.error { return error }
    counts.unreadable += UInt64(pending.count)
    counts.rows += UInt64(pending.count)
    pending.count = 0
    return nil
  }

  /// Behind the last row.
  private mutating func finish() throws(TraceError) {
    counts.rows += UInt64(pending.count)
    if samples > 0, pending.count <= Self.footerLimit {
      counts.footer += UInt64(pending.count)
    } else {
      counts.unreadable += UInt64(pending.count)
    }
    pending = (nil, 0)
    guard samples > 0 else {
      throw TraceError(
        .noRows, path: name, line: firstRow.line,
        "no rows that could be read behind the header; record again or give another file")
    }
    guard samples < 2 || timesDiffer else {
      throw TraceError(
        .timesEqual, path: name,
        "all times are equal; give the rows a second instead, as in --input-rate 100")
    }
  }

  private func badRow(
    _ fault: RowParser.Fault, column: Int, in text: UnsafePointer<UInt8>
  ) -> TraceError {
    let name = column < layout.names.count ? quoted(layout.names[column]) : ""
    let advice = "mend the row or add --skip-bad-rows"
    let message =
      switch fault {
      case .missing: "the row ends before '\(name)'; \(advice)"
      case .noNumber:
        "'\(quoted(parser.text(ofColumn: column, in: text)))' in '\(name)' is no number; \(advice)"
      case .timeOutOfRange:
        "the time '\(quoted(parser.text(ofColumn: column, in: text)))' is beyond 73 years; "
          + "mend it, or say its unit with --time-unit"
      case .cut: "the file ends in the middle of a row; \(advice)"
      }
    return TraceError(.badRow, path: self.name, line: line, column: column + 1, message)
  }
}
