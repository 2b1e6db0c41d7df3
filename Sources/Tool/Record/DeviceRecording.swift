// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxTrace

/// A gyroscope that this program reads itself, without a daemon.
///
/// The samples are those that a daemon would keep: the same clock and the same time rule.
final class DeviceRecording: RecordingSource {
  private let reader: GyroReader
  private let configuration: Configuration
  private let circumstance: String?
  private var state = State.unopened
  private var events: [RecordingEvent] = []
  private var nextIndex = 0
  /// Thrown after the events.
  private var failure: CommandFailure?
  private var rule: TimeRule

  private enum State {
    /// Not started, or stopped.
    case unopened
    /// The worker has been opening it since this instant.
    case opening(since: MotionInstant)
    /// It has been open since this instant.
    case open(GyroFacts, since: MotionInstant)
  }

  /// The longest wait for a driver to open the gyroscope; some take seconds.
  private static let maxOpening: MotionDuration = .seconds(10)
  /// The longest wait for a driver to release it, milliseconds.
  private static let maxReleaseMilliseconds: Int32 = 1_000

  /// - Parameters:
  ///   - worker: Opens the gyroscope, and reads it where that may block.
  ///   - configuration: Selects the gyroscope and its rate, and gives values of the header.
  ///   - circumstance: Why there is no daemon, as in `no daemon is running`. Starts the message if the
  ///     gyroscope cannot be opened.
  ///   - clock: CLOCK_MONOTONIC.
  init(
    _ worker: any DeviceWorking, _ configuration: Configuration, circumstance: String? = nil,
    clock: @escaping () -> MotionInstant
  ) {
    self.configuration = configuration
    self.circumstance = circumstance
    reader = GyroReader(worker, clock: clock)
    rule = TimeRule(frameRate: configuration.motion.frameRate)
  }

  /// Creates a recording with its own worker, in CLOCK_MONOTONIC.
  convenience init(
    _ configuration: Configuration, circumstance: String?
  ) throws(CommandFailure) {
    IIOLibrary.silence()
    do throws(SystemError) {
      self.init(
        try DeviceWorker(clock: MonotonicClock.now), configuration, circumstance: circumstance,
        clock: MonotonicClock.now)
    } catch {
      throw CommandFailure(.inputOutput, "cannot start the gyroscope's thread: \(error)")
    }
  }

  var descriptor: Int32 { reader.streamDescriptor ?? reader.workerDescriptor }

  var deadline: MotionInstant? {
    switch state {
    case .unopened: nil
    case .opening(let since): since + Self.maxOpening
    case .open(_, let since): reader.silenceDeadline(opened: since)
    }
  }

  func start(at now: MotionInstant) throws(CommandFailure) {
    state = .opening(since: now)
    reader.acquire(
      GyroRequest(
        interface: configuration.source.kind.gyroInterface, name: configuration.source.device,
        uri: configuration.source.uri,
        frameRate: configuration.motion.frameRate,
        oversample: configuration.sampling.oversample))
  }

  func next(at now: MotionInstant) throws(CommandFailure) -> RecordingEvent? {
    if nextIndex == events.count {
      events.removeAll(keepingCapacity: true)
      nextIndex = 0
      if let failure { throw failure }
      if reader.streamDescriptor == nil {
        reader.receiveReports { handle($0, at: now) }
      } else {
        reader.receiveScans { handle($0, at: now) }
      }
      if events.isEmpty, let failure { throw failure }
    }
    guard nextIndex < events.count else {
      if let deadline, now >= deadline { throw silence }
      return nil
    }
    nextIndex += 1
    return events[nextIndex - 1]
  }

  func stop() {
    if case .unopened = state { return }
    state = .unopened
    reader.release()
    var entry = pollfd(fd: reader.workerDescriptor, events: Int16(POLLIN), revents: 0)
    // Twice, since the report of its opening may come first. A driver that hangs is left alone.
    for _ in 0..<2 where poll(&entry, 1, Self.maxReleaseMilliseconds) > 0 {
      var isReleased = false
      reader.receiveReports { if case .released = $0 { isReleased = true } }
      if isReleased { return }
    }
  }

  // MARK: - Events

  private func handle(_ event: GyroReader.Event, at now: MotionInstant) {
    switch event {
    case .opened(let facts): opened(facts, at: now)
    case .failed(let error): failure = adding(circumstance, to: CommandFailure(error))
    case .sample(let sample, let startsSegment, _): handle(sample, startsSegment: startsSegment)
    case .readFailed(let error):
      if case .open(let facts, _) = state {
        failure = CommandFailure(Self.deviceError(error, facts))
      }
    case .lost, .latencyUnknown, .released: break
    }
  }

  private func opened(_ facts: GyroFacts, at now: MotionInstant) {
    state = .open(facts, since: now)
    events.append(.header(header(facts), note: nil))
    for note in facts.warnings { events.append(.note(note)) }
    if let reason = facts.pollingReason { events.append(.note("\(facts.name): \(reason)")) }
  }

  private func handle(_ sample: GyroSample, startsSegment: Bool) {
    if startsSegment { rule.startSegment(continuing: false) }
    let rate = sample.rateRadPerSec
    guard rate.isFinite else { return }
    switch rule.admit(sample.time) {
    case .kept(let time, _), .rebased(let time):
      events.append(.sample(GyroSample(time: time, rateRadPerSec: rate)))
    case .duplicate, .backwards, .outOfRange: break
    }
  }

  private func header(_ facts: GyroFacts) -> TraceHeader {
    TraceHeader(
      device: facts.name, rateHertz: facts.rateHertz,
      mountMatrix: configuration.motion.mountMatrix ?? facts.mountMatrix ?? .identity,
      orientation: configuration.orientation.source ?? .normal,
      // As in the daemon, a gyroscope's bias is estimated by default.
      bias: configuration.motion.estimatesBias == false ? .off : .auto(nil))
  }

  // MARK: - Errors

  private static func deviceError(_ error: DriverError, _ facts: GyroFacts) -> DeviceError {
    switch error.number {
    case ENODEV, ENOENT: .lost("\(facts.name) was unplugged")
    default: .lost("\(facts.name) can no longer be read: \(error)")
    }
  }

  private var silence: CommandFailure {
    guard case .open(let facts, _) = state else {
      return adding(
        circumstance,
        to: CommandFailure(
          .unavailable, "the gyroscope does not answer; replug it, or run 'parallax doctor'"))
    }
    return CommandFailure(
      .unavailable, "\(facts.name) sends no samples; replug it, or run 'parallax doctor'")
  }

  private func adding(_ circumstance: String?, to error: CommandFailure) -> CommandFailure {
    guard let circumstance else { return error }
    return CommandFailure(error.exit, "\(circumstance), and \(error.message)")
  }
}
