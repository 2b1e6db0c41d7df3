// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
@testable import ParallaxTool
import ParallaxTrace
import Testing

/// A worker whose reports a test sets.
private final class ScriptedWorker: DeviceWorking {
  var reports: [DeviceReport] = []
  var scans: [GyroScan] = []
  private(set) var requests: [GyroRequest] = []
  private(set) var releases = 0
  private let ends: [Int32]

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    self.ends = ends
    // Always readable.
    _ = write(ends[1], "x", 1)
  }

  deinit { for end in ends { close(end) } }

  var descriptor: Int32 { ends[0] }

  func acquire(_ request: GyroRequest) { requests.append(request) }

  func release() {
    releases += 1
    reports.append(.released)
  }

  func collect(scans: inout [GyroScan]) -> [DeviceReport] {
    scans = self.scans
    self.scans = []
    defer { reports = [] }
    return reports
  }
}

private final class ScriptedStream: ScanStream {
  var scans: [GyroScan] = []
  var failure: DriverError?
  let descriptor: Int32 = 4242

  func close() {}

  func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan? {
    if !scans.isEmpty {
      var scan = scans.removeFirst()
      scan.arrival = clock()
      return scan
    }
    if let failure { throw failure }
    return nil
  }
}

@Suite("Recording of a gyroscope without a daemon")
struct DeviceRecordingTests {
  private let worker = ScriptedWorker()
  private let stream = ScriptedStream()
  private let start = MotionInstant.zero + .seconds(1_000)
  private let clock = SettableClock()

  private func configuration(_ settings: String...) throws -> Configuration {
    var builder = ConfigurationBuilder()
    for setting in settings { builder.set(assignment: setting) }
    return try builder.build().configuration
  }

  /// - Parameter arrival: For a worker's scan; a stream's is set when it is read.
  private func scan(
    _ stamp: MotionInstant?, _ x: Double, arrival: MotionInstant = .zero
  ) -> GyroScan {
    GyroScan(stamp: stamp, arrival: arrival, rateRadPerSec: AngularRate(x: x, y: 0.5, z: -1))
  }

  /// The events at an instant, and the error that ends the recording.
  private func events(
    _ recording: DeviceRecording, at now: MotionInstant
  ) -> (header: TraceHeader?, notes: [String], samples: [GyroSample], end: CommandFailure?) {
    clock.now = now
    var header: TraceHeader?
    var notes: [String] = []
    var samples: [GyroSample] = []
    do throws(CommandFailure) {
      while let event = try recording.next(at: now) {
        switch event {
        case .header(let given, _): header = given
        case .note(let note): notes.append(note)
        case .sample(let sample): samples.append(sample)
        case .ended(let reason): notes.append(reason)
        case .paused, .resumed: Issue.record("a device has no gate")
        }
      }
      return (header, notes, samples, nil)
    } catch {
      return (header, notes, samples, error)
    }
  }

