// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// The switches between two sources. `feed.script` and `GyroscopeTests` have those of the daemon.
struct AutoSourceTests {
  /// A source whose events the test sets.
  private final class Probe: MotionSource {
    let driver: String
    let name: String? = nil
    var isMissing = false
    var due: MotionInstant?
    var outcome: SourceEvent?
    var events: [SourceEvent] = []
    private(set) var calls: [String] = []
    private(set) var isReady: (MotionInstant) -> Void = { _ in }

    init(_ driver: String) { self.driver = driver }

    func start(at now: MotionInstant) -> SourceEvent? {
      calls.append("start")
      return outcome
    }

    func next(at now: MotionInstant) -> SourceEvent? {
      events.isEmpty ? nil : events.removeFirst()
    }

    func stop() { calls.append("stop") }

    func onReady(_ handler: @escaping (MotionInstant) -> Void) { isReady = handler }

    func remember(sensorBias bias: AngularRate, at now: MotionInstant) { calls.append("remember") }
  }

  private let first = Probe("first")
  private let second = Probe("second")
  private let missing = SourceEvent.waiting(.none, reason: "missing")
  private let streaming = SourceEvent.streaming(SourceStart(rateHertz: 100))

  @Test func theFallbackStartsWhenThePreferredSourceIsMissing() {
    let source = AutoSource(first, or: second)
    (first.outcome, second.outcome) = (missing, streaming)
    #expect(source.start(at: 0) == streaming)
    #expect(source.driver == "second")
    (first.due, second.due) = (7, 5)
    #expect(source.due == 5)
    // The preferred source keeps looking.
    first.events = [missing]
    second.events = [.sample(GyroSample(time: 1, rateRadPerSec: .zero))]
    #expect(source.next(at: 1) == .sample(GyroSample(time: 1, rateRadPerSec: .zero)))
    source.remember(sensorBias: .zero, at: 1)
    #expect(second.calls == ["start", "remember"])
    #expect(first.calls == ["start"])
  }

  @Test func thePreferredSourceTakesOverAndGivesBack() {
    let source = AutoSource(first, or: second)
    first.outcome = missing
    #expect(source.start(at: 0) == nil)
    first.events = [streaming]
    #expect(source.next(at: 1) == streaming)
    #expect(source.driver == "first")
    #expect(second.calls == ["start", "stop"])
    second.due = 1
    #expect(source.due == nil)
    // A fallback without an immediate result is on its way.
    first.events = [missing]
    #expect(
      source.next(at: 2) == .waiting(.idle, reason: "starts in place of first, which has ended"))
    #expect(source.driver == "second")
    first.events = [streaming, missing]
    second.outcome = streaming
    #expect(source.next(at: 3) == streaming)
    #expect(source.next(at: 3) == streaming)
    #expect(source.driver == "second")
  }

  /// A device with an error is not missing.
  @Test func anErrorOfThePreferredSourceIsPassedOn() {
    let source = AutoSource(first, or: second)
    first.outcome = .waiting(.busy, reason: "busy")
    #expect(source.start(at: 0) == .waiting(.busy, reason: "busy"))
    first.events = [.waiting(.lost, reason: "unplugged")]
    #expect(source.next(at: 1) == .waiting(.lost, reason: "unplugged"))
    #expect(source.driver == "first")
    #expect(second.calls.isEmpty)
  }

  /// A program that connects but sends nothing must not stop the gyroscope. One that stalls is a silent device.
  @Test func withoutSamplesThePreferredSourceDoesNotCount() {
    let source = AutoSource(first, or: second, needsSamples: true)
    let silent = SourceEvent.waiting(.lost, reason: "silent")
    second.outcome = streaming
    #expect(source.start(at: 0) == nil)
    first.events = [silent]
    #expect(source.next(at: 2) == streaming)
    #expect(source.driver == "second")
    first.events = [silent]
    #expect(source.next(at: 3) == nil)
    #expect(second.calls == ["start"])
    first.events = [streaming, silent]
    #expect(source.next(at: 4) == streaming)
    #expect(source.next(at: 5) == silent)
    #expect(source.driver == "first")
  }

  @Test func bothCallTheHandler() {
    let source = AutoSource(first, or: AutoSource(Probe("none"), or: second))
    var times: [MotionInstant] = []
    source.onReady { times.append($0) }
    first.isReady(1)
    second.isReady(2)
    #expect(times == [1, 2])
  }

  @Test func aStoppedSourceIsThatWhichWouldStart() {
    let source = AutoSource(first, or: second)
    #expect(source.driver == "first")
    first.isMissing = true
    #expect(source.driver == "second")
  }
}
