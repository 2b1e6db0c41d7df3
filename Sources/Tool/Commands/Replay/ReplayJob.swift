// SPDX-License-Identifier: Apache-2.0

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
  /// px; a subscriber with this tolerance gets the same frames. nil: every frame.
  var tolerancePx: Double?
  /// The playback speed; nil replays without waiting.
  var realtimeSpeed: Double?
  var loops = false
  var span = RecordingSpan()
  /// The number of threads for one trace.
  var threads = 1

  /// The gain that the settings give. It does not change during a replay.
  var gain: Double {
    let gates = configuration.gates
    if gates.lowPower == .on { return 0 }
    return gates.reduceMotion == .on ? gates.reducedGain : 1
  }
}

/// The replay of one trace: samples through the pipeline into a table, a plot and a page.
struct ReplayJob {
  let item: ReplayPlan.Item
  let settings: ReplaySettings
  let progress: Progress

  /// Reads the trace to its end and writes its table.
  ///
  /// If a row of the trace is invalid, the frames before it have been written to standard output,
  /// but a file does not appear.
  ///
  /// - Parameters:
  ///   - plot: What is drawn; the table is then written only to a file.
  ///   - frames: What a page shows, likewise.
  func run(plot: ReplayPlot? = nil, frames: ReplayFrames? = nil) throws -> ReplayResult {
    let isDrawn = plot != nil || frames != nil
    let given = settings.configuration
    let trace = try OpenedTrace(
      path: item.trace, options: settings.reading, settings: given.motion,
      mustRewind: settings.loops, readsUnusedZ: plot != nil)
    let motion = trace.settings
    var result = ReplayResult(
      name: trace.reader.name, settings: motion, hasZ: trace.reader.hasZ,
      estimatesBias: trace.bias != .off, gain: settings.gain,
      summary: ReplaySummary(rateHertz: trace.nominalRateHertz))
    // Of a stream, other threads would wait for more even after its table has lost its reader.
    let threads = trace.reader.canRewind && settings.realtimeSpeed == nil ? settings.threads : 1
    var pipeline = trace.makePipeline(orientation: given.orientation.source)
    let needed = settings.tolerancePx.map {
      NeededFrames(tolerancePx: $0, settings: motion, gain: settings.gain)
    }
    pipeline.isFine = needed != nil
    let file = !isDrawn || item.isNamed ? try OutputFile(item.output) : nil
    var rows: TraceRows?
    let blocks = trace.split(rows: &rows, loops: settings.loops)
    guard let rows = rows.take() else { return result }
    let workers = TableWorkers(
      blocks,
      ReplayMotion(
        rows: rows, pipeline: pipeline,
        plotter: isDrawn
          ? ReplayPlotter(plot, frames, frameRate: motion.frameRate, gain: settings.gain) : nil,
        needed: needed, loops: settings.loops),
      to: TableOutput(file, clock: settings.realtimeSpeed.map { PlaybackClock(speed: $0) }),
      progress: progress,
      makeTable: { [settings] in
        var table = OffsetTable(
          format: settings.format, printsVelocity: settings.printsVelocity || needed != nil,
          settings: motion,
          layers: given.layers, gain: settings.gain)
        table.span = settings.span
        return table
      })
    let plotter = try workers.run(threads: threads, summary: &result.summary)
    (result.plot, result.frames) = (plotter?.plot, plotter?.frames?.frames ?? [])
    return result
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
  var plot: ReplayPlot?
  var frames: [ReplayFrame] = []

  func plotFacts(_ configuration: Configuration) -> ReplayPlot.Facts {
    var facts = ReplayPlot.Facts()
    facts.name = Self.title(name)
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

  /// Returns the title of a plot or a page. Many recorders give every file the same name, so its folder
  /// belongs to it.
  static func title(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." && $0 != ".." }.suffix(2).joined(separator: "/")
  }
}
