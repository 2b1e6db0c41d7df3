// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTrace
import Synchronization

/// Turns a trace into a CSV table, on one thread or several with the same bytes.
///
/// A trace goes through in blocks of lines. Each worker takes a block through all steps: it reads the block,
/// scans its rows, moves the pipeline, formats the frames and writes the lines. Scanning and formatting are
/// most of the work and depend on nothing else; the other steps are done in the order of the blocks. So one
/// worker scans while another formats, and memory does not depend on the trace's size.
final class TableWorkers: Sendable {
  /// What depends on all rows before.
  fileprivate struct Motion: ~Copyable {
    var rows: TraceRows
    var pipeline: MotionPipeline
    var hasBegun = false
    var hasWarned = false
    /// The number of bytes whose progress is shown.
    var position = 0

    /// Counts the samples of a block. Returns false if there is no block, or an error before it.
    mutating func count(_ samples: inout SampleColumns, _ outcome: LineBlocks.Outcome) -> Bool {
      guard !rows.isAtEnd else { return false }
      rows.begin(outcome)
      guard case .lines = outcome else { return false }
      rows.add(samples: &samples, from: 0)
      return true
    }
  }

  fileprivate struct Output: ~Copyable, @unchecked Sendable {
    // unchecked: one thread at a time uses the file.
    let file: OutputFile
    var error: OutputFileError?
  }

  fileprivate let input: OrderedAccess<TraceBlocks>
  fileprivate let motion: OrderedAccess<Motion>
  fileprivate let output: OrderedAccess<Output>
  fileprivate let scanner: RowScanner?
  fileprivate let progress: Progress
  fileprivate let makeTable: @Sendable () -> OffsetTable
  fileprivate let nextNumber = Atomic(0)
  /// Whether no further block is wanted, after an error.
  fileprivate let isStopped = Atomic(false)

  /// - Parameter makeTable: Makes an empty table, for each worker.
  init(
    _ blocks: consuming TraceBlocks, _ rows: consuming TraceRows, _ pipeline: MotionPipeline,
    to file: sending OutputFile, progress: Progress,
    makeTable: @escaping @Sendable () -> OffsetTable
  ) {
    scanner = rows.scanner
    input = OrderedAccess(blocks)
    motion = OrderedAccess(Motion(rows: rows, pipeline: pipeline))
    output = OrderedAccess(Output(file: file))
    self.progress = progress
    self.makeTable = makeTable
  }

  /// Writes the whole table.
  ///
  /// If a row of the trace is invalid, the frames before it have been written to standard output, but a file
  /// does not appear.
  func run(threads: Int, summary: inout ReplaySummary) throws {
    WorkerThreads.run(jobs: threads, threads: threads) { _ in
      var worker = TableWorker(self)
      worker.run()
    }
    if let error = output.afterwards({ $0.error }) { throw error }
    if let error = motion.afterwards({ $0.rows.failure }) { throw error }
    try output.afterwards { (output: borrowing Output) throws(OutputFileError) in
      try output.file.finish()
    }
    motion.afterwards { state in
      let sensor = state.pipeline.sensor
      summary.add(
        sensor.counts, state.rows.counts,
        duration: (sensor.lastTime ?? .zero) - (sensor.firstTime ?? .zero))
    }
  }
}

/// A worker and the block that it has.
private struct TableWorker: ~Copyable {
  /// Within one block, lines are written when they have more bytes than this.
  private static let maxLineBytes = 1 << 17

  private let shared: TableWorkers
  private var block = LineBlock()
  private var samples = SampleColumns()
  private var frames = FrameColumns()
  private var table: OffsetTable
  /// The number of the block.
  private var number = 0

  init(_ shared: TableWorkers) {
    self.shared = shared
    table = shared.makeTable()
  }

  /// Takes blocks through all steps until there is none.
  mutating func run() {
    while takeBlock() {}
  }

  /// Returns false if there was no further block.
  private mutating func takeBlock() -> Bool {
    number = shared.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    var upcoming = 0
    let outcome = shared.input.use(turn: number) { blocks in
      shared.isStopped.load(ordering: .relaxed)
        ? LineBlocks.Outcome.end
        : blocks.read(into: &block, samples: &samples, upcoming: &upcoming)
    }
    var isAtEnd = true
    if case .lines = outcome { isAtEnd = false }
    // The first block's samples have been scanned and counted.
    let isFirst = number == 0
    if !isAtEnd, !isFirst { shared.scanner?.scan(&block, into: &samples) }
    shared.motion.use(turn: number) { state in
      if isFirst || state.count(&samples, outcome) { move(&state, from: upcoming) }
    }
    format()
    write(endsTurn: true)
    return !isAtEnd
  }

  /// Moves the pipeline by the samples from an index on and by the rows that the scanner left.
  private mutating func move(_ state: inout TableWorkers.Motion, from first: Int) {
    take(&state, from: first)
    while !block.isEmpty, !state.rows.isAtEnd {
      samples.count = 0
      state.rows.read(&block, into: &samples)
      take(&state, from: 0)
    }
    if state.rows.isAtEnd { shared.isStopped.store(true, ordering: .relaxed) }
    shared.progress.add(bytes: block.nextPosition - state.position)
    state.position = block.nextPosition
    if !state.hasWarned, let warning = state.rows.warning {
      state.hasWarned = true
      Console.report("\(warning)")
    }
  }

  /// Moves the pipeline by the samples from an index on.
  private mutating func take(_ state: inout TableWorkers.Motion, from first: Int) {
    var next = first
    while true {
      state.pipeline.take(samples, from: &next, into: &frames)
      if let origin = state.pipeline.sensor.firstTime {
        if state.hasBegun { table.continueTable(from: origin) } else { table.begin(origin: origin) }
        state.hasBegun = true
      }
      guard frames.isFull else { return }
      format()
      if table.lines.count >= Self.maxLineBytes { write(endsTurn: false) }
    }
  }

  private mutating func format() {
    table.append(frames)
    frames.removeAll()
  }

  private mutating func write(endsTurn: Bool) {
    shared.output.use(turn: number, endsTurn: endsTurn) { output in
      guard output.error == nil else {
        table.lines.removeAll()
        return
      }
      do throws(OutputFileError) {
        try output.file.write(&table.lines)
      } catch {
        output.error = error
        shared.isStopped.store(true, ordering: .relaxed)
      }
    }
  }
}
