// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTrace
import Synchronization

/// Turns a trace into a table, a plot or both, on one thread or several with the same bytes.
///
/// A trace goes through in blocks of lines. Each worker takes a block through all steps: it reads the block,
/// scans its rows, moves the pipeline, formats the frames and writes the lines. Scanning and formatting are
/// most of the work and depend on nothing else; the other steps are done in the order of the blocks. So one
/// worker scans while another formats, and memory does not depend on the trace's size.
final class TableWorkers: Sendable {
  fileprivate let input: OrderedAccess<TraceBlocks>
  fileprivate let motion: OrderedAccess<ReplayMotion>
  fileprivate let output: OrderedAccess<TableOutput>
  fileprivate let scanner: RowScanner
  fileprivate let progress: Progress
  /// Whether lines are written.
  fileprivate let hasTable: Bool
  /// Whether each frame is written when it is due.
  fileprivate let isPlayed: Bool
  fileprivate let makeTable: @Sendable () -> OffsetTable
  fileprivate let nextNumber = Atomic(0)
  /// Whether no further block is wanted: after the last one, or after an error.
  fileprivate let isStopped = Atomic(false)

  /// - Parameter makeTable: Makes an empty table, for each worker.
  init(
    _ blocks: consuming TraceBlocks, _ motion: consuming ReplayMotion,
    to output: consuming sending TableOutput, progress: Progress,
    makeTable: @escaping @Sendable () -> OffsetTable
  ) {
    scanner = motion.rows.scanner
    hasTable = output.file != nil
    isPlayed = hasTable && output.clock != nil
    input = OrderedAccess(blocks)
    self.motion = OrderedAccess(motion)
    self.output = OrderedAccess(output)
    self.progress = progress
    self.makeTable = makeTable
  }

  /// Writes the whole table. Returns what was drawn, if anything was.
  ///
  /// If a row of the trace is invalid, the frames before it have been written to standard output, but a file
  /// does not appear.
  func run(threads: Int, summary: inout ReplaySummary) throws -> ReplayPlotter? {
    WorkerThreads.run(jobs: threads, threads: threads) { _ in
      var worker = TableWorker(self)
      worker.run()
    }
    if let error = output.afterwards({ $0.error }) { throw error }
    if let error = motion.afterwards({ $0.rows.failure }) { throw error }
    try output.afterwards { (output: borrowing TableOutput) throws(OutputFileError) in
      try output.file?.finish()
    }
    return motion.afterwards { state in
      let sensor = state.pipeline.sensor
      summary.add(
        sensor.counts, state.rows.counts,
        duration: (sensor.lastTime ?? .zero) - (sensor.firstTime ?? .zero))
      return state.plotter
    }
  }
}

/// What depends on all rows before: one thread at a time, in the order of the blocks.
struct ReplayMotion: ~Copyable, Sendable {
  var rows: TraceRows
  var pipeline: MotionPipeline
  var plotter: ReplayPlotter?
  /// nil: every frame.
  var needed: NeededFrames?
  /// Whether another pass begins after the last row.
  let loops: Bool
  fileprivate var hasBegun = false
  fileprivate var hasWarned = false
  /// The number of bytes whose progress is shown.
  fileprivate var position = 0

  init(
    rows: consuming TraceRows, pipeline: MotionPipeline, plotter: ReplayPlotter?,
    needed: NeededFrames? = nil, loops: Bool
  ) {
    self.rows = rows
    self.pipeline = pipeline
    self.plotter = plotter
    self.needed = needed
    self.loops = loops
  }

  /// Begins another pass after the last row.
  fileprivate mutating func loop() {
    guard loops, rows.failure == nil else { return }
    rows.rewind()
    pipeline.startSegment(continuing: true)
    position = 0
  }
}

/// Where the lines go: one thread at a time, in the order of the blocks.
struct TableOutput: ~Copyable, @unchecked Sendable {
  // unchecked: one thread at a time uses the file.
  /// nil if there is only a plot.
  let file: OutputFile?
  /// Delays each frame until it is due; nil writes blocks of lines.
  var clock: PlaybackClock?
  fileprivate var error: OutputFileError?

  init(_ file: OutputFile?, clock: PlaybackClock? = nil) {
    self.file = file
    self.clock = clock
  }

