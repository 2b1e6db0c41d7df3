import Glibc
import ParallaxDaemon
import ParallaxDevice
import ParallaxMotion
import ParallaxSystem
import ParallaxTestSupport

/// A gyroscope in memory: what a worker, a kernel and udev would say, when a test says it.
final class FakeGyro {
  /// What is asked of the worker and was not answered yet, in words.
  private(set) var jobs: [String] = []
  private(set) var wishes: [GyroWish] = []
  /// How many threads were made.
  private(set) var workers = 0
  /// Whether news of devices is asked for.
  private(set) var isFollowed = false

  private let clock: SettableClock
  private weak var worker: Worker?
  private var stream: Stream?
  private var handlers: [(descriptor: Int32, handler: () -> Void)] = []
  private var deviceHandler: ((DeviceChange) -> Void)?
  private(set) var log: [String] = []
  /// How long a scan takes to be read; it is one that comes meanwhile.
  var readingTakesNanoseconds: Int64 = 0

  static let workerDescriptor: Int32 = 1000
  static let streamDescriptor: Int32 = 1001

  init(clock: SettableClock) {
    self.clock = clock
  }

  var surroundings: GyroSurroundings {
    GyroSurroundings(
      makeWorker: { [unowned self] () throws(IIOError) in
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

  // -- What happens

  /// The worker has opened it.
  func open(
    _ facts: GyroFacts = GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: 100),
    isStreaming: Bool = true
  ) {
    let stream = isStreaming ? Stream(self) : nil
    self.stream = stream
    answer(.acquired(facts, stream: stream))
  }

  func fail(_ trouble: DeviceTrouble) { answer(.failed(trouble)) }

  func letGo() { answer(.released) }

  /// A scan, at this instant or, of a worker, just before.
  func scan(
    _ x: Double, _ y: Double, _ z: Double = 0, agoNanoseconds: Int64 = 0,
    acceleration: Acceleration? = nil
  ) {
    let scan = GyroScan(
      stampNanoseconds: clock.nanoseconds - agoNanoseconds,
      rateRadPerSec: AngularRate(x: x, y: y, z: z), acceleration: acceleration)
    if let stream {
      stream.scans.append(scan)
    } else {
      worker?.scans.append(ArrivedScan(scan: scan, arrivalNanoseconds: clock.nanoseconds))
    }
  }

  /// Whoever follows a descriptor with something in it is told.
  func tell() {
    if worker?.hasNews ?? false { call(Self.workerDescriptor) }
    if let stream, !stream.scans.isEmpty || stream.failure != nil { call(Self.streamDescriptor) }
  }

  func fail(reading number: Int32) { stream?.failure = IIOError(number: number, action: "reading") }

  func remove(_ id: String = "iio:device0") { deviceHandler?(.removed(id: id)) }
  func add(_ id: String = "iio:device0") { deviceHandler?(.added(id: id)) }

  private func call(_ descriptor: Int32) {
    for entry in handlers where entry.descriptor == descriptor { entry.handler() }
  }

  private func answer(_ report: DeviceReport) {
    if !jobs.isEmpty { jobs.removeFirst() }
    worker?.reports.append(report)
    tell()
  }

  // -- Its parts

  private final class Watch {
    let end: () -> Void
    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { end() }
  }

  private final class Stream: ScanStream {
    let descriptor = FakeGyro.streamDescriptor
    var scans: [GyroScan] = []
    var failure: IIOError?
    unowned let gyro: FakeGyro

    init(_ gyro: FakeGyro) { self.gyro = gyro }

    func next() throws(IIOError) -> GyroScan? {
      if let failure { throw failure }
      guard !scans.isEmpty else { return nil }
      var scan = scans.removeFirst()
      if gyro.readingTakesNanoseconds > 0 {
        gyro.clock.advance(nanoseconds: gyro.readingTakesNanoseconds)
        scan.stampNanoseconds = gyro.clock.nanoseconds
      }
      return scan
    }
  }

  private final class Worker: DeviceWorking {
    let descriptor = FakeGyro.workerDescriptor
    var reports: [DeviceReport] = []
    var scans: [ArrivedScan] = []
    unowned let gyro: FakeGyro

    init(_ gyro: FakeGyro) { self.gyro = gyro }

    var hasNews: Bool { !reports.isEmpty || !scans.isEmpty }

    func acquire(_ wish: GyroWish) {
      gyro.jobs.append("acquire")
      gyro.wishes.append(wish)
    }

    func release() {
      gyro.stream = nil
      gyro.jobs.append("release")
    }

    func collect(scans: inout [ArrivedScan]) -> [DeviceReport] {
      scans = self.scans
      self.scans = []
      defer { reports = [] }
      return reports
    }
  }
}
