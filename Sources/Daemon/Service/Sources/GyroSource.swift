// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxDevice
import ParallaxLoop
package import ParallaxMotion
import ParallaxProtocol

/// A gyroscope of this machine, one that libiio reaches, or a `Feed`, as a source of motion.
///
/// Runs the `DeviceStateMachine` between a `GyroReader` and the hub. The daemon has one instance for
/// gyroscopes and one for its feed, which it configures again for each configuration: a worker that a
/// driver blocks never gets a second one beside it.
package final class GyroSource: MotionSource {
  /// The present gyroscope's interface once one was opened, else the configured one.
  package var driver: String { (facts?.interface ?? request.interface ?? .iio).rawValue }

  private let environment: GyroEnvironment
  private let biases: BiasStore
  private var request = GyroRequest()
  private var settings = MotionSettings()
  private var machine: DeviceStateMachine
  private var queue = EventQueue()
  private var isReady: (MotionInstant) -> Void = { _ in }

  private var reader: GyroReader?
  /// What the worker was last asked to open.
  private var acquired: GyroRequest?
  private var workerWatch: AnyObject?
  private var streamWatch: AnyObject?
  private var deviceWatch: AnyObject?

  private var repeats = RepeatedReadings()
  private var accelOrientation = AccelOrientation()
  /// The bias that was stored last.
  private var storedBias: AngularRate?

  /// - Parameter biases: Stores the gyroscopes' zero offsets.
  package init(_ environment: GyroEnvironment, biases: BiasStore) {
    self.environment = environment
    self.biases = biases
    // A device that is known without looking for it is found at once.
    machine = DeviceStateMachine(
      minPause: environment.device() == nil ? DeviceStateMachine.standardPause : .zero)
  }

  /// Sets what the next start opens. Only while the source is stopped.
  ///
  /// - Parameter settings: For the zero offset and the mount matrix.
  package func configure(_ request: GyroRequest, settings: MotionSettings) {
    self.request = request
    self.settings = settings
  }

  /// Whether a device is held, or the worker has a job.
  package var isBusy: Bool { machine.isBusy }

  // MARK: - MotionSource

  /// The device's name once one was opened, else the configured one.
  package var name: String? {
    guard let device = environment.device() else { return facts?.name ?? request.name }
    return try? device.get()
  }

  package var isMissing: Bool { missing != nil }

  package var due: MotionInstant? { machine.deadline }

  package func onReady(_ handler: @escaping (MotionInstant) -> Void) { isReady = handler }

  package func start(at now: MotionInstant) -> SourceEvent? {
    if deviceWatch == nil, request.uri == nil {
      deviceWatch = environment.followDevices { [weak self] in self?.receive($0) }
    }
    step(.start, at: now)
    return queue.next()
  }

  package func next(at now: MotionInstant) -> SourceEvent? {
    if queue.isEmpty {
      // Samples first: a loop that was held up must not take its own delay for silence.
      reader?.receiveScans { handle($0, at: now) }
      if let due = machine.deadline, due <= now { step(.time, at: now) }
      biases.writeIfDue(at: now)
    }
    return queue.next()
  }

  package func lateness(at now: MotionInstant) -> MotionDuration { queue.lateness }

  package func stop() {
    deviceWatch = nil
    step(.stop, at: environment.clock())
    queue.removeAll()
    biases.flush()
  }

  package func remember(sensorBias bias: AngularRate, at now: MotionInstant) {
    guard let facts, bias != storedBias else { return }
    storedBias = bias
    biases.remember(bias, ofDevice: facts.name, parentPath: facts.place, at: now)
  }

  // MARK: - Device

  private var facts: GyroFacts? { reader?.facts }

  /// Why there is certainly no device; nil: that is not known.
  private var missing: DeviceError? {
    if case .failure(let error)? = environment.device() { error } else { nil }
  }

  private func receive(_ change: DeviceChange) {
    let now = environment.clock()
    switch change {
    case .removed(let id): step(.deviceRemoved(id: id), at: now)
    case .added: step(.devicesChanged, at: now)
    }
    isReady(now)
  }

  private func workerIsReadable() {
    let now = environment.clock()
    reader?.receiveReports { handle($0, at: now) }
    isReady(now)
  }

  private func streamIsReadable() {
    reader?.receiveScans { handle($0, at: environment.clock()) }
    isReady(environment.clock())
  }

  private func handle(_ event: GyroReader.Event, at now: MotionInstant) {
    switch event {
    case .opened(let facts): opened(facts, at: now)
    case .failed(let error): step(.failed(error), at: now)
    case .sample(let sample, let startsSegment, let acceleration):
      handle(sample, startsSegment: startsSegment, acceleration)
    case .lost(let count):
      if machine.acceptsSamples { queue.append(.lost(count)) }
    case .latencyUnknown(let reason):
      if machine.acceptsSamples { queue.append(.latencyUnknown(reason: reason)) }
    case .readFailed(let error): step(.readFailed(errno: error.number), at: now)
    case .released: step(.released, at: now)
    }
  }

  private func opened(_ facts: GyroFacts, at now: MotionInstant) {
    repeats = RepeatedReadings()
    accelOrientation = AccelOrientation()
    storedBias = nil
    for warning in facts.warnings { environment.log(.warning, warning) }
    if let descriptor = reader?.streamDescriptor {
      streamWatch = environment.follow(descriptor) { [weak self] in self?.streamIsReadable() }
    }
    step(
      .acquired(deviceID: facts.id, period: facts.period, note: facts.pollingReason), at: now)
    if machine.acceptsSamples, acquired != request {
      // The configuration has changed since, and someone still needs samples.
      step(.stop, at: now)
      step(.start, at: now)
    }
  }

  private func handle(
    _ sample: GyroSample, startsSegment: Bool, _ acceleration: Acceleration?
  ) {
    guard machine.acceptsSamples, let arrival = reader?.lastArrival else { return }
    step(.sample, at: arrival)
    if let acceleration, let orientation = accelOrientation.add(acceleration, at: sample.time) {
      queue.append(.orientation(orientation))
    }
    if startsSegment { queue.append(.segment(continuing: false)) }
    queue.append(.sample(sample))
    if facts?.pollingReason != nil, repeats.add(sample.rateRadPerSec) {
      environment.log(
        .warning,
        "\(facts?.name ?? "the gyroscope") gave the same values \(RepeatedReadings.limit) times: it "
          + "measures more slowly than it is read, or not at all")
    }
  }

  // MARK: - State machine

  private func step(_ event: DeviceStateMachine.Event, at now: MotionInstant) {
    let actions = machine.handle(event, at: now)
    switch actions.news {
    case nil: break
    case .streaming(let note):
      if let facts { environment.log(.notice, facts.summary) }
      queue.append(.streaming(start(note: note)))
    case .error(let error):
      let error = missing ?? error
      queue.append(.waiting(error.state, reason: error.reason))
    }
    switch actions.job {
    case nil: break
    case .acquire: acquire(at: now)
    case .release:
      streamWatch = nil
      reader?.release()
      receiveAnswer(at: now)
    }
  }

  private func acquire(at now: MotionInstant) {
    acquired = request
    do throws(SystemError) {
      try openReader().acquire(request)
      receiveAnswer(at: now)
    } catch {
      step(.failed(.lost("cannot start the gyroscope's thread: \(error)")), at: now)
    }
  }

  /// Takes the answer of a worker that has it at once.
  private func receiveAnswer(at now: MotionInstant) {
    guard let reader, reader.answersAtOnce else { return }
    reader.receiveReports { handle($0, at: now) }
  }

  private func openReader() throws(SystemError) -> GyroReader {
    if let reader { return reader }
    let new = GyroReader(try environment.makeWorker(), clock: environment.clock)
    reader = new
    workerWatch = environment.follow(new.workerDescriptor) { [weak self] in
      self?.workerIsReadable()
    }
    return new
  }

  private func start(note: String?) -> SourceStart {
    let matrix = settings.mountMatrix ?? facts?.mountMatrix ?? .identity
    let stored = facts.flatMap { biases.bias(ofDevice: $0.name, parentPath: $0.place) }
      .map { matrix.apply($0) }
    return SourceStart(
      rateHertz: facts?.rateHertz, mountMatrix: facts?.mountMatrix,
      bias: settings.estimatesBias == false ? .off : .auto(stored), note: note,
      latencyNote: reader?.latencyNote, isLive: true,
      hasAccelerometer: facts.map { $0.accelerometer != .elsewhere } ?? false,
      isHandheld: facts?.isHandheld ?? false)
  }
}

extension DeviceError {
  /// The state of DEVICE for this error.
  fileprivate var state: DeviceMessage.State {
    switch self {
    case .none: .none
    case .busy: .busy
    case .denied: .denied
    case .lost: .lost
    }
  }
}

extension GyroFacts {
  /// As in `gyro_3d (iio:device0) gives 30.3 samples per second`, without a rate if the driver states none.
  fileprivate var summary: String {
    let rate = rateHertz.map { "\(SettingText.text($0)) samples per second" } ?? "samples"
    let way = pollingReason.map { "; \($0)" } ?? ""
    return "\(name) (\(id)) gives \(rate)\(way)"
  }
}
