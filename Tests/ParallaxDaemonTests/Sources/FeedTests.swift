// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// A feed as the worker and the device of a `GyroSource`; `feed.script` has its conversations.
struct FeedTests {
  private let feed = Feed()
  private let clock = SettableClock(Rig.startTime)

  private func source(_ biases: BiasStore) -> GyroSource {
    let source = GyroSource(feed.environment(clock: clock.reading) { _, _ in }, biases: biases)
    source.configure(GyroRequest(interface: .feed), settings: MotionSettings())
    return source
  }

  private func reports() -> [DeviceReport] {
    var scans: [GyroScan] = []
    return feed.collect(scans: &scans)
  }

  private func sample(_ x: Double, time: MotionInstant? = nil) -> SampleRequest {
    SampleRequest(time: time, rateRadPerSec: AngularRate(x: x, y: 0, z: 0))
  }

  @Test func withoutAClientThereIsNoDevice() {
    feed.acquire(GyroRequest())
    let reports = reports()
    guard reports.count == 1, case .failed(.none(let reason)) = reports[0] else {
      Issue.record("\(reports)")
      return
    }
    #expect(reason == "no program sends samples; run 'parallax feed' or 'parallax phone'")
    #expect(self.reports().isEmpty)
  }

  @Test(arguments: [
    (FeedRequest.Clock.monotonic, SampleClock.monotonic),
    (.sender, .foreign("the sender's timestamps are from a clock of its own")),
  ])
  func theDeviceIsThatOfTheRequest(_ clock: FeedRequest.Clock, _ expected: SampleClock) throws {
    let matrix = try MountMatrix(parsing: "0,1,0;-1,0,0;0,0,1")
    feed.begin(FeedRequest(name: "Pixel 8", clock: clock, rateHertz: 60, mountMatrix: matrix))
    feed.acquire(GyroRequest())
    feed.release()
    let reports = reports()
    guard reports.count == 2, case .acquired(let facts, nil) = reports[0],
      case .released = reports[1]
    else {
      Issue.record("\(reports)")
      return
    }
    #expect(
      facts
        == GyroFacts(
          id: "feed", interface: .feed, name: "Pixel 8", place: "feed", rateHertz: 60,
          mountMatrix: matrix, clock: expected))
  }

  @Test func onlySamplesOfAnOpenFeedAreKept() {
    var scans: [GyroScan] = []
    feed.begin(FeedRequest(name: "a"))
    feed.add(sample(1), at: clock.now)
    feed.acquire(GyroRequest())
    feed.add(sample(2, time: 5), at: clock.now)
    feed.add(sample(3), at: clock.now)
    _ = feed.collect(scans: &scans)
    #expect(scans.map(\.rateRadPerSec.x) == [2, 3])
    #expect(scans.map(\.stamp) == [5, nil])
    #expect(scans.map(\.arrival) == [clock.now, clock.now])
    feed.add(sample(4), at: clock.now)
    feed.release()
    feed.add(sample(5), at: clock.now)
    _ = feed.collect(scans: &scans)
    #expect(scans.isEmpty)
  }

  /// The names tell phones apart; no gyroscope of the machine has the place of a feed.
  @Test func aBiasIsThatOfTheName() throws {
    let folder = try TemporaryFolder()
    let biases = BiasStore(
      process: ProcessEnvironment(
        userID: 1000, variables: ["STATE_DIRECTORY": folder.path])
    ) { _ in }
    let source = source(biases)
    let bias = AngularRate(x: 0.01, y: 0.02, z: -0.01)
    var stored: [BiasState] = []
    _ = source.start(at: clock.now)
    for name in ["a", "b", "a"] {
      feed.begin(FeedRequest(name: name))
      feed.add(sample(1), at: clock.now)
      feed.deliver()
      while let event = source.next(at: clock.now) {
        if case .streaming(let start) = event { stored.append(start.bias) }
      }
      if name == "a" { source.remember(sensorBias: bias, at: clock.now) }
      feed.end()
      while source.next(at: clock.now) != nil {}
      clock.advance(by: .seconds(1))
    }
    #expect(stored == [.auto(nil), .auto(nil), .auto(bias)])
    #expect(biases.bias(ofDevice: "a", parentPath: nil) == nil)
  }

  /// The first sample leads to `streaming`, and no timer of the next search delays it.
  @Test func aFeedIsFoundAtOnceWhenItBegins() {
    let source = source(
      BiasStore(process: ProcessEnvironment(userID: 1000, variables: [:])) { _ in })
    var calls = 0
    source.onReady { _ in calls += 1 }
    #expect(source.start(at: clock.now).map { "\($0)" }?.contains("no program") == true)
    feed.begin(FeedRequest(name: "a"))
    feed.add(sample(1), at: clock.now)
    #expect(calls == 1)
    feed.deliver()
    #expect(calls == 2)
    #expect(source.next(at: clock.now).map { "\($0)" }?.hasPrefix("streaming") == true)
    #expect(source.name == "a")
  }
}
