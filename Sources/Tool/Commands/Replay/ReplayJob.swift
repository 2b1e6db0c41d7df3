// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxMotion
import ParallaxTrace

/// The settings that all traces of one `parallax replay` share.
struct ReplaySettings: Sendable {
  var configuration = Configuration()
  var reading = TraceOptions()
  var format = TableFormat.csv
  var printsVelocity = false
  /// The playback speed; nil replays without waiting.
  var realtimeSpeed: Double?
  var loops = false
  /// The number of threads for one trace.
  var threads = 1

  /// Whether frames go through in columns, without their velocities.
  var usesColumns: Bool {
    format == .csv && !printsVelocity && realtimeSpeed == nil && !loops
  }

  /// The gain that the settings give. It does not change during a replay.
  var gain: Double {
    let gates = configuration.gates
    if gates.lowPower == .on { return 0 }
    return gates.reduceMotion == .on ? gates.reducedGain : 1
  }
}

/// The replay of one trace: samples through the pipeline into a table.
struct ReplayJob {
  let item: ReplayPlan.Item
  let settings: ReplaySettings
  let progress: Progress

  /// Lines are written in blocks of this size; with `--realtime` line by line.
  private static let writeBytes = 1 << 16

  /// Reads the trace to its end and writes its table.
  ///
  /// If a row of the trace is invalid, the frames before it have been written to standard output,
  /// but a file does not appear.
  func run<Observer: ReplayObserver>(observer: inout Observer) throws -> ReplayResult {
    let given = settings.configuration
    var trace = try OpenedTrace(
      path: item.trace, options: settings.reading, settings: given.motion,
      mustRewind: settings.loops, readsUnusedZ: Observer.self != NoReplayObserver.self)
    var pipeline = trace.makePipeline(orientation: given.orientation.source)
    let motion = trace.settings
    let makeTable: @Sendable () -> OffsetTable = { [settings] in
      OffsetTable(
        format: settings.format, printsVelocity: settings.printsVelocity, settings: motion,
        layers: given.layers, gain: settings.gain)
    }
    var result = ReplayResult(
      name: trace.reader.name, settings: motion, hasZ: trace.reader.hasZ,
      estimatesBias: trace.bias != .off, gain: settings.gain,
      summary: ReplaySummary(rateHertz: trace.nominalRateHertz))
    if settings.usesColumns, Observer.self == NoReplayObserver.self {
      // Of a stream, other threads would wait for more even after its table has lost its reader.
      let threads = trace.reader.canRewind ? settings.threads : 1
      let file = try OutputFile(item.output)
      var rows: TraceRows?
      let blocks = trace.split(rows: &rows)
      guard let rows = rows.take() else { return result }
      let workers = TableWorkers(
        blocks, rows, pipeline, to: file, progress: progress, makeTable: makeTable)
      try workers.run(threads: threads, summary: &result.summary)
      return result
    }

    var table = makeTable()
    let output = observer.printsTable || item.output != nil ? try OutputFile(item.output) : nil
    let span = try replay(&trace.reader, &pipeline, into: &table, output, &observer)
    try output?.write(&table.lines)
    try output?.finish()
    result.summary.add(pipeline.counts, trace.reader.counts, duration: span)
    return result
  }

  /// Returns the time from the first kept sample to the last.
  private func replay(
    _ reader: inout TraceReader, _ pipeline: inout MotionPipeline, into table: inout OffsetTable,
    _ output: OutputFile?, _ observer: inout some ReplayObserver
  ) throws -> MotionDuration {
    var clock = settings.realtimeSpeed.map { PlaybackClock(speed: $0) }
    var span: (first: MotionInstant, last: MotionInstant)?
    let gain = settings.gain
    var hasWarned = false
    var position = 0
    repeat {
      do {
        while let sample = try reader.next() {
          let verdict = pipeline.push(sample)
          observer.add(sample, verdict)
          if case .kept(let time, _) = verdict {
            if span == nil { table.begin(origin: time) }
            span = (span?.first ?? time, time)
          }
          while let frame = pipeline.nextFrame() {
            observer.add(frame, gain: gain)
            guard let output else { continue }
            if clock != nil {
              clock?.wait(until: table.time(of: frame))
              table.append(frame)
              try output.write(&table.lines)
            } else {
              table.append(frame)
            }
          }
          guard reader.mustRead || table.lines.count >= Self.writeBytes else { continue }
          if table.lines.count >= Self.writeBytes || !reader.canRewind {
            // Frames from a pipe are written as its samples arrive.
            try output?.write(&table.lines)
          }
          progress.add(bytes: reader.position - position)
          position = reader.position
          if !hasWarned, let warning = reader.warning {
            hasWarned = true
            Console.report("\(warning)")
          }
        }
      } catch let error as TraceError {
        // The rows before the invalid one are good.
        try output?.write(&table.lines)
        throw error
      }
      guard settings.loops else { break }
      try reader.rewind()
      position = 0
      pipeline.startSegment(continuing: true)
    } while true
    return span.map { $0.last - $0.first } ?? .zero
  }
}

/// What a replay has found out, and the settings that it used.
struct ReplayResult {
  /// The name of the trace.
  let name: String
  /// With the recording's mount matrix.
  let settings: MotionSettings
  let hasZ: Bool
  let estimatesBias: Bool
  /// The gates' gain.
  let gain: Double
  var summary: ReplaySummary

  func plotFacts(_ configuration: Configuration) -> ReplayPlot.Facts {
    var facts = ReplayPlot.Facts()
    // Many recorders give every file the same name, so its folder belongs to it.
    facts.name = name.split(separator: "/").filter { $0 != "." && $0 != ".." }.suffix(2)
      .joined(separator: "/")
    facts.settings = settings
    facts.counts = summary.counts
    facts.unreadable = summary.unreadable + summary.footer
    facts.nominalRateHertz = summary.rateHertz
    facts.estimatesBias = estimatesBias
    facts.hasZ = hasZ
    if gain != 1 {
      let reason = configuration.gates.lowPower == .on ? "low power" : "reduced motion"
      facts.gate = "\(reason): gain \(SettingText.text(gain))"
    }
    return facts
  }
}
