import Glibc
import ParallaxClient
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxTrace

/// A gyroscope that is recorded by this program itself, where no daemon does it. Its samples are
/// those that a daemon would have kept: the same clock, the same time rule.
final class DeviceRecording: RecordingSource {
  private let worker: any DeviceWorking
  private let configuration: Configuration
  private let clock: () -> Int64
  /// What led here, as in `no daemon runs`; told where the gyroscope cannot be opened.
  private let circumstance: String?
  private var state = State.unopened
  private var events: [RecordingEvent] = []
  private var taken = 0
  /// What comes behind the events.
  private var end: DeviceTrouble?
  private var arrived: [ArrivedScan] = []
  private var timing: ScanTiming?
  private var rule: TimeRule

  private enum State {
    case unopened
    /// Since this instant.
    case opening(Int64)
    case open(GyroFacts, stream: (any ScanStream)?)
  }

  /// When it is given up; nothing has come until then. A driver may take its time for the first
  /// answer, and some take seconds to open.
  private(set) var deadlineNanoseconds: Int64?
  private static let longestOpening: Int64 = 10_000_000_000
  private static let longestStart: Int64 = 2_000_000_000
  private static let leastSilence: Int64 = 1_000_000_000
  private static let longestReleaseMilliseconds: Int32 = 1_000

  /// - Parameters:
  ///   - worker: opens and, where that waits, reads.
  ///   - configuration: which gyroscope, how fast, and what the header says of the rest.
  ///   - circumstance: what led here, as in `no daemon runs`; told where no gyroscope can be opened.
  ///   - clock: CLOCK_MONOTONIC, ns.
  init(
    _ worker: any DeviceWorking, _ configuration: Configuration, circumstance: String? = nil,
    clock: @escaping () -> Int64
  ) {
    self.clock = clock
    self.worker = worker
    self.circumstance = circumstance
    self.configuration = configuration
    rule = TimeRule(frameRate: configuration.motion.frameRate)
  }

  /// The gyroscope's own where it streams, else the worker's.
  var descriptor: Int32 {
    if case .open(_, let stream?) = state { stream.descriptor } else { worker.descriptor }
  }

  func start(atNanoseconds now: Int64) throws(CommandFailure) {
    state = .opening(now)
    deadlineNanoseconds = now + Self.longestOpening
    worker.acquire(
      GyroWish(
        name: configuration.source.device, uri: configuration.source.uri,
        frameRate: configuration.motion.frameRate,
        oversample: configuration.sampling.oversample, mode: configuration.motion.mode))
  }

  func next(atNanoseconds now: Int64) throws(CommandFailure) -> RecordingEvent? {
    if taken == events.count {
      events.removeAll(keepingCapacity: true)
      taken = 0
      try drain(atNanoseconds: now)
    }
    guard taken < events.count else {
      if let deadlineNanoseconds, now >= deadlineNanoseconds { throw silence }
      return nil
    }
    taken += 1
    return events[taken - 1]
  }

  /// A gyroscope that is left streaming goes on measuring for nobody.
  func stop() {
    if case .unopened = state { return }
    state = .unopened
    deadlineNanoseconds = nil
    worker.release()
    var entry = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
    // Twice, since its being opened may have come just now; a driver that hangs is left to it.
    for _ in 0..<2 where poll(&entry, 1, Self.longestReleaseMilliseconds) > 0 {
      for case .released in worker.collect(scans: &arrived) { return }
    }
  }

  // -- What comes

  private func drain(atNanoseconds now: Int64) throws(CommandFailure) {
    if let end { throw CommandFailure(end) }
    do throws(DeviceTrouble) {
      if case .open(let facts, let stream?) = state {
        do throws(IIOError) {
          try stream.drain(into: &arrived, clock: clock)
        } catch {
          // What was read before is good.
          if arrived.isEmpty { throw Self.trouble(of: error, facts) }
        }
        take(facts)
      } else {
        let reports = worker.collect(scans: &arrived)
        for report in reports { try take(report, atNanoseconds: now) }
        if case .open(let facts, nil) = state { take(facts) }
      }
    } catch {
      throw failure(CommandFailure(error))
    }
  }

