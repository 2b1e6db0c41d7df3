import ParallaxDevice
import ParallaxMotion
import ParallaxSystem
import ParallaxWire

/// The daemon's one connection to a gyroscope: runs its `DeviceLife` between the worker, the loop and
/// whoever takes its events. It outlives the sources that use it, one after the other: a worker that a
/// driver keeps waiting is not joined by a second one.
package final class GyroLink {
  /// Called when something happened that may have brought events, or ended the last job.
  package var happened: (Int64) -> Void = { _ in }

  /// The device as it was opened last.
  private(set) var facts: GyroFacts?

  private let surroundings: GyroSurroundings
  private let biases: BiasStore
  /// Where the device is, over a replug: its zero is kept under this.
  private var place = ""
  private var life = DeviceLife()
  private var wish = GyroWish()
  private var settings = MotionSettings()
  /// What the worker was last asked for.
  private var askedFor: GyroWish?
  private var queue = EventQueue()
  private var timing = ScanTiming(GyroFacts(id: "", name: ""), frameRate: .standard)
  private var repeats = RepeatedReadings()
  private var accelMatrix = AccelMatrix.identity
  private var hold = AccelOrientation()

  private var worker: (any DeviceWorking)?
  private var workerWatch: AnyObject?
  private var stream: (any ScanStream)?
  private var streamWatch: AnyObject?
  private var monitor: AnyObject?
  private var arrived: [ArrivedScan] = []

  /// - Parameter biases: keeps the gyroscopes' zeros.
  package init(_ surroundings: GyroSurroundings, biases: BiasStore) {
    self.surroundings = surroundings
    self.biases = biases
  }

  // -- For the source

  /// Whether a device is held, or the worker has something to do.
  package var isBusy: Bool { life.state != .idle && !life.isWaiting }

  package var deadlineNanoseconds: Int64? { life.deadlineNanoseconds }

  /// - Parameter settings: say what to do about the zero offset, and how the sensor is mounted.
  func want(_ wish: GyroWish, settings: MotionSettings, atNanoseconds now: Int64) {
    self.wish = wish
    self.settings = settings
    if monitor == nil, wish.uri == nil {
      monitor = surroundings.followDevices { [weak self] in self?.take($0) }
    }
    step(.wanted, atNanoseconds: now)
  }

  func unwant(atNanoseconds now: Int64) {
    monitor = nil
    step(.unwanted, atNanoseconds: now)
    queue.removeAll()
    biases.flush()
  }

  func next(atNanoseconds now: Int64) -> SourceEvent? {
    if queue.isEmpty {
      // First what has come: a loop that was held up must not take it for silence.
      drain()
      if let due = life.deadlineNanoseconds, due <= now { step(.time, atNanoseconds: now) }
    }
    return queue.next()
  }

  /// - Parameter bias: rad/s in the sensor's frame.
  func remember(_ bias: AngularRate, atNanoseconds now: Int64) {
    guard let facts else { return }
    biases.remember(bias, ofDevice: facts.name, parentPath: place, atNanoseconds: now)
  }

  // -- What happens

  private func take(_ change: DeviceChange) {
    let now = surroundings.clock()
    switch change {
    case .removed(let id): step(.deviceRemoved(id: id), atNanoseconds: now)
    case .added: step(.devicesChanged, atNanoseconds: now)
    }
    happened(now)
  }

  private func workerIsReady() {
    guard let worker else { return }
    let now = surroundings.clock()
    let reports = worker.collect(scans: &arrived)
    // A device's samples come behind its opening and before its end.
    for report in reports {
      if case .acquired(let facts, let stream) = report {
        acquired(facts, stream: stream, atNanoseconds: now)
      }
    }
    takeArrived()
    for report in reports {
      switch report {
      case .acquired: break
      case .failed(let trouble): step(.failed(trouble), atNanoseconds: now)
      case .released: step(.released, atNanoseconds: now)
      case .readFailed(let error): step(.readFailed(errno: error.number), atNanoseconds: now)
      }
    }
    happened(now)
  }

  private func acquired(
    _ facts: GyroFacts, stream: (any ScanStream)?, atNanoseconds now: Int64
  ) {
    self.facts = facts
    self.stream = stream
    place = LastingPlace.of(facts.parentPath ?? "")
    timing = ScanTiming(facts, frameRate: wish.frameRate)
    repeats = RepeatedReadings()
    hold = AccelOrientation()
    if case .readAlong(let matrix) = facts.accelerometer { accelMatrix = matrix }
    for warning in facts.warnings { surroundings.log(.warning, warning) }
    if let stream, stream.descriptor >= 0 {
      streamWatch = surroundings.follow(stream.descriptor) { [weak self] in
        guard let self else { return }
        drain()
        happened(surroundings.clock())
      }
    }
    step(
      .acquired(
        deviceID: facts.id, periodNanoseconds: facts.periodNanoseconds, note: facts.pollingReason),
      atNanoseconds: now)
    if askedFor != wish {
      // Somebody wants something else by now.
      step(.unwanted, atNanoseconds: now)
      step(.wanted, atNanoseconds: now)
    }
  }

  // -- Samples

  /// Takes every scan that the kernel has: none is left behind to be shown late.
  private func drain() {
    guard let stream else { return }
    do throws(IIOError) {
      try stream.drain(into: &arrived, clock: surroundings.clock)
      takeArrived()
    } catch {
      takeArrived()
      step(.readFailed(errno: error.number), atNanoseconds: surroundings.clock())
    }
  }

  private func takeArrived() {
    for index in arrived.indices where life.isHolding {
      take(arrived[index], isNewest: index == arrived.count - 1)
    }
  }

  private func take(_ scan: ArrivedScan, isNewest: Bool) {
    step(.sample, atNanoseconds: scan.arrivalNanoseconds)
    let wasComparable = timing.clock == .monotonic
    let (sample, startsSegment) = timing.sample(of: scan, isNewest: isNewest)
    if wasComparable, let reason = timing.clock.latencyNote {
      queue.append(.latencyUnknown(reason: reason))
    }
    if let acceleration = scan.scan.acceleration,
      let orientation = hold.take(
        accelMatrix.apply(acceleration), atNanoseconds: sample.timeNanoseconds)
    {
      queue.append(.orientation(orientation))
    }
    if startsSegment { queue.append(.segment(continuing: false)) }
    queue.append(.sample(sample))
    if facts?.pollingReason != nil, repeats.add(sample.rateRadPerSec) {
      surroundings.log(
        .warning,
        "\(facts?.name ?? "the gyroscope") gave the same values \(RepeatedReadings.limit) times: it "
          + "measures more slowly than it is asked, or not at all")
    }
  }

  // -- Life

  private func step(_ event: DeviceLife.Event, atNanoseconds now: Int64) {
    let actions = life.take(event, atNanoseconds: now)
    switch actions.news {
    case nil: break
    case .streaming(let note):
      // Of what finding and opening took, nothing runs again while it streams.
      ResidentCode.release()
      if let facts { surroundings.log(.notice, facts.text) }
      queue.append(.streaming(start(note: note)))
    case .trouble(let trouble):
      queue.append(.waiting(trouble.state, reason: trouble.reason))
    }
    switch actions.job {
    case nil: break
    case .acquire: acquire(atNanoseconds: now)
    case .release:
      // The worker has it from here on.
      stream = nil
      streamWatch = nil
      worker?.release()
    }
  }

  private func acquire(atNanoseconds now: Int64) {
    askedFor = wish
    do throws(IIOError) {
      if worker == nil {
        let made = try surroundings.makeWorker()
        worker = made
        workerWatch = surroundings.follow(made.descriptor) { [weak self] in self?.workerIsReady() }
      }
      worker?.acquire(wish)
    } catch {
      step(.failed(.lost(error.description)), atNanoseconds: now)
    }
  }

  private func start(note: String?) -> SourceStart {
    let matrix = settings.mountMatrix ?? facts?.mountMatrix ?? .identity
    let known = facts.flatMap { biases.bias(ofDevice: $0.name, parentPath: place) }
      .map { matrix.apply($0) }
    return SourceStart(
      rateHertz: facts?.rateHertz, mountMatrix: facts?.mountMatrix,
      bias: settings.estimatesBias == false ? .off : .auto(known), note: note,
      latencyNote: timing.clock.latencyNote, isLive: true,
      hasAccelerometer: facts.map { $0.accelerometer != .elsewhere } ?? false)
  }
}

extension DeviceTrouble {
  /// The same, as DEVICE says it.
  var state: DeviceMessage.State {
    switch self {
    case .none: .none
    case .busy: .busy
    case .denied: .denied
    case .lost: .lost
    }
  }
}

extension GyroFacts {
  /// As in `gyro_3d (iio:device0) gives 30.3 samples a second`.
  fileprivate var text: String {
    let rate = rateHertz.map { "\(SettingText.text($0)) samples" } ?? "samples"
    let way = pollingReason.map { "; \($0)" } ?? ""
    return "\(name) (\(id)) gives \(rate) a second\(way)"
  }
}

extension DeviceLife {
  /// Wanted, with nothing held and the worker free.
  fileprivate var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// A device is open.
  fileprivate var isHolding: Bool {
    switch state {
    case .listening, .streaming: true
    case .idle, .acquiring, .abandoning, .renewing, .releasing, .waiting: false
    }
  }
}
