// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTrace

/// Writes the samples of a source to a trace until something ends the recording.
///
/// However it ends, the trace is complete. Memory use does not grow with the length of a recording.
struct Recorder: ~Copyable {
  private let source: any RecordingSource
  private let output: OutputFile
  private let duration: MotionDuration?
  private let interruption: Int32
  private let display: any RecordingDisplay
  private let clock: any RecordingClock
  private let start: MotionInstant
  private var progress: ProgressSchedule
  private var writer = TraceWriter()
  private var lines = OutputBuffer(capacity: maxPendingBytes + 1024)
  private var tally = RecordingTally()
  /// Samples whose rows are written.
  private var keptSamples = 0
  /// When the first sample arrived.
  private var firstArrival: MotionInstant?
  private var isPaused = false
  /// When the last pause ended.
  private var resumedAt: MotionInstant?
  /// The longest wait for a sample that is due.
  private var sampleTimeout = minSampleTimeout

  /// Rows are written when no more samples wait, and at the latest at this size. A kill -9 loses
  /// only the samples that are still on their way.
  private static let maxPendingBytes = 1 << 16
  private static let minSampleTimeout: MotionDuration = .seconds(1)
  /// The longest wait for the first sample: opening a sensor takes seconds.
  private static let startTimeout: MotionDuration = .seconds(10)

  /// - Parameters:
  ///   - duration: The length from the first sample on, by the samples' own times; nil records
  ///     until it is interrupted.
  ///   - interruption: A descriptor that becomes readable when the user interrupts the recording.
  ///   - showsProgress: Whether the display shows the progress.
  init(
    _ source: any RecordingSource, to output: OutputFile, duration: MotionDuration?,
    interruption: Int32, display: any RecordingDisplay, showsProgress: Bool,
    clock: any RecordingClock = SystemRecordingClock()
  ) {
    self.source = source
    self.output = output
    self.duration = duration
    self.interruption = interruption
    self.display = display
    self.clock = clock
    start = clock.now
    progress = ProgressSchedule(start: start, isShown: showsProgress)
  }

  /// Why a recording is over.
  private enum End {
    /// The requested length is recorded.
    case complete
    /// The user interrupted it.
    case interrupted
    /// The source has no more samples.
    case ended(reason: String)
    /// No more samples come, for no known reason.
    case silent
    case failed(CommandFailure)
    /// The reader of the output is gone.
    case readerGone
  }

  /// Records until something ends the recording.
  ///
  /// - Returns: The number of samples in the trace.
  /// - Throws: `CommandFailure` if the recording is not what was requested. Its message says what was
  ///   kept. `OutputClosed` if the reader of the output is gone.
  consuming func run() throws -> RecordingTally {
    var end = record()
    if let flushEnd = flush() {
      // The first failure counts.
      switch end {
      case .failed, .readerGone: break
      case .complete, .interrupted, .ended, .silent: end = flushEnd
      }
    }
    display.clearProgress()
    if case .readerGone = end { throw OutputClosed() }
    var failure = failure(of: end)
    if keptSamples > 0 {
      do throws(OutputFileError) {
        try output.finish()
        failure = failure?.adding(keptText)
      } catch {
        failure = failure?.adding(error.description) ?? CommandFailure(error)
      }
    }
    // After the file is complete: a driver may take long.
    source.stop()
    if let failure { throw failure }
    return tally
  }

  private var keptText: String {
    let samples = "\(keptSamples) \(keptSamples == 1 ? "sample is" : "samples are")"
    return output.isRegular ? "\(samples) kept in \(output.name)" : "\(samples) written"
  }

  private func failure(of end: End) -> CommandFailure? {
    switch end {
    case .failed(let failure): return failure
    case .readerGone: return nil
    case .complete, .interrupted:
      guard keptSamples == 0 else { return nil }
      return CommandFailure(.unavailable, "nothing was recorded: no sample arrived")
    case .ended(let reason):
      // Without a requested length, this is how a recording of a trace ends.
      guard keptSamples > 0, duration == nil else {
        return CommandFailure(.unavailable, reason)
      }
      return nil
    case .silent:
      return CommandFailure(
        .unavailable,
        keptSamples == 0
          ? "nothing was recorded: no sample arrived; see 'parallax status'"
          : "the samples stopped; see 'parallax status'")
    }
  }