  private func failure(_ failure: CommandFailure) -> CommandFailure {
    guard let circumstance, case .opening = state else { return failure }
    return CommandFailure(failure.exit, "\(circumstance), and \(failure.message)")
  }

  private func take(
    _ report: DeviceReport, atNanoseconds now: Int64
  ) throws(DeviceTrouble) {
    switch report {
    case .released: break
    case .failed(let trouble): throw trouble
    case .readFailed(let error):
      guard case .open(let facts, _) = state else { break }
      // Behind what it gave before.
      end = Self.trouble(of: error, facts)
    case .acquired(let facts, let stream):
      state = .open(facts, stream: stream)
      timing = ScanTiming(facts, frameRate: configuration.motion.frameRate)
      deadlineNanoseconds = now + Self.longestStart
      events.append(.header(header(facts), note: nil))
      for note in facts.warnings { events.append(.note(note)) }
      if let reason = facts.pollingReason { events.append(.note("\(facts.name): \(reason)")) }
    }
  }

  private static func trouble(of error: IIOError, _ facts: GyroFacts) -> DeviceTrouble {
    switch error.number {
    case ENODEV, ENOENT: .lost("\(facts.name) was unplugged")
    default: .lost("\(facts.name) cannot be read any more: \(error)")
    }
  }

  /// Makes samples of the scans that have come.
  private func take(_ facts: GyroFacts) {
    for (index, scan) in arrived.enumerated() {
      deadlineNanoseconds =
        scan.arrivalNanoseconds + max(Self.leastSilence, 3 * facts.periodNanoseconds)
      guard let timed = timing?.sample(of: scan, isNewest: index + 1 == arrived.count) else {
        return
      }
      if timed.startsSegment { rule.startSegment(continuing: false) }
      let rate = timed.sample.rateRadPerSec
      guard rate.isFinite else { continue }
      switch rule.admit(timed.sample.timeNanoseconds) {
      case .kept(let time, _), .rebased(let time):
        events.append(.sample(GyroSample(timeNanoseconds: time, rateRadPerSec: rate)))
      case .duplicate, .backwards, .outOfRange: break
      }
    }
    arrived.removeAll(keepingCapacity: true)
  }

  private var silence: CommandFailure {
    guard case .open(let facts, _) = state else {
      return failure(
        CommandFailure(
          .unavailable, "the gyroscope does not answer; plug it in again, see 'parallax doctor'"))
    }
    return CommandFailure(
      .unavailable, "\(facts.name) gives no samples; plug it in again, see 'parallax doctor'")
  }

  private func header(_ facts: GyroFacts) -> TraceHeader {
    TraceHeader(
      device: facts.name, rateHertz: facts.rateHertz,
      mountMatrix: configuration.motion.mountMatrix ?? facts.mountMatrix ?? .identity,
      orientation: configuration.orientation.source ?? .normal,
      // As for the daemon's gyroscopes: estimated unless the configuration says otherwise.
      bias: configuration.motion.estimatesBias == false ? .off : .auto(nil))
  }
}

extension DeviceRecording {
  /// With a worker of its own, in CLOCK_MONOTONIC.
  convenience init(
    _ configuration: Configuration, circumstance: String?
  ) throws(CommandFailure) {
    IIOLibrary.silence()
    let worker: DeviceWorker
    do {
      worker = try DeviceWorker { MonotonicInstant.now.nanoseconds }
    } catch {
      throw CommandFailure(.inputOutput, "no thread for the gyroscope: \(error)")
    }
    self.init(
      worker, configuration, circumstance: circumstance,
      clock: { MonotonicInstant.now.nanoseconds })
  }
}

extension CommandFailure {
  init(_ trouble: DeviceTrouble) {
    let exit: ToolExit =
      switch trouble {
      case .none, .busy, .lost: .unavailable
      case .denied: .noPermission
      }
    self.init(exit, trouble.reason)
  }
}
