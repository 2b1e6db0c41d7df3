import Glibc
import ParallaxClient
import ParallaxMotion
import ParallaxTrace

/// Writes what a source gives into a trace until something ends it, and leaves a whole one behind
/// whatever that is. Memory stays the same however long it takes.
struct Recorder: ~Copyable {
  private let source: any RecordingSource
  private let output: OutputFile
  private let durationNanoseconds: Int64?
  /// Readable once the user wants an end.
  private let interruption: Int32
  private var progress: RecordingProgress
  private var writer = TraceWriter()
  private var lines = OutputBuffer(capacity: flushBytes + 1024)
  private var tally = RecordingTally()
  /// Samples whose rows were written.
  private var kept = 0
  private let clock: () -> Int64
  private let startNanoseconds: Int64
  private var firstArrival: Int64?
  /// How much later than it should a sample may come.
  private var patience = leastPatience

  /// Rows are written whenever no more samples wait, and at the latest when they are so many bytes:
  /// what a kill -9 takes is on its way here.
  private static let flushBytes = 1 << 16
  private static let leastPatience: Int64 = 1_000_000_000
  /// A sensor has to be opened, and a daemon that cannot says so sooner.
  private static let startPatience: Int64 = 10_000_000_000

  /// - Parameters:
  ///   - durationNanoseconds: measured on the samples' own clock from the first of them; nil: until
  ///     it is interrupted.
  ///   - interruption: a descriptor that is readable once the user wants an end.
  ///   - showsProgress: whether standard error is a terminal with room for it.
  ///   - clock: CLOCK_MONOTONIC in nanoseconds, for when no sample says what time it is.
  init(
    _ source: any RecordingSource, to output: OutputFile, durationNanoseconds: Int64?,
    interruption: Int32, showsProgress: Bool,
    clock: @escaping () -> Int64 = { MonotonicInstant.now.nanoseconds }
  ) {
    self.source = source
    self.output = output
    self.durationNanoseconds = durationNanoseconds
    self.interruption = interruption
    self.clock = clock
    startNanoseconds = clock()
    progress = RecordingProgress(
      durationNanoseconds: durationNanoseconds, startNanoseconds: startNanoseconds,
      isShown: showsProgress)
  }

  /// Why a recording is over.
  private enum End {
    /// It has what was asked for.
    case complete
    case interrupted
    /// The source has no more.
    case ended(reason: String)
    /// Nothing comes any more, and nobody said why.
    case silent
    /// Nobody reads what is written.
    case readerGone
    case failed(CommandFailure)
  }

  /// Records.
  ///
  /// - Returns: what the trace has.
  /// - Throws: where it is not what was asked for; the message says what was kept.
  consuming func run() throws -> RecordingTally {
    var end = record()
    if let failure = flush() {
      // What was written before is as good as it was; the first reason counts.
      switch end {
      case .failed, .readerGone: break
      default: end = failure
      }
    }
    progress.wipe()
    var failure = failure(of: end)
    if case .readerGone = end { throw OutputClosed() }
    if kept > 0 {
      do {
        try output.finish()
        let place = output.isRegular ? "kept in \(output.name)" : "written"
        let words = "\(kept) \(kept == 1 ? "sample is" : "samples are") \(place)"
        failure = failure.map { CommandFailure($0.exit, "\($0.message); \(words)") }
      } catch {
        failure =
          failure.map { CommandFailure($0.exit, "\($0.message); \(error.message)") } ?? error
      }
    }
    // Behind the file: a driver may take as long as it likes.
    source.stop()
    if let failure { throw failure }
    return tally
  }

  private func failure(of end: End) -> CommandFailure? {
    switch end {
    case .failed(let failure): return failure
    case .readerGone: return nil
    case .complete, .interrupted:
      guard kept == 0 else { return nil }
      return CommandFailure(.unavailable, "nothing was recorded: no sample had come")
    case .ended(let reason):
      guard kept > 0, durationNanoseconds == nil else {
        return CommandFailure(.unavailable, reason)
      }
      return nil
    case .silent:
      return CommandFailure(
        .unavailable,
        kept == 0
          ? "nothing was recorded: no sample came; see 'parallax status'"
          : "no more samples came; see 'parallax status'")
    }
  }

