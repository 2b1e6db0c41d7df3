// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDaemon
import ParallaxDevice
import ParallaxLoop
import ParallaxMotion
import ParallaxTestSupport

/// A gyroscope in memory: the worker, the kernel and udev, under a test's control.
final class FakeGyro {
  /// The worker's jobs that were not answered yet.
  private(set) var jobs: [String] = []
  private(set) var requests: [GyroRequest] = []
  /// The number of workers that were made.
  private(set) var workers = 0
  /// Whether device events are followed.
  private(set) var isFollowed = false

  private let clock: SettableClock
  private weak var worker: Worker?
  private var stream: Stream?
  private var handlers: [(descriptor: Int32, handler: () -> Void)] = []
  private var deviceHandler: ((DeviceChange) -> Void)?
  private(set) var log: [String] = []
  /// How long reading a scan takes; the scan is taken during that time.
  var readingDuration: MotionDuration = .zero

  static let workerDescriptor: Int32 = 1000
  static let streamDescriptor: Int32 = 1001

  init(clock: SettableClock) {
    self.clock = clock
  }

  var environment: GyroEnvironment {
    GyroEnvironment(
      makeWorker: { [unowned self] () throws(SystemError) in
        workers += 1
        let worker = Worker(self)
        self.worker = worker
        return worker
      },
      follow: { [unowned self] descriptor, handler in
        handlers.append((descriptor, handler))
        return Watch { [weak self] in self?.handlers.removeAll { $0.descriptor == descriptor } }
      },
      followDevices: { [unowned self] handler in
        isFollowed = true
        deviceHandler = handler
        return Watch { [weak self] in
          self?.isFollowed = false
          self?.deviceHandler = nil
        }
      },
      clock: clock.reading, log: { [unowned self] in log.append($1) })
  }

  // MARK: - Events

  /// Answers the worker's job: the device is open.
  func open(
    _ facts: GyroFacts = GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: 100),
    isStreaming: Bool = true
  ) {
    let stream = isStreaming ? Stream(self) : nil
    self.stream = stream
    answer(.acquired(facts, stream: stream))
  }

  /// Answers the worker's job: the device could not be opened.
  func fail(_ error: DeviceError) { answer(.failed(error)) }

  /// Answers the worker's job: the device was released.
  func release() { answer(.released) }

  /// Adds a scan with a stamp that is `ago` old. Call `callHandlers` to have it read.
  func scan(
    _ x: Double, _ y: Double, _ z: Double = 0, ago: MotionDuration = .zero,
    acceleration: Acceleration? = nil
  ) {
    let scan = GyroScan(
      stamp: clock.now - ago, arrival: clock.now, rateRadPerSec: AngularRate(x: x, y: y, z: z),
      acceleration: acceleration)
    if let stream { stream.scans.append(scan) } else { worker?.scans.append(scan) }
  }

  /// Calls the handlers of readable descriptors.
  func callHandlers() {
    if worker?.isReadable ?? false { call(Self.workerDescriptor) }
    if let stream, !stream.scans.isEmpty { call(Self.streamDescriptor) }
  }

  func remove(_ id: String = "iio:device0") { deviceHandler?(.removed(id: id)) }
  func add(_ id: String = "iio:device0") { deviceHandler?(.added(id: id)) }

  private func call(_ descriptor: Int32) {
    for entry in handlers where entry.descriptor == descriptor { entry.handler() }
  }

  private func answer(_ report: DeviceReport) {
    if !jobs.isEmpty { jobs.removeFirst() }
    worker?.reports.append(report)
    callHandlers()
  }

  // MARK: - Parts

  private final class Watch {
    let end: () -> Void
    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { end() }
  }

  private final class Stream: ScanStream {
    let descriptor = FakeGyro.streamDescriptor
    var scans: [GyroScan] = []
    unowned let gyro: FakeGyro

    init(_ gyro: FakeGyro) { self.gyro = gyro }

    func close() {}

    func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan? {
      guard !scans.isEmpty else { return nil }
      var scan = scans.removeFirst()
      if gyro.readingDuration > .zero {
        gyro.clock.advance(by: gyro.readingDuration)
        scan.stamp = gyro.clock.now
      }
      scan.arrival = clock()
      return scan
    }
  }

  private final class Worker: DeviceWorking {
    let descriptor = FakeGyro.workerDescriptor
    var reports: [DeviceReport] = []
    var scans: [GyroScan] = []
    unowned let gyro: FakeGyro

    init(_ gyro: FakeGyro) { self.gyro = gyro }

    var isReadable: Bool { !reports.isEmpty || !scans.isEmpty }

    func acquire(_ request: GyroRequest) {
      gyro.jobs.append("acquire")
      gyro.requests.append(request)
    }

    func release() {
      gyro.stream = nil
      gyro.jobs.append("release")
    }

    func collect(scans: inout [GyroScan]) -> [DeviceReport] {
      scans = self.scans
      self.scans = []
      defer { reports = [] }
      return reports
    }
  }
}
