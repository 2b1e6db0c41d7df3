import Glibc
package import ParallaxMotion
import ParallaxTrace

/// A recording, played at its own pace: each sample comes at the start + its time.
package final class TraceSource: MotionSource {
  package let driver = "trace"
  package let name: String?

  private let path: String
  private let settings: MotionSettings
  private let loops: Bool
  private let warn: (String) -> Void
  private var reader: TraceReader?
  private var pacing: Pacing
  private var upcoming: Upcoming?
  private var hasWarned = false

  /// Bytes read from the file at a time.
  private static let blockBytes = 32 << 10

  /// What comes next, and when.
  private struct Upcoming {
    var event: SourceEvent
    var dueNanoseconds: Int64
  }

  /// - Parameters:
  ///   - settings: tell what of a sample is needed and what the recording's own header is for.
  ///   - warn: takes what a person should know about the trace, once.
  package init(
    path: String, settings: MotionSettings, loops: Bool, warn: @escaping (String) -> Void
  ) {
    self.path = path
    self.settings = settings
    self.loops = loops
    self.warn = warn
    name = path.split(separator: "/").last.map(String.init)
    pacing = Pacing(frameRate: settings.frameRate, startNanoseconds: 0)
  }

  package var dueNanoseconds: Int64? { upcoming?.dueNanoseconds }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    do throws(TraceError) {
      try Self.checkKind(path)
      var reader = try TraceReader(
        TraceInput(path: path), blockSize: Self.blockBytes)
      let header = reader.header
      let bias = settings.bias(recorded: header.bias)
      let matrix = settings.mountMatrix ?? header.mountMatrix ?? .identity
      // Only where it counts, as in replay: a z that is missing or no number is then nobody's, but
      // for a recording, which takes it as far as it is there.
      if bias != .off || matrix.usesZ { try reader.requireZ() } else { reader.readZWhereItIs() }
      let hertz = reader.findNominalRate(frameRate: settings.frameRate)
      self.reader = consume reader
      pacing = Pacing(frameRate: settings.frameRate, startNanoseconds: now)
      readOn()
      return .streaming(
        SourceStart(
          rateHertz: hertz, mountMatrix: header.mountMatrix, bias: bias,
          orientation: header.orientation))
    } catch {
      return .trouble(.none, reason: error.description)
    }
  }

  package func stop() {
    reader = nil
    upcoming = nil
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? {
    guard let current = upcoming, current.dueNanoseconds <= now else { return nil }
    readOn()
    return current.event
  }

  /// Looks for what comes next.
  private func readOn() {
    do throws(TraceError) {
      if let sample = try reader?.next() {
        let due = pacing.place(sample)
        upcoming = Upcoming(event: .sample(due.sample), dueNanoseconds: due.nanoseconds)
        warnOnce()
      } else if loops, pacing.hasKept {
        // A pass without a single sample would come round for ever.
        try reader?.rewind()
        pacing.beginAgain()
        upcoming = Upcoming(
          event: .segment(continuing: true), dueNanoseconds: pacing.dueNanoseconds)
      } else if case .ended = upcoming?.event {
        upcoming = nil
      } else {
        upcoming = Upcoming(event: .ended, dueNanoseconds: pacing.dueNanoseconds)
      }
    } catch {
      upcoming = Upcoming(
        event: .trouble(.none, reason: error.description), dueNanoseconds: pacing.dueNanoseconds)
    }
  }

  private func warnOnce() {
    guard !hasWarned, let warning = reader?.warning else { return }
    hasWarned = true
    warn(warning.description)
  }

  /// A pipe or a device could keep the whole daemon waiting: a file only.
  private static func checkKind(_ path: String) throws(TraceError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else {
      throw TraceError(
        .noInput, path: path, "is no regular file; the daemon plays files (use parallax replay)")
    }
  }
}

/// When each sample of a trace is due. The same time rule as the pipeline's, so that a clock that
/// was set back, or a trace that begins again, waits for nothing.
struct Pacing {
  private let startNanoseconds: Int64
  private var rule: TimeRule
  /// From the trace's clock to CLOCK_MONOTONIC; nil before the first sample.
  private var shift: Int64?
  /// Of the last sample; never goes back.
  private(set) var dueNanoseconds: Int64
  /// Whether this pass kept a sample.
  private(set) var hasKept = false

  init(frameRate: FrameRate, startNanoseconds: Int64) {
    self.startNanoseconds = startNanoseconds
    rule = TimeRule(frameRate: frameRate)
    dueNanoseconds = startNanoseconds
  }

  mutating func place(_ sample: GyroSample) -> (sample: GyroSample, nanoseconds: Int64) {
    var placed = sample
    if shift == nil, sample.rateRadPerSec.isFinite {
      shift = startNanoseconds.subtractingReportingOverflow(sample.timeNanoseconds).partialValue
    }
    placed.timeNanoseconds =
      sample.timeNanoseconds.addingReportingOverflow(shift ?? 0).partialValue
    guard sample.rateRadPerSec.isFinite else { return (placed, dueNanoseconds) }
    switch rule.admit(placed.timeNanoseconds) {
    case .kept(let time, _), .rebased(let time):
      hasKept = true
      dueNanoseconds = max(dueNanoseconds, time)
    case .duplicate, .backwards, .outOfRange: break
    }
    return (placed, dueNanoseconds)
  }

  /// The trace begins again, its time goes on.
  mutating func beginAgain() {
    rule.startSegment(continuing: true)
    hasKept = false
  }
}
