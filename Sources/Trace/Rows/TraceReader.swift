// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

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
/// `init` reads the header. Then call, in this order: `requireZ()` or `checkZ()` if z matters,
/// `findNominalRate(frameRate:)` if the rate is needed, and `next()` until it returns nil.
package struct TraceReader: ~Copyable {
  /// What a sample's z is needed for.
  enum UseOfZ {
    /// Nothing: bad z are not even seen.
    case none
    /// A z that is not finite drops its sample.
    case check
    /// Its value.
    case value
  }

  /// Faster rates are more likely in degrees than made by a hand, rad/s (2292 deg/s; the range of a
  /// phone's gyroscope ends at 2000).
  package static let suspectRateRadPerSec = 40.0
  /// The maximum number of bad rows after the last good one that count as a footer.
  package static let maxFooterRows = 16
  /// The maximum number of samples of which the nominal rate is determined.
  private static let maxRateSamples = 512

  /// The `# key: value` lines.
  package let header: TraceHeader
  let dialect: TraceDialect
  /// The path as given; `standard input` for `-`.
  package let name: String
  /// Samples per second, from the command line, the header or `findNominalRate`; nil while unknown.
  package private(set) var nominalRateHertz: Double?

  private var blocks: LineBlocks
  private var block = LineBlock()
  private var rows: TraceRows
  private var samples = SampleColumns()
  /// The index of the next sample to return.
  private var upcoming = 0
  /// The position in the file where the rows begin.
  private let firstRow: Int

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
    blockSize: Int = 65_536
  ) throws(TraceError) {
    name = input.name
    var blocks = LineBlocks(input, blockSize: blockSize)
    let opening = try HeaderReader.read(&blocks, &block, options: options)
    firstRow = block.nextPosition
    self.blocks = blocks
    header = opening.header
    dialect = opening.layout.dialect
    nominalRateHertz = opening.layout.inputRateHertz ?? opening.header.rateHertz
    rows = TraceRows(name: name, opening, skipsBadRows: options.skipsBadRows)
  }

  /// Requires z: a mount matrix that uses it, the bias, tilt mode or a recording needs it. Without this call,
  /// z is 0. Call before the first `next()`.
  package mutating func requireZ() throws(TraceError) {
    try rows.requireZ()
  }

  /// Drops samples whose z is not finite, and refuses rows without z, if there is such a column; the z of
  /// other samples may be 0. Call before the first `next()`.
  package mutating func checkZ() {
    rows.checkZ()
  }

  /// Whether there is a column with z rates.
  package var hasZ: Bool { rows.hasZ }

  package var counts: TraceCounts { rows.counts }

  /// The first suspiciously fast rate, once read. Mutating as `SensorStage.biasState` is.
  package var warning: TraceWarning? { mutating get { rows.warning } }

  /// Returns the next sample; nil after the last.
  package mutating func next() throws(TraceError) -> GyroSample? {
    if upcoming == samples.count {
      samples.count = 0
      upcoming = 0
      fill()
      guard samples.count > 0 else {
        if let failure = rows.failure { throw failure }
        return nil
      }
    }
    defer { upcoming += 1 }
    return samples[upcoming]
  }

  /// The result of `nextArrived()`.
  package enum Arrival {
    case sample(GyroSample)
    /// No whole row has arrived since; wait for `descriptor`.
    case pending
    /// There are no more.
    case end
  }

  /// Returns the next sample of a row that has arrived, without waiting for one.
  package mutating func nextArrived() throws(TraceError) -> Arrival {
    if upcoming == samples.count {
      samples.count = 0
      upcoming = 0
      fill(waits: false)
      guard samples.count > 0 else {
        if let failure = rows.failure { throw failure }
        return rows.isAtEnd ? .end : .pending
      }
    }
    defer { upcoming += 1 }
    return .sample(samples[upcoming])
  }

  /// Readable (poll(2)) when further rows may have arrived.
  package var descriptor: Int32 { blocks.input.descriptor }

  /// Whether the input is a regular file, of which reading never waits.
  package var isRegularFile: Bool { blocks.input.isRegular }

  /// Returns the nominal rate, in Hz. If the header does not give it, it is determined from at most 512
  /// samples, which `next()` still returns. Call before the first `next()`.
  package mutating func findNominalRate(frameRate: FrameRate) -> Double? {
    if let hertz = nominalRateHertz { return hertz }
    var rate = NominalRate(frameRate: frameRate)
    var seen = 0
    while !rate.isComplete, seen < Self.maxRateSamples {
      if seen == samples.count {
        guard !rows.isAtEnd else { break }
        fill()
        continue
      }
      rate.add(samples[seen])
      seen += 1
    }
    nominalRateHertz = rate.hertz
    return rate.hertz
  }

  /// Restarts at the first row, for `--loop`.
  package mutating func rewind() throws(TraceError) {
    guard blocks.rewind(to: firstRow) else { throw .cannotRewind(name) }
    block = LineBlock()
    samples.count = 0
    upcoming = 0
    rows.rewind()
  }

  /// Whether `rewind` works.
  package var canRewind: Bool { blocks.input.canRewind }

  /// Reads rows until there are some, the columns are full or the file ends; without waiting, at most those
  /// that have arrived.
  private mutating func fill(waits: Bool = true) {
    let before = samples.count
    while !rows.isAtEnd, samples.count == before {
      if block.isEmpty {
        let outcome = blocks.read(into: &block, waits: waits)
        if case .pending = outcome { return }
        rows.handle(outcome)
      }
      rows.read(&block, into: &samples)
    }
  }

  /// Takes the reader apart, for several threads: blocks are read in order, scanned by `rows.scanner` in any
  /// order, and then taken by the rows in order. Call before the first `next()`.
  ///
  /// - Parameter loops: Whether the first pass is followed by others.
  package consuming func split(rows: inout TraceRows?, loops: Bool) -> TraceBlocks {
    self.rows.reopen()
    rows = consume self.rows
    return TraceBlocks(
      name: name, blocks, TraceBlocks.First(block: block, samples: samples),
      firstRow: loops ? firstRow : nil)
  }
}