  // MARK: - Recording

  private mutating func record() -> End {
    do throws(CommandFailure) {
      try source.start(at: start)
      while true {
        let now = clock.now
        // First, even if time is up: samples that have arrived belong to the recording.
        while let event = try source.next(at: now) {
          if let end = handle(event, at: now) { return end }
        }
        if let end = flush() { return end }
        if let deadline, now >= deadline {
          return isNearlyComplete || isPaused ? .complete : .silent
        }
        if progress.isDue(at: now) { display.show(tally, of: duration) }
        if let end = wait(until: nextDeadline) { return end }
      }
    } catch {
      return .failed(error)
    }
  }

  private mutating func handle(_ event: RecordingEvent, at now: MotionInstant) -> End? {
    switch event {
    case .header(let header, let note):
      writer.append(header, to: &lines)
      if let hertz = header.rateHertz {
        // Two periods, so that a slow sensor does not count as silent.
        let periods = MotionDuration(nanoseconds: Int64(min(2e9 / hertz, 1e15)))
        sampleTimeout = max(sampleTimeout, periods)
      }
      if let note { display.show(note: note) }
    case .note(let note): display.show(note: note)
    case .paused(let reasons):
      isPaused = true
      display.show(
        note: "paused, because the gate is closed (\(reasons.joined(separator: ", "))); "
          + "the recording continues when it opens")
    case .resumed:
      isPaused = false
      resumedAt = now
      display.show(note: "the gate is open; the recording continues")
    case .ended(let reason): return .ended(reason: reason)
    case .sample(let sample):
      let span = tally.span(to: sample.time)
      if let duration, span > duration { return .complete }
      if firstArrival == nil {
        firstArrival = now
        // The lines above the rows are not samples.
        if let end = flush(isHeader: true) { return end }
      }
      writer.append(sample, to: &lines)
      tally.add(sample.time)
      if span == duration { return .complete }
      if lines.count >= Self.maxPendingBytes { return flush() ?? wait(until: .distantPast) }
    }
    return nil
  }

  /// Writes the pending rows. Writes nothing before the first sample.
  private mutating func flush(isHeader: Bool = false) -> End? {
    guard isHeader || tally.samples > 0, !lines.isEmpty else { return nil }
    let result = output.writeLines(&lines)
    if !isHeader { keptSamples += result.lines }
    return result.error.map { error in
      error.kind == .readerGone ? .readerGone : .failed(CommandFailure(error))
    }
  }

  // MARK: - Time

  /// When the recording ends even if no sample says so; nil means never.
  private var deadline: MotionInstant? {
    guard let duration else { return nil }
    guard let firstArrival else {
      return isPaused ? nil : (resumedAt ?? start) + duration + Self.startTimeout
    }
    let end = firstArrival + duration + sampleTimeout
    guard let resumedAt, !isPaused else { return end }
    // The source needs time to start again.
    return max(end, resumedAt + Self.startTimeout)
  }

  private var nextDeadline: MotionInstant? {
    MotionInstant.earlier(MotionInstant.earlier(deadline, progress.due), source.deadline)
  }

  /// Whether at most the last sample or two are missing.
  private var isNearlyComplete: Bool {
    tally.samples > 0 && (duration ?? .zero) - tally.span <= sampleTimeout
  }

  /// Waits for the source, the user and the end of the output's reader.
  private func wait(until deadline: MotionInstant?) -> End? {
    var entries = [
      pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
      // POLLERR, which a pipe without a reader has, is reported without being requested.
      pollfd(fd: output.readerDescriptor, events: 0, revents: 0),
    ]
    clock.poll(&entries, until: deadline)
    if entries[1].revents != 0 { return .interrupted }
    return entries[2].revents & Int16(POLLERR) != 0 ? .readerGone : nil
  }
}
