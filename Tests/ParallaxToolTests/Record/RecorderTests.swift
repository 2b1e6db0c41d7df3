// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

@testable import ParallaxTool

/// Delivers the events of a test at once, then nothing.
private final class ScriptedSource: RecordingSource {
  private var events: [RecordingEvent]
  private(set) var stops = 0

  init(_ events: [RecordingEvent]) {
    self.events = events
  }

  var descriptor: Int32 { -1 }
  var deadline: MotionInstant? { nil }

  func start(at now: MotionInstant) throws(CommandFailure) {}

  func stop() { stops += 1 }

  func next(at now: MotionInstant) throws(CommandFailure) -> RecordingEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}

/// A clock that jumps to the deadline of each wait. A wait without one is interrupted, as by Ctrl-C.
private final class JumpingClock: RecordingClock {
  private(set) var now: MotionInstant = 1_000_000_000_000
  private(set) var waits = 0

  func poll(_ entries: inout [pollfd], until deadline: MotionInstant?) {
    waits += 1
    if let deadline {
      now = max(now, deadline)
    } else {
      entries[1].revents = Int16(POLLIN)
    }
  }
}

private final class RecordedDisplay: RecordingDisplay {
  private(set) var notes: [String] = []
  private(set) var progress: [Int] = []

  func show(note: String) { notes.append(note) }

  func show(_ tally: RecordingTally, of duration: MotionDuration?) {
    progress.append(tally.samples)
  }

  func clearProgress() {}
}

@Suite("Recorder")
struct RecorderTests {
  private let folder: TemporaryFolder
  private let clock = JumpingClock()
  private let display = RecordedDisplay()

  init() throws { folder = try TemporaryFolder() }

  private static func events(
    _ seconds: [Double], rateHertz: Double?, note: String? = nil
  ) -> [RecordingEvent] {
    [.header(TraceHeader(rateHertz: rateHertz), note: note)]
      + seconds.map { seconds in
        .sample(
          GyroSample(
            time: MotionInstant.zero + .seconds(77) + MotionDuration(seconds: seconds),
            rateRadPerSec: .zero))
      }
  }

  private func recorder(
    _ source: ScriptedSource, seconds: Double?, showsProgress: Bool = false
  ) throws -> Recorder {
    Recorder(
      source, to: try OutputFile(path: folder("walk.csv"), keepsPartialFile: true),
      duration: seconds.map { MotionDuration(seconds: $0) }, interruption: -1, display: display,
      showsProgress: showsProgress, clock: clock)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The times of the samples, which arrive at the start, in seconds.
    var samples: [Double]
    var rateHertz: Double?
    var duration: Double
    /// When the recording ends, in seconds after its start.
    var end: Double
    /// nil if the recording is complete.
    var message: String?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "a sensor that dies", samples: [0, 0.1, 0.2], rateHertz: 10, duration: 5, end: 6,
      message: "the samples stopped; see 'parallax status'; 3 samples are kept in %"),
    Case(
      name: "the last sample is missing", samples: [0, 0.1, 4.1], rateHertz: 10, duration: 5,
      end: 6),
    Case(
      name: "a slow sensor", samples: [0, 4, 8], rateHertz: 0.25, duration: 11, end: 19),
    Case(
      name: "no sample", samples: [], rateHertz: 10, duration: 5, end: 15,
      message: "nothing was recorded: no sample arrived; see 'parallax status'"),
  ])
  func silenceEndsTheRecording(_ given: Case) throws {
    let start = clock.now
    let source = ScriptedSource(Self.events(given.samples, rateHertz: given.rateHertz))
    let recorder = try recorder(source, seconds: given.duration)
    var message: String?
    do {
      let tally = try recorder.run()
      #expect(tally.samples == given.samples.count)
    } catch let error as CommandFailure {
      #expect(error.exit == .unavailable)
      message = error.message
    }
    #expect(message == given.message?.replacing("%", with: folder("walk.csv")))
    #expect(clock.now - start == MotionDuration(seconds: given.end))
    #expect(source.stops == 1)
    if given.samples.isEmpty {
      #expect(try folder.names().isEmpty)
    } else {
      let lines = try folder.text(of: "walk.csv").split(separator: "\n")
      #expect(lines.count == 2 + given.samples.count)
    }
  }

  /// A pause is shown, does not count as silence, and leaves a gap.
  @Test func aPauseIsNotSilence() throws {
    let events =
      Self.events([0, 1], rateHertz: 1) + [.paused(reasons: ["inhibit"]), .resumed]
      + Self.events([8, 9, 10], rateHertz: 1).dropFirst()
    let tally = try recorder(ScriptedSource(events), seconds: 10).run()
    #expect(tally.samples == 5)
    #expect(
      display.notes == [
        "paused, because the gate is closed (inhibit); the recording continues when it opens",
        "the gate is open; the recording continues",
      ])
  }

  /// A sensor that is switched on again has 10 s for its first sample.
  @Test func silenceAfterAPauseIsAllowed() throws {
    let start = clock.now
    let events = Self.events([0, 1], rateHertz: 1) + [.paused(reasons: ["inhibit"]), .resumed]
    #expect(try recorder(ScriptedSource(events), seconds: 3).run().samples == 2)
    #expect(clock.now - start == .seconds(10))
  }

  /// The gate stays closed: a recording that has samples ends with its time, one without them waits.
  @Test func aPauseThatLastsEndsWithTheDuration() throws {
    let events = Self.events([0, 1], rateHertz: 1) + [.paused(reasons: ["paused"])]
    #expect(try recorder(ScriptedSource(events), seconds: 10).run().samples == 2)
    #expect(throws: CommandFailure.self) {
      // The clock interrupts a wait without a deadline.
      try recorder(ScriptedSource([.paused(reasons: ["paused"])]), seconds: 10).run()
    }
  }

  @Test func theDurationEndsWithASampleAtOrAfterIt() throws {
    for (duration, samples) in [(0.5, 1), (1, 2), (1.5, 2), (2, 3)] {
      let source = ScriptedSource(Self.events([0, 1, 2, 3], rateHertz: 1))
      #expect(try recorder(source, seconds: duration).run().samples == samples)
    }
    #expect(clock.waits == 0)
  }

  @Test func anInterruptionKeepsTheSamples() throws {
    let source = ScriptedSource(Self.events([0, 1, 2], rateHertz: 1))
    let tally = try recorder(source, seconds: nil).run()
    #expect(tally.samples == 3 && tally.span == .seconds(2) && tally.rateHertz == 1)
    #expect(clock.waits == 1)
    #expect(try folder.names() == ["walk.csv"])
  }

  @Test func progressIsShownAfterHalfASecondAndEvery200Milliseconds() throws {
    let source = ScriptedSource(Self.events([0, 0.1, 0.2], rateHertz: 10, note: "half asleep"))
    // It ends after 2 s without the last sample.
    _ = try recorder(source, seconds: 1, showsProgress: true).run()
    #expect(display.progress == [Int](repeating: 3, count: 8))
    #expect(display.notes == ["half asleep"])
  }
}