  /// Writes lines and removes them. Returns false after an error.
  fileprivate mutating func write(_ lines: inout OutputBuffer) -> Bool {
    if let file, error == nil {
      do throws(OutputFileError) {
        try file.write(&lines)
      } catch {
        self.error = error
      }
    }
    lines.removeAll()
    return error == nil
  }

  /// Writes each frame when it is due.
  fileprivate mutating func play(
    _ frames: borrowing FrameColumns, _ table: inout OffsetTable
  ) -> Bool {
    for index in 0..<frames.count {
      let elapsed = frames.times[index] - table.origin
      guard table.span.contains(elapsed) else { continue }
      clock?.wait(until: elapsed - table.span.from)
      table.append(frames, index..<index + 1)
      guard write(&table.lines) else { return false }
    }
    return true
  }
}

/// A worker and the block that it has.
private struct TableWorker: ~Copyable {
  /// Within one block, lines are written when they have more bytes than this.
  private static let maxLineBytes = 1 << 17

  private let shared: TableWorkers
  private var block = LineBlock()
  private var samples = SampleColumns()
  private var frames: FrameColumns
  private var table: OffsetTable
  /// The number of the block.
  private var number = 0

  init(_ shared: TableWorkers) {
    self.shared = shared
    table = shared.makeTable()
    frames = FrameColumns(hasVelocities: table.hasVelocities)
  }

  /// Takes blocks through all steps until there is none.
  mutating func run() {
    while !shared.isStopped.load(ordering: .relaxed) { takeBlock() }
  }

  private mutating func takeBlock() {
    number = shared.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    let outcome = shared.input.use(turn: number) { blocks in
      shared.isStopped.load(ordering: .relaxed)
        ? LineBlocks.Outcome.end : blocks.read(into: &block, samples: &samples)
    }
    var stop = RowScanner.Stop.none
    // The first block's samples have been scanned and counted.
    let isFirst = number == 0
    if case .lines = outcome, !isFirst { stop = shared.scanner.scan(&block, into: &samples) }
    shared.motion.use(turn: number) { state in
      if isFirst {
        move(&state)
      } else if state.rows.isAtEnd {
        // After an error, or after the last row.
      } else if case .lines = outcome {
        state.rows.add(&samples, from: 0, stop, block)
        move(&state)
      } else {
        state.rows.handle(outcome)
        state.loop()
      }
      if state.rows.isAtEnd { shared.isStopped.store(true, ordering: .relaxed) }
    }
    emit()
    write(endsTurn: true)
  }

  /// Moves the pipeline by the samples and by the rows that are left in the block.
  private mutating func move(_ state: inout ReplayMotion) {
    take(&state)
    while !block.isEmpty, !state.rows.isAtEnd {
      samples.count = 0
      state.rows.read(&block, into: &samples)
      take(&state)
    }
    shared.progress.add(bytes: block.nextPosition - state.position)
    state.position = block.nextPosition
    if !state.hasWarned, let warning = state.rows.warning {
      state.hasWarned = true
      Console.report("\(warning)")
    }
  }

  /// Moves the pipeline by the samples.
  private mutating func take(_ state: inout ReplayMotion) {
    var next = 0
    while true {
      let (begin, first) = (next, frames.count)
      if first == 0 {
        table.firstFrame = state.needed?.count ?? state.pipeline.counts.frames
      }
      state.pipeline.take(samples, from: &next, into: &frames)
      let isFull = frames.isFull
      state.needed?.pick(&frames, from: first)
      state.plotter?.add(samples, begin..<next, frames, from: first)
      if let origin = state.pipeline.sensor.firstTime {
        table.origin = origin
        if !state.hasBegun { table.begin() }
        state.hasBegun = true
      }
      guard isFull else { return }
      emit()
      if table.lines.count >= Self.maxLineBytes { write(endsTurn: false) }
    }
  }

  /// Turns the frames into lines, or plays them.
  private mutating func emit() {
    if shared.isPlayed {
      shared.output.use(turn: number, endsTurn: false) { output in
        if !output.play(frames, &table) { shared.isStopped.store(true, ordering: .relaxed) }
      }
    } else if shared.hasTable {
      table.append(frames, 0..<frames.count)
    }
    frames.removeAll()
  }

  private mutating func write(endsTurn: Bool) {
    shared.output.use(turn: number, endsTurn: endsTurn) { output in
      if !output.write(&table.lines) { shared.isStopped.store(true, ordering: .relaxed) }
    }
  }
}