  /// A recording whose gyroscope streams.
  private func opened(
    _ facts: GyroFacts = GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: 100)
  ) throws -> DeviceRecording {
    let recording = DeviceRecording(worker, try configuration(), clock: clock.reading)
    try recording.start(at: start)
    worker.reports = [.acquired(facts, stream: stream)]
    let beginning = events(recording, at: start)
    #expect(beginning.header?.device == "gyro_3d")
    #expect(recording.descriptor == stream.descriptor)
    return recording
  }

  @Test func configurationIsRequestedAndHeaderHasTheGrantedValues() throws {
    let recording = DeviceRecording(
      worker,
      try configuration(
        "source.device=lid", "source.uri=ip:pad", "sampling.rate=50", "sampling.oversample=2",
        "motion.mode=tilt", "motion.bias=off", "orientation.source=left-up"),
      clock: clock.reading)
    try recording.start(at: start)
    #expect(
      worker.requests == [
        GyroRequest(
          name: "lid", uri: "ip:pad", frameRate: .hertz(50), oversample: 2)
      ])
    let matrix = try MountMatrix(parsing: "0,1,0;-1,0,0;0,0,1")
    worker.reports = [
      .acquired(
        GyroFacts(
          id: "iio:device0", name: "gyro_3d", rateHertz: 102.4, mountMatrix: matrix,
          clock: .reading("polled"), pollingReason: "polled: it has no buffer",
          warnings: ["something is odd"]), stream: nil)
    ]
    let beginning = events(recording, at: start)
    #expect(
      beginning.header
        == TraceHeader(
          device: "gyro_3d", rateHertz: 102.4, mountMatrix: matrix, orientation: .leftUp,
          bias: .off))
    #expect(beginning.notes == ["something is odd", "gyro_3d: polled: it has no buffer"])
    #expect(recording.descriptor == worker.descriptor)

    worker.scans = [
      scan(start + .nanoseconds(5), 1, arrival: start + .nanoseconds(9)),
      scan(nil, 2, arrival: start + .nanoseconds(20)),
    ]
    #expect(
      events(recording, at: start + .nanoseconds(30)).samples.map(\.time)
        == [start + .nanoseconds(5), start + .nanoseconds(20)])
  }

  @Test func defaults() throws {
    let recording = DeviceRecording(worker, try configuration(), clock: clock.reading)
    try recording.start(at: start)
    #expect(worker.requests == [GyroRequest()])
    worker.reports = [.acquired(GyroFacts(id: "iio:device0", name: "g"), stream: stream)]
    #expect(
      events(recording, at: start).header
        == TraceHeader(
          device: "g", mountMatrix: .identity, orientation: .normal, bias: .auto(nil)))
  }

  @Test func keptSamplesInOrder() throws {
    let recording = try opened()
    let times: [Int64] = [10, 20, 20, 15, 30]
    stream.scans = times.map { scan(start + .milliseconds($0), Double($0)) }
    stream.scans.append(scan(start + .milliseconds(40), .nan))
    let samples = events(recording, at: start + .milliseconds(41)).samples
    #expect(samples.map(\.time) == [10, 20, 30].map { start + .milliseconds($0) })
    #expect(samples.map(\.rateRadPerSec.x) == [10, 20, 30])
    #expect(samples.allSatisfy { $0.rateRadPerSec.y == 0.5 && $0.rateRadPerSec.z == -1 })
  }

  /// A sensor hub's own clock.
  @Test func foreignTimestampsAreMapped() throws {
    let recording = try opened(
      GyroFacts(
        id: "iio:device0", name: "gyro_3d", rateHertz: 100, clock: .foreign("its own time")))
    var samples: [GyroSample] = []
    for index in 0..<20 {
      let step = MotionDuration.milliseconds(10) * Int64(index)
      stream.scans = [scan(MotionInstant(nanoseconds: 77) + step, 0)]
      samples += events(recording, at: start + step + .microseconds(500)).samples
    }
    #expect(
      samples.map(\.time) == (0..<20).map { start + .microseconds(500) + .milliseconds(10) * $0 })
  }

  @Test func unpluggedGyroscope() throws {
    let recording = try opened()
    stream.scans = [scan(start, 1)]
    stream.failure = DriverError(number: ENODEV, action: "reading")
    let rest = events(recording, at: start + .milliseconds(1))
    // The samples before the error count.
    #expect(rest.samples.count == 1)
    #expect(
      rest.end == CommandFailure(.unavailable, "gyro_3d was unplugged"))
  }

  @Test func failureOfAPolledGyroscope() throws {
    let recording = DeviceRecording(worker, try configuration(), clock: clock.reading)
    try recording.start(at: start)
    worker.reports = [
      .acquired(GyroFacts(id: "iio:device0", name: "g", clock: .reading("")), stream: nil),
      .readFailed(DriverError(number: ENOENT, action: "reading raw")),
    ]
    worker.scans = [scan(start, 1, arrival: start)]
    let all = events(recording, at: start)
    #expect(all.samples.count == 1)
    #expect(all.end == CommandFailure(.unavailable, "g was unplugged"))
  }

  /// Hz, seconds of silence after a sample, and whether they end the recording.
  @Test(
    arguments: [
      (100, 0.99, false), (100, 1, true), (2, 1.49, false), (2, 1.5, true), (nil, 0.99, false),
      (nil, 1, true),
    ] as [(Double?, Double, Bool)])
  func silence(hertz: Double?, seconds: Double, isEnd: Bool) throws {
    let recording = try opened(
      GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: hertz))
    #expect(recording.deadline == start + .seconds(2))
    stream.scans = [scan(start, 1)]
    #expect(events(recording, at: start).samples.count == 1)
    let now = start + MotionDuration(seconds: seconds)
    #expect(((recording.deadline ?? .zero) <= now) == isEnd)
    let end = events(recording, at: now).end
    #expect(end?.message.hasPrefix("gyro_3d sends no samples") == (isEnd ? true : nil))
    #expect(end?.exit == (isEnd ? .unavailable : nil))
  }

  @Test func driverThatNeverAnswers() throws {
    let recording = DeviceRecording(
      worker, try configuration(), circumstance: "no daemon is running", clock: clock.reading)
    try recording.start(at: start)
    #expect(events(recording, at: start + .seconds(9)).end == nil)
    let end = events(recording, at: start + .seconds(10)).end
    #expect(
      end?.message.hasPrefix("no daemon is running, and the gyroscope does not answer") == true)
  }

  @Test(
    arguments: [
      .none("no gyroscope"), .busy("taken"), .lost("gone"), .denied("no permission"),
    ] as [DeviceError])
  func gyroscopeThatCannotBeOpened(error: DeviceError) throws {
    for circumstance in [nil, "no daemon is running"] {
      let recording = DeviceRecording(
        worker, try configuration(), circumstance: circumstance, clock: clock.reading)
      try recording.start(at: start)
      worker.reports = [.failed(error)]
      let message = (circumstance.map { "\($0), and " } ?? "") + error.reason
      #expect(events(recording, at: start).end == CommandFailure(ToolExit(error), message))
    }
  }

  @Test func stopReleasesOnce() throws {
    let recording = try opened()
    recording.stop()
    #expect(worker.releases == 1)
    recording.stop()
    #expect(worker.releases == 1)
  }
}
