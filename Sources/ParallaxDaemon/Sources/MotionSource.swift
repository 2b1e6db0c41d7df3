package import ParallaxMotion
package import ParallaxWire

/// What comes out of a source.
package enum SourceEvent: Equatable, Sendable {
  /// Samples follow.
  case streaming(SourceStart)
  /// A sample, its time in CLOCK_MONOTONIC.
  case sample(GyroSample)
  /// The next sample begins a segment; see `SensorStage.startSegment`.
  case segment(continuing: Bool)
  /// It cannot give samples, and why.
  case trouble(DeviceMessage.State, reason: String)
  /// It has given its last sample.
  case ended
}

/// Something that motion comes from: a trace, a made-up hand, a gyroscope.
///
/// It is asked, never calls: whoever runs it waits until `dueNanoseconds` (or for a descriptor of
/// the source's) and then takes events until there is none. So time is an argument here too.
package protocol MotionSource: AnyObject {
  /// `iio`, `trace` or `synthetic`.
  var driver: String { get }
  /// The device's or the file's name.
  var name: String? { get }
  /// When the next event is due; nil: none by itself.
  var dueNanoseconds: Int64? { get }
  /// Switches it on.
  ///
  /// - Returns: how that went, `.streaming` or `.trouble`; nil where it takes time: then it comes
  ///   as an event.
  func start(atNanoseconds now: Int64) -> SourceEvent?
  /// The next event that is due.
  func next(atNanoseconds now: Int64) -> SourceEvent?
  /// Switches it off and lets go of everything it holds.
  func stop()
}

/// Motion as of a hand, endless.
package final class SyntheticSource: MotionSource {
  package let driver = "synthetic"
  package let name: String?

  private let motion: SyntheticMotion
  private var run: Run?

  private struct Run {
    let startNanoseconds: Int64
    var index: Int64 = 0

    /// Time of the next sample since the start: whole periods, rounded to the nanosecond.
    var elapsed: Int64 {
      Int64((Double(index) * 1e9 / SyntheticMotion.rateHertz).rounded())
    }
  }

  package init(seed: UInt64) {
    motion = SyntheticMotion(seed: seed)
    name = "seed \(seed)"
  }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    run = Run(startNanoseconds: now)
    return .streaming(SourceStart(rateHertz: SyntheticMotion.rateHertz))
  }

  package func stop() {
    run = nil
  }

  package var dueNanoseconds: Int64? {
    run.map { $0.startNanoseconds + $0.elapsed }
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? {
    guard let current = run, current.startNanoseconds + current.elapsed <= now else { return nil }
    var sample = motion.sample(atNanoseconds: current.elapsed)
    sample.timeNanoseconds += current.startNanoseconds
    run?.index += 1
    return .sample(sample)
  }
}

/// A source that this daemon cannot open, and says so.
package final class MissingSource: MotionSource {
  package let driver: String
  package let name: String?
  private let reason: String

  package init(driver: String, name: String?, reason: String) {
    self.driver = driver
    self.name = name
    self.reason = reason
  }

  package var dueNanoseconds: Int64? { nil }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    .trouble(.none, reason: reason)
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? { nil }

  package func stop() {}
}
