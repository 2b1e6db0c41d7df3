import Glibc
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

@testable import ParallaxCommands

/// A worker that reports what the test says.
private final class ScriptedWorker: DeviceWorking {
  var reports: [DeviceReport] = []
  var scans: [ArrivedScan] = []
  private(set) var wishes: [GyroWish] = []
  private(set) var releases = 0
  private let ends: [Int32]

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    self.ends = ends
    // There is always something to collect.
    _ = write(ends[1], "x", 1)
  }

  deinit { for end in ends { close(end) } }

  var descriptor: Int32 { ends[0] }

  func acquire(_ wish: GyroWish) { wishes.append(wish) }

  func release() {
    releases += 1
    reports.append(.released)
  }

  func collect(scans: inout [ArrivedScan]) -> [DeviceReport] {
    scans = self.scans
    self.scans = []
    defer { reports = [] }
    return reports
  }
}

private final class ScriptedStream: ScanStream {
  var scans: [GyroScan] = []
  var failure: IIOError?
  let descriptor: Int32 = 4242

  func next() throws(IIOError) -> GyroScan? {
    if !scans.isEmpty { return scans.removeFirst() }
    if let failure { throw failure }
    return nil
  }
}

@Suite("A gyroscope recorded without a daemon")
struct DeviceRecordingTests {
  private static let second: Int64 = 1_000_000_000
  private let worker = ScriptedWorker()
  private let stream = ScriptedStream()
  private let start = 1_000 * second
  private let clock = SettableClock()

  private func configuration(_ settings: String...) throws -> Configuration {
    var builder = ConfigurationBuilder()
    for setting in settings { builder.set(assignment: setting) }
    return try builder.build().configuration
  }

  private func scan(_ stamp: Int64?, _ x: Double) -> GyroScan {
    GyroScan(stampNanoseconds: stamp, rateRadPerSec: AngularRate(x: x, y: 0.5, z: -1))
  }

  /// Everything that comes now, and the end if there is one.
  private func take(
    _ recording: DeviceRecording, at now: Int64
  ) -> (header: TraceHeader?, notes: [String], samples: [GyroSample], end: CommandFailure?) {
    clock.nanoseconds = now
    var header: TraceHeader?
    var notes: [String] = []
    var samples: [GyroSample] = []
    do throws(CommandFailure) {
      while let event = try recording.next(atNanoseconds: now) {
        switch event {
        case .header(let given, _): header = given
        case .note(let note): notes.append(note)
        case .sample(let sample): samples.append(sample)
        case .ended(let reason): notes.append(reason)
        }
      }
      return (header, notes, samples, nil)
    } catch {
      return (header, notes, samples, error)
    }
  }