  // -- While it runs

  private mutating func record() -> End {
    do throws(CommandFailure) {
      try source.start(atNanoseconds: startNanoseconds)
      while true {
        let now = clock()
        // Once round even where the time is over: what has come meanwhile belongs in.
        while let event = try source.next(atNanoseconds: now) {
          if let end = take(event, atNanoseconds: now) { return end }
        }
        if let end = flush() { return end }
        if let deadline, now >= deadline { return isNearlyWhole ? .complete : .silent }
        progress.show(tally, atNanoseconds: now)
        if let end = wait(atNanoseconds: now) { return end }
      }
    } catch {
      return .failed(error)
    }
  }

  private mutating func take(_ event: RecordingEvent, atNanoseconds now: Int64) -> End? {
    switch event {
    case .header(let header, let note):
      writer.append(header, to: &lines)
      if let hertz = header.rateHertz {
        // Two periods, so that a slow sensor is not taken for a dead one.
        patience = max(patience, Int64(min(2e9 / hertz, 1e15)))
      }
      if let note { tell(note) }
    case .note(let note): tell(note)
    case .ended(let reason): return .ended(reason: reason)
    case .sample(let sample):
      let span = tally.span(to: sample.timeNanoseconds)
      if let durationNanoseconds, span > durationNanoseconds { return .complete }
      if firstArrival == nil {
        firstArrival = now
        // The lines above the rows do not count as samples.
        if let end = flush(isHeader: true) { return end }
      }
      writer.append(sample, to: &lines)
      tally.add(sample.timeNanoseconds)
      if span == durationNanoseconds { return .complete }
      if lines.count >= Self.flushBytes { return flush() ?? interrupted(withinMilliseconds: 0) }
    }
    return nil
  }

  private mutating func tell(_ note: String) {
    progress.wipe()
    Console.report(note)
  }

  /// Writes the rows that wait. Without a sample there are none: nothing is written then.
  private mutating func flush(isHeader: Bool = false) -> End? {
    guard isHeader || tally.samples > 0, !lines.isEmpty else { return nil }
    let result = output.writeLines(&lines)
    if !isHeader { kept += result.lines }
    switch result.failure {
    case nil: return nil
    case .readerGone: return .readerGone
    case .failed(let failure): return .failed(failure)
    }
  }

  // -- Time

  /// When it is over though no sample says so; nil: never.
  private var deadline: Int64? {
    durationNanoseconds.map { duration in
      firstArrival.map { $0 + duration + patience } ?? startNanoseconds + duration
        + Self.startPatience
    }
  }

  /// Whether no more than the last sample or two can be missing.
  private var isNearlyWhole: Bool {
    tally.samples > 0 && (durationNanoseconds ?? 0) - tally.spanNanoseconds <= patience
  }

  /// Waits until there is something to do.
  private func wait(atNanoseconds now: Int64) -> End? {
    let due = [deadline, progress.dueNanoseconds, source.deadlineNanoseconds]
      .compactMap { $0 }.min()
    return interrupted(
      withinMilliseconds: due.map { Int32(clamping: max(0, ($0 - now + 999_999) / 1_000_000)) }
        ?? -1)
  }

  /// Waits for the source, for the user, and for the reader's going.
  private func interrupted(withinMilliseconds timeout: Int32) -> End? {
    var entries = [
      pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
      // No events: an error on the pipe, its reader's going, is told unasked.
      pollfd(fd: output.readerDescriptor, events: 0, revents: 0),
    ]
    _ = poll(&entries, 3, timeout)
    if entries[1].revents != 0 { return .interrupted }
    return entries[2].revents & Int16(POLLERR) != 0 ? .readerGone : nil
  }
}
