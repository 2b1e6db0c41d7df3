import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxTrace

/// What all traces of one `parallax replay` have in common.
struct ReplaySettings: Sendable {
  var configuration = Configuration()
  var reading = TraceOptions()
  var format = TableFormat.csv
  /// nil: as fast as it goes.
  var realtimeSpeed: Double?
  var loops = false
}

/// One trace on its way through the pipeline into its table.
struct ReplayJob {
  let item: ReplayPlan.Item
  let settings: ReplaySettings
  let progress: Progress

  /// So many bytes of lines are written at once; a frame at a time where somebody watches.
  private static let writeSize = 1 << 16

  /// Reads the trace to its end and writes its table.
  ///
  /// Of a trace that turns out to be bad in the middle, what came before has been written to
  /// standard output; a file of its table does not come into being.
  func run() throws -> ReplaySummary {
    var reader = try TraceReader(path: item.trace, options: settings.reading)
    if settings.loops, !reader.canRewind {
      throw CommandFailure(
        .usage, "\(reader.name): --loop needs a file, which can be begun anew")
    }
    let given = settings.configuration
    var motion = given.motion
    motion.mountMatrix = motion.mountMatrix ?? reader.header.mountMatrix
    let bias = motion.bias(recorded: reader.header.bias)
    if (motion.mountMatrix ?? .identity).usesZ || bias != .off { try reader.requireZ() }
    let rateHertz = reader.findNominalRate(frameRate: motion.frameRate)
    var pipeline = MotionPipeline(
      settings: motion,
      orientation: given.orientation.source ?? reader.header.orientation ?? .normal,
      nominalRateHertz: rateHertz, bias: bias)
    var table = OffsetTable(
      format: settings.format, settings: motion, layers: given.layers, gain: gain)
    let output = try item.output.map { try OutputFile(path: $0) } ?? OutputFile()

    let span = try replay(&reader, &pipeline, into: &table, output)

    try output.write(&table.lines)
    try output.finish()
    return ReplaySummary(
      counts: pipeline.counts, unreadable: reader.counts.unreadable, footer: reader.counts.footer,
      durationNanoseconds: span, rateHertz: rateHertz)
  }

  /// Returns the time from the first to the last kept sample, ns.
  private func replay(
    _ reader: inout TraceReader, _ pipeline: inout MotionPipeline, into table: inout OffsetTable,
    _ output: OutputFile
  ) throws -> Int64 {
    var pace = settings.realtimeSpeed.map { Pace(speed: $0) }
    var span: (first: Int64, last: Int64)?
    var isWarned = false
    var position = 0
    repeat {
      do {
        while let sample = try reader.next() {
          if case .kept(let time, _) = pipeline.push(sample) {
            if span == nil { table.begin(originNanoseconds: time) }
            span = (span?.first ?? time, time)
          }
          while let frame = pipeline.nextFrame() {
            if pace != nil {
              pace?.wait(until: table.time(of: frame))
              table.append(frame)
              try output.write(&table.lines)
            } else {
              table.append(frame)
            }
          }
          guard reader.mustRead || table.lines.count >= Self.writeSize else { continue }
          if table.lines.count >= Self.writeSize || !reader.canRewind {
            // What comes through a pipe is worked on and passed on as it comes.
            try output.write(&table.lines)
          }
          progress.add(bytes: reader.position - position)
          position = reader.position
          if !isWarned, let warning = reader.warning {
            isWarned = true
            Console.report("\(warning)")
          }
        }
      } catch let error as TraceError {
        // The rows before the bad one are good.
        try output.write(&table.lines)
        throw error
      }
      guard settings.loops else { break }
      try reader.rewind()
      position = 0
      pipeline.startSegment(continuing: true)
    } while true
    return span.map { $0.last - $0.first } ?? 0
  }

  /// Replay's gate stands where the settings put it, from the first frame.
  private var gain: Double {
    let gates = settings.configuration.gates
    if gates.lowPower == .on { return 0 }
    return gates.reduceMotion == .on ? gates.reducedGain : 1
  }
}