  /// One that has been opened and streams.
  private func opened(
    _ facts: GyroFacts = GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: 100)
  ) throws -> DeviceRecording {
    let recording = DeviceRecording(worker, try configuration(), clock: clock.reading)
    try recording.start(atNanoseconds: start)
    worker.reports = [.acquired(facts, stream: stream)]
    let beginning = take(recording, at: start)
    #expect(beginning.header?.device == "gyro_3d")
    #expect(recording.descriptor == stream.descriptor)
    return recording
  }

  @Test func `it asks for what is configured, and the header says what was granted`() throws {
    let recording = DeviceRecording(
      worker,
      try configuration(
        "source.device=lid", "source.uri=ip:pad", "sampling.rate=50", "sampling.oversample=2",
        "motion.mode=tilt", "motion.bias=off", "orientation.source=left-up"),
      clock: clock.reading)
    try recording.start(atNanoseconds: start)
    #expect(
      worker.wishes == [
        GyroWish(
          name: "lid", uri: "ip:pad", frameRate: .hertz(50), oversample: 2, mode: .tilt)
      ])
    let matrix = try MountMatrix(parsing: "0,1,0;-1,0,0;0,0,1")
    worker.reports = [
      .acquired(
        GyroFacts(
          id: "iio:device0", name: "gyro_3d", rateHertz: 102.4, mountMatrix: matrix,
          clock: .reading("polled"), pollingReason: "polled: it has no buffer",
          warnings: ["something is odd"]), stream: nil)
    ]
    let beginning = take(recording, at: start)
    #expect(
      beginning.header
        == TraceHeader(
          device: "gyro_3d", rateHertz: 102.4, mountMatrix: matrix, orientation: .leftUp,
          bias: .off))
    #expect(beginning.notes == ["something is odd", "gyro_3d: polled: it has no buffer"])
    #expect(recording.descriptor == worker.descriptor)

    worker.scans = [
      ArrivedScan(scan: scan(start + 5, 1), arrivalNanoseconds: start + 9),
      ArrivedScan(scan: scan(nil, 2), arrivalNanoseconds: start + 20),
    ]
    #expect(
      take(recording, at: start + 30).samples.map(\.timeNanoseconds) == [start + 5, start + 20])
  }

  @Test func `what nobody configured`() throws {
    let recording = DeviceRecording(worker, try configuration(), clock: clock.reading)
    try recording.start(atNanoseconds: start)
    #expect(worker.wishes == [GyroWish()])
    worker.reports = [.acquired(GyroFacts(id: "iio:device0", name: "g"), stream: stream)]
    #expect(
      take(recording, at: start).header
        == TraceHeader(
          device: "g", mountMatrix: .identity, orientation: .normal, bias: .auto(nil)))
  }

  @Test func `every kept sample once, in order`() throws {
    let recording = try opened()
    let times: [Int64] = [10, 20, 20, 15, 30]
    stream.scans = times.map { scan(start + $0 * 1_000_000, Double($0)) }
    stream.scans.append(scan(start + 40_000_000, .nan))
    let samples = take(recording, at: start + 41_000_000).samples
    #expect(samples.map(\.timeNanoseconds) == [10, 20, 30].map { start + $0 * 1_000_000 })
    #expect(samples.map(\.rateRadPerSec.x) == [10, 20, 30])
    #expect(samples.allSatisfy { $0.rateRadPerSec.y == 0.5 && $0.rateRadPerSec.z == -1 })
  }

  /// A sensor hub's own clock: its pace, at our time.
  @Test func `foreign timestamps become times of our clock`() throws {
    let recording = try opened(
      GyroFacts(
        id: "iio:device0", name: "gyro_3d", rateHertz: 100, clock: .foreign("its own time")))
    var samples: [GyroSample] = []
    for index in 0..<20 {
      let step = Int64(index) * 10_000_000
      stream.scans = [scan(77 + step, 0)]
      samples += take(recording, at: start + step + 500_000).samples
    }
    #expect(
      samples.map(\.timeNanoseconds) == (0..<20).map { start + 500_000 + Int64($0) * 10_000_000 })
  }

  @Test func `an unplugged gyroscope`() throws {
    let recording = try opened()
    stream.scans = [scan(start, 1)]
    stream.failure = IIOError(number: ENODEV, action: "reading")
    let rest = take(recording, at: start + 1_000_000)
    // What was read before is good.
    #expect(rest.samples.count == 1)
    #expect(rest.end == CommandFailure(.unavailable, "gyro_3d was unplugged"))
  }

  @Test func `a polled one that fails`() throws {
    let recording = DeviceRecording(worker, try configuration(), clock: clock.reading)
    try recording.start(atNanoseconds: start)
    worker.reports = [
      .acquired(GyroFacts(id: "iio:device0", name: "g", clock: .reading("")), stream: nil),
      .readFailed(IIOError(number: ENOENT, action: "reading raw")),
    ]
    worker.scans = [ArrivedScan(scan: scan(start, 1), arrivalNanoseconds: start)]
    let all = take(recording, at: start)
    #expect(all.samples.count == 1)
    #expect(all.end == CommandFailure(.unavailable, "g was unplugged"))
  }

  /// Hz, seconds of silence behind a sample, and whether that is the end.
  @Test(
    arguments: [
      (100, 0.99, false), (100, 1, true), (2, 1.49, false), (2, 1.5, true), (nil, 0.99, false),
      (nil, 1, true),
    ] as [(Double?, Double, Bool)])
  func `silence`(hertz: Double?, seconds: Double, isEnd: Bool) throws {
    let recording = try opened(
      GyroFacts(id: "iio:device0", name: "gyro_3d", rateHertz: hertz))
    #expect(recording.deadlineNanoseconds == start + 2 * Self.second)
    stream.scans = [scan(start, 1)]
    #expect(take(recording, at: start).samples.count == 1)
    let now = start + Int64(seconds * 1e9)
    #expect(((recording.deadlineNanoseconds ?? 0) <= now) == isEnd)
    let end = take(recording, at: now).end
    #expect(end?.message.hasPrefix("gyro_3d gives no samples") == (isEnd ? true : nil))
    #expect(end?.exit == (isEnd ? .unavailable : nil))
  }

  @Test func `one that never answers`() throws {
    let recording = DeviceRecording(
      worker, try configuration(), circumstance: "no daemon runs", clock: clock.reading)
    try recording.start(atNanoseconds: start)
    #expect(take(recording, at: start + 9 * Self.second).end == nil)
    let end = take(recording, at: start + 10 * Self.second).end
    #expect(end?.message.hasPrefix("no daemon runs, and the gyroscope does not answer") == true)
  }

  @Test(
    arguments: [
      (.none("no gyroscope"), .unavailable), (.busy("taken"), .unavailable),
      (.lost("gone"), .unavailable), (.denied("not for you"), .noPermission),
    ] as [(DeviceTrouble, ToolExit)])
  func `one that cannot be opened`(trouble: DeviceTrouble, exit: ToolExit) throws {
    for circumstance in [nil, "no daemon runs"] {
      let recording = DeviceRecording(
        worker, try configuration(), circumstance: circumstance, clock: clock.reading)
      try recording.start(atNanoseconds: start)
      worker.reports = [.failed(trouble)]
      let message = (circumstance.map { "\($0), and " } ?? "") + trouble.reason
      #expect(take(recording, at: start).end == CommandFailure(exit, message))
    }
  }

  @Test func `it is let go of`() throws {
    let recording = try opened()
    recording.stop()
    #expect(worker.releases == 1)
    recording.stop()
    #expect(worker.releases == 1)
  }
}
