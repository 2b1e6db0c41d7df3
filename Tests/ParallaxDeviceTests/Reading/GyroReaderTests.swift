// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

private final class ScriptedWorker: DeviceWorking {
  let descriptor: Int32 = 1000
  var reports: [DeviceReport] = []
  var scans: [GyroScan] = []
  private(set) var jobs: [String] = []

  func acquire(_ request: GyroRequest) { jobs.append("acquire") }

  func release() { jobs.append("release") }

  func collect(scans: inout [GyroScan]) -> [DeviceReport] {
    scans = self.scans
    self.scans = []
    defer { reports = [] }
    return reports
  }
}

private final class ScriptedStream: ScanStream {
  let descriptor: Int32 = 1001
  var scans: [GyroScan] = []
  var failure: DriverError?

  func close() {}

  func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan? {
    guard !scans.isEmpty else {
      if let failure { throw failure }
      return nil
    }
    var scan = scans.removeFirst()
    scan.arrival = clock()
    return scan
  }
}

@Suite("Gyroscope reader")
struct GyroReaderTests {
  private let worker = ScriptedWorker()
  private let stream = ScriptedStream()
  private let clock = SettableClock()
  private let start = MotionInstant.zero + .seconds(1_000)

  private func reader(
    _ facts: GyroFacts = GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: 100),
    isStreaming: Bool = true
  ) -> GyroReader {
    clock.now = start
    let reader = GyroReader(worker, clock: clock.reading)
    reader.acquire(GyroRequest())
    worker.reports = [.acquired(facts, stream: isStreaming ? stream : nil)]
    return reader
  }

  private func scan(
    _ stamp: MotionInstant?, _ x: Double = 0, acceleration: Acceleration? = nil
  ) -> GyroScan {
    GyroScan(
      stamp: stamp, arrival: stamp ?? start, rateRadPerSec: AngularRate(x: x, y: 0, z: 0),
      acceleration: acceleration)
  }

  /// The events as words; samples as their rates about x, a first one of a segment with a bar.
  private func words(_ receive: (_ handle: (GyroReader.Event) -> Void) -> Void) -> [String] {
    var words: [String] = []
    receive { event in
      switch event {
      case .opened(let facts): words.append("opened \(facts.name)")
      case .failed(let error): words.append("failed \(error.reason)")
      case .sample(let sample, let startsSegment, _):
        words.append((startsSegment ? "|" : "") + "\(sample.rateRadPerSec.x)")
      case .lost(let count): words.append("lost \(count)")
      case .latencyUnknown: words.append("latency unknown")
      case .readFailed(let error): words.append("read failed \(error.number)")
      case .released: words.append("released")
      }
    }
    return words
  }

  @Test func polledSamplesComeBetweenOpeningAndEnd() {
    let reader = reader(isStreaming: false)
    worker.reports.append(.readFailed(DriverError(number: ENODEV, action: "reading")))
    worker.scans = [scan(start, 1), scan(start + .milliseconds(10), 2)]
    #expect(reader.streamDescriptor == nil)
    #expect(
      words { reader.receiveReports($0) }
        == ["opened gyro_3d", "|1.0", "2.0", "read failed \(ENODEV)"])
  }

  @Test func streamIsReadToItsEndAndSamplesBeforeAnErrorCount() {
    let reader = reader()
    #expect(words { reader.receiveReports($0) } == ["opened gyro_3d"])
    #expect(reader.streamDescriptor == stream.descriptor)
    stream.scans = [scan(start, 1), scan(start + .milliseconds(10), 2)]
    clock.now = start + .milliseconds(10)
    stream.failure = DriverError(number: EIO, action: "reading")
    #expect(words { reader.receiveScans($0) } == ["|1.0", "2.0", "read failed \(EIO)"])
    reader.release()
    #expect(worker.jobs == ["acquire", "release"])
    #expect(reader.streamDescriptor == nil)
    #expect(words { reader.receiveScans($0) } == [], "the worker owns the stream")
    worker.reports = [.released]
    #expect(words { reader.receiveReports($0) } == ["released"])
  }

  @Test func clockThatProvesForeignIsReportedOnceBeforeItsSample() {
    let reader = reader()
    _ = words { reader.receiveReports($0) }
    #expect(reader.latencyNote == nil)
    // CLOCK_MONOTONIC is never ahead of the present.
    stream.scans = [scan(start, 1), scan(start + .seconds(500), 2), scan(start + .seconds(501), 3)]
    let events = words { reader.receiveScans($0) }
    #expect(events.prefix(2) == ["|1.0", "latency unknown"])
    #expect(events.count { $0 == "latency unknown" } == 1)
    #expect(reader.latencyNote?.isEmpty == false)
  }

  @Test func scanWithoutStampHasItsArrivalAsTime() {
    let reader = reader(isStreaming: false)
    var times: [MotionInstant] = []
    worker.scans = [scan(nil)]
    reader.receiveReports { event in
      if case .sample(let sample, _, _) = event { times.append(sample.time) }
    }
    #expect(times == [start])
  }

  @Test func accelerationIsInTheDevicesFrame() throws {
    // Acer SW3-016 (systemd, hwdb.d/60-sensor.hwdb).
    let matrix = try AccelMatrix(parsing: "0, -1, 0; -1, 0, 0; 0, 0, -1")
    let reader = reader(
      GyroFacts(id: "iio:device0", name: "mpu6050", accelerometer: .readAlong(matrix: matrix)),
      isStreaming: false)
    var accelerations: [Acceleration] = []
    worker.scans = [scan(start, acceleration: Acceleration(x: 9.8, y: 1, z: 2)), scan(start)]
    reader.receiveReports { event in
      guard case .sample(_, _, let acceleration?) = event else { return }
      accelerations.append(acceleration)
    }
    #expect(accelerations == [Acceleration(x: -1, y: -9.8, z: -2)])
  }

  /// Hz; the wait for the first sample and for the next, in seconds.
  @Test(
    arguments: [
      (nil, 2, 1), (100, 2, 1), (2, 2, 1.5), (1, 3, 3), (0.1, 30, 30), (0.001, 30, 30),
    ] as [(Double?, Double, Double)])
  func silence(hertz: Double?, first: Double, later: Double) {
    let reader = reader(
      GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: hertz), isStreaming: false)
    _ = words { reader.receiveReports($0) }
    #expect(
      reader.silenceDeadline(opened: start) == start + MotionDuration(seconds: first))
    worker.scans = [scan(start)]
    _ = words { reader.receiveReports($0) }
    #expect(
      reader.silenceDeadline(opened: start) == start + MotionDuration(seconds: later))
  }
}

@Suite("Raw values")
struct RawScaleTests {
  /// The offset comes first (Linux Documentation/ABI/testing/sysfs-bus-iio).
  @Test(
    arguments: [(0, 0.001, 500, 0.5), (-12, 0.5, 100, 44), (8, 0.25, -8, 0), (1, 2, 3, 8)]
      as [(Double, Double, Double, Double)])
  func conversion(offset: Double, scale: Double, raw: Double, value: Double) {
    #expect(RawScale(offset: offset, scale: scale).value(raw) == value)
  }
}
