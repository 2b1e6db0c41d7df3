import Glibc
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

@testable import ParallaxCommands

/// Events as the test writes them, then silence.
private final class ScriptedSource: RecordingSource {
  private var events: [RecordingEvent]
  private let ends: [Int32]

  init(_ events: [RecordingEvent]) {
    self.events = events
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    self.ends = ends
  }

  deinit { for end in ends { close(end) } }

  /// Never readable.
  var descriptor: Int32 { ends[0] }

  var deadlineNanoseconds: Int64? { nil }
  private(set) var stops = 0

  func start(atNanoseconds now: Int64) throws(CommandFailure) {}

  func stop() { stops += 1 }

  func next(atNanoseconds now: Int64) throws(CommandFailure) -> RecordingEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}

/// What has to do with the clock, which the test moves.
@Suite("A recording and the time", .timeLimit(.minutes(10)))
struct RecorderTests {
  private static let second: Int64 = 1_000_000_000

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Seconds of the samples that come, at once.
    var samples: [Double]
    var rateHertz: Double?
    var duration: Double
    /// Seconds on the clock behind the samples.
    var elapsed: Double
    /// nil: it waits on.
    var message: String?
    var rows: Int?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "a sensor that dies", samples: [0, 0.1, 0.2], rateHertz: 10, duration: 5, elapsed: 6,
      message: "no more samples came; see 'parallax status'; 3 samples are kept in %", rows: 3),
    Case(
      name: "the last one is late", samples: [0, 0.1, 4.1], rateHertz: 10, duration: 5, elapsed: 6,
      rows: 3),
    Case(
      name: "a slow sensor", samples: [0, 4, 8], rateHertz: 0.25, duration: 11, elapsed: 19,
      rows: 3),
    Case(
      name: "none at all", samples: [], rateHertz: 10, duration: 5, elapsed: 15,
      message: "nothing was recorded: no sample came; see 'parallax status'"),
  ])
  func `it ends though nothing comes`(_ given: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder("walk.csv")
    let events = given.samples.map { seconds in
      RecordingEvent.sample(
        GyroSample(
          timeNanoseconds: 77 * Self.second + Int64(seconds * 1e9), rateRadPerSec: .zero))
    }
    let header = TraceHeader(rateHertz: given.rateHertz)
    let source = ScriptedSource([.header(header, note: nil)] + events)
    // The first readings are for the start and the first sample.
    var readings = given.samples.isEmpty ? 1 : 2
    let start = 1_000 * Self.second
    var silence: [Int32] = [-1, -1]
    pipe(&silence)
    defer { for end in silence { close(end) } }
    let recorder = Recorder(
      source, to: try OutputFile(path: path, growsUnderAName: true),
      durationNanoseconds: Int64(given.duration * 1e9), interruption: silence[0],
      showsProgress: false
    ) {
      readings -= 1
      return readings >= 0 ? start : start + Int64(given.elapsed * 1e9)
    }
    var message: String?
    do {
      let tally = try recorder.run()
      #expect(tally.samples == given.rows)
    } catch let failure as CommandFailure {
      #expect(failure.exit == .unavailable)
      message = failure.message
    }
    #expect(message == given.message?.replacing("%", with: path))
    guard let rows = given.rows else {
      #expect(try folder.names().isEmpty)
      return
    }
    #expect(try folder.text(of: "walk.csv").split(separator: "\n").count == rows + 2)
  }

  @Test func `the progress says how far it is`() {
    var tally = RecordingTally()
    #expect(RecordingProgress.text(of: tally, nil) == "0.0 s, 0 samples")
    for index in 0..<1_235 { tally.add(5 + Int64(index) * 10_000_000) }
    #expect(RecordingProgress.text(of: tally, nil) == "12.3 s, 1235 samples, 100.0 Hz")
    #expect(
      RecordingProgress.text(of: tally, 60_000_000_000)
        == "12.3 of 60.0 s, 1235 samples, 100.0 Hz")
  }
}
