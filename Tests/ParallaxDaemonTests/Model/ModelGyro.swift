// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDaemon
import ParallaxDevice
import ParallaxLoop
import ParallaxMotion

/// A gyroscope in memory, with the worker, the kernel and udev around it. It works as time passes:
/// jobs take their time, and an open device gives scans at its rate.
final class ModelGyro {
  static let identifier = "iio:device0"
  /// A text that no subscriber without privilege may see.
  static let secret = "/sys/secret"

  private(set) var isPlugged = true
  /// What opening it reports; nil: it succeeds.
  var failure: String?
  /// The time that the driver takes for a job.
  var slowness = MotionDuration.milliseconds(2)
  var motion = ModelDeviceEvent.turning
  let rateHertz: Double

  /// Since when the daemon has it open; nil: it has not, or has asked for its release.
  private(set) var heldSince: MotionInstant?

  private struct Job {
    var isAcquire: Bool
    var due: MotionInstant
  }

  private let clock: () -> MotionInstant
  private var jobs: [Job] = []
  private weak var worker: Worker?
  private var stream: Stream?
  private var nextScan = MotionInstant.zero
  private var scanCount = 0
  private var handlers: [(descriptor: Int32, handler: () -> Void)] = []
  private var deviceHandler: ((DeviceChange) -> Void)?

  private static let workerDescriptor: Int32 = 1000
  private static let streamDescriptor: Int32 = 1001
  /// Scans that the kernel keeps.
  private static let keptScans = 64

  init(rateHertz: Double, clock: @escaping () -> MotionInstant) {
    self.rateHertz = rateHertz
    self.clock = clock
  }

  var environment: GyroEnvironment {
    GyroEnvironment(
      makeWorker: { [unowned self] () throws(SystemError) in
        let worker = Worker(self)
        self.worker = worker
        return worker
      },
      follow: { [unowned self] descriptor, handler in
        handlers.append((descriptor, handler))
        return Watch { [weak self] in self?.handlers.removeAll { $0.descriptor == descriptor } }
      },
      followDevices: { [unowned self] handler in
        deviceHandler = handler
        return Watch { [weak self] in self?.deviceHandler = nil }
      },
      clock: clock, log: { _, _ in })
  }

  // MARK: - Time

  /// When `advance` has something to do; nil: never.
  var due: MotionInstant? {
    .earlier(jobs.first?.due, stream != nil && isPlugged ? nextScan : nil)
  }

  /// Does what is due, and calls the handlers of readable descriptors.
  func advance() {
    let now = clock()
    while let job = jobs.first, job.due <= now {
      jobs.removeFirst()
      job.isAcquire ? answerAcquire(at: job.due) : answerRelease()
    }
    if stream != nil, isPlugged {
      // A daemon that was held up finds the newest scans that the kernel keeps.
      let period = MotionDuration(seconds: 1 / rateHertz)
      let missed = Int64((now - nextScan).nanoseconds / period.nanoseconds)
      if missed > Self.keptScans { nextScan += period * (missed - Int64(Self.keptScans)) }
      while nextScan <= now {
        stream?.scans.append(scan(at: nextScan))
        nextScan += period
      }
    }
    if worker?.reports.isEmpty == false { call(Self.workerDescriptor) }
    if stream?.isReadable == true { call(Self.streamDescriptor) }
  }

  private func scan(at time: MotionInstant) -> GyroScan {
    scanCount += 1
    let rate =
      switch motion {
      case .turning: AngularRate(x: 20, y: -20, z: 5)
      case .shaking:
        scanCount % 8 < 4 ? AngularRate(x: 0.6, y: 0.3, z: 0) : AngularRate(x: -0.4, y: -0.6, z: 0)
      default: AngularRate(x: 0, y: 0, z: 0)
      }
    return GyroScan(stamp: time, arrival: time, rateRadPerSec: rate, acceleration: nil)
  }

  // MARK: - Events

  func unplug() {
    guard isPlugged else { return }
    isPlugged = false
    deviceHandler?(.removed(id: Self.identifier))
  }

  func plug() {
    guard !isPlugged else { return }
    isPlugged = true
    deviceHandler?(.added(id: Self.identifier))
  }

  func failReading() {
    guard let stream else { return }
    stream.failure = DriverError(number: EIO, action: "reading \(Self.secret)")
    call(Self.streamDescriptor)
  }

  private func call(_ descriptor: Int32) {
    for entry in handlers where entry.descriptor == descriptor { entry.handler() }
  }

  // MARK: - Jobs

  private func ask(isAcquire: Bool) {
    if !isAcquire {
      stream = nil
      heldSince = nil
    }
    jobs.append(Job(isAcquire: isAcquire, due: clock() + slowness))
  }

  private func answerAcquire(at time: MotionInstant) {
    guard isPlugged, failure == nil else {
      let reason = "cannot open \(Self.secret)/\(Self.identifier): not possible"
      let error: DeviceError =
        switch isPlugged ? failure ?? "none" : "none" {
        case "busy": .busy(reason)
        case "denied": .denied(reason)
        case "lost": .lost(reason)
        default: .none(reason)
        }
      worker?.reports.append(.failed(error))
      return
    }
    let stream = Stream()
    self.stream = stream
    heldSince = time
    nextScan = time
    worker?.reports.append(
      .acquired(
        GyroFacts(id: Self.identifier, name: "gyro_3d", rateHertz: rateHertz), stream: stream))
  }

  private func answerRelease() { worker?.reports.append(.released) }

  // MARK: - Parts

  private final class Watch {
    let end: () -> Void
    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { end() }
  }

  private final class Stream: ScanStream {
    let descriptor = ModelGyro.streamDescriptor
    var scans: [GyroScan] = []
    var failure: DriverError?
    private var head = 0

    var isReadable: Bool { head < scans.count || failure != nil }

    func close() {}

    func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan? {
      if let failure {
        self.failure = nil
        throw failure
      }
      guard head < scans.count else { return nil }
      var scan = scans[head]
      head += 1
      if head == scans.count {
        scans.removeAll(keepingCapacity: true)
        head = 0
      }
      scan.arrival = clock()
      return scan
    }
  }

  private final class Worker: DeviceWorking {
    let descriptor = ModelGyro.workerDescriptor
    var reports: [DeviceReport] = []
    private unowned let gyro: ModelGyro

    init(_ gyro: ModelGyro) { self.gyro = gyro }

    func acquire(_ request: GyroRequest) { gyro.ask(isAcquire: true) }

    func release() { gyro.ask(isAcquire: false) }

    func collect(scans: inout [GyroScan]) -> [DeviceReport] {
      scans = []
      defer { reports = [] }
      return reports
    }
  }
}
