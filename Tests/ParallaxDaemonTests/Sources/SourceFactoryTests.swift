// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import ParallaxLoop
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

struct SourceFactoryTests {
  /// Every setting that the choice of a gyroscope and its rate depend on.
  @Test func theGyroscopeIsRequestedAsConfigured() throws {
    let request = GyroRequest(
      try Rig.configuration([
        "source.kind=iio", "source.device=bmi160", "source.uri=ip:10.0.0.2", "sampling.rate=60",
        "sampling.oversample=3", "motion.mode=tilt",
      ]))
    #expect(
      request
        == GyroRequest(
          interface: .iio, name: "bmi160", uri: "ip:10.0.0.2", frameRate: .hertz(60),
          oversample: 3, readsAccelerometer: true))
    #expect(request.requestedRateHertz(isStreaming: true) == 180)
    let standard = GyroRequest(try Rig.configuration(["source.kind=iio"]))
    #expect(
      standard
        == GyroRequest(
          interface: .iio, frameRate: .hertz(30), readsAccelerometer: true))
    // Four samples per frame in either mode, where reading one more costs little.
    for mode in ["rate", "tilt"] {
      let own = GyroRequest(try Rig.configuration(["source.kind=iio", "motion.mode=\(mode)"]))
      #expect(own.requestedRateHertz(isStreaming: true) == 120)
      #expect(own.requestedRateHertz(isStreaming: false) == 30)
    }
    let any = GyroRequest(try Rig.configuration(["source.kind=auto"]))
    #expect(any.interface == nil)
  }

  @Test(arguments: [
    (["source.kind=synthetic:7"], "synthetic seed 7"),
    (["source.kind=trace", "source.trace=/nowhere/walk.csv"], "trace walk.csv"),
    (["source.kind=iio", "source.device=bmi160"], "iio bmi160"),
    (["source.kind=evdev", "source.device=event7"], "evdev event7"),
    (["source.kind=feed", "source.device=bmi160"], "feed -"),
    (["source.kind=auto"], "iio -"),
  ])
  func eachKindHasItsSource(_ settings: [String], _ expected: String) throws {
    let factory = SourceFactory(loop: try EventLoop(), log: Log(program: "test"))
    let source = factory.source(for: try Rig.configuration(settings))
    #expect("\(source.driver) \(source.name ?? "-")" == expected)
  }

  /// A configuration that is read again must not end a feed.
  @Test func thereIsOneFeed() throws {
    let factory = SourceFactory(loop: try EventLoop(), log: Log(program: "test"))
    let configuration = try Rig.configuration(["source.kind=feed"])
    let source = factory.source(for: configuration)
    factory.feed.begin(FeedRequest(name: "Pixel 8"))
    #expect(source.name == "Pixel 8")
    #expect(factory.source(for: configuration) === source)
    let auto = factory.source(for: try Rig.configuration(["source.kind=auto"]))
    #expect(auto.driver == "feed" && auto.name == "Pixel 8")
    factory.feed.end()
    #expect(auto.driver == "iio" && source.name == nil)
  }

  @Test func thereIsOneGyroscope() throws {
    let factory = SourceFactory(loop: try EventLoop(), log: Log(program: "test"))
    let first = factory.source(for: try Rig.configuration(["source.kind=iio"]))
    let second = factory.source(
      for: try Rig.configuration(["source.kind=iio", "source.device=bmi160"]))
    #expect(first === second && second.name == "bmi160")
    #expect(!factory.isBusy)
  }
}
