// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

@Suite struct GyroscopeTests {
  @Test func isOpenFromFirstToLastSubscriber() throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    #expect(test.news(client) == ["idle", "open"])
    #expect(test.gyro.jobs == ["acquire"])
    #expect(test.gyro.isFollowed)
    test.gyro.open()
    // Nothing is reported before the first sample.
    #expect(test.news(client).isEmpty)
    test.stream(seconds: 1)
    #expect(test.news(client) == ["streaming"])
    client.hangUp()
    test.stream(seconds: 4.9)
    #expect(test.gyro.jobs.isEmpty)
    test.rig.run(seconds: 0.2)
    #expect(test.gyro.jobs == ["release"])
    test.gyro.release()
    #expect(!test.source.isBusy)
    #expect(!test.gyro.isFollowed)
    #expect(test.rig.core.deadline == nil)
    #expect(test.gyro.workers == 1)
  }

  @Test func motionFadesInAndCountsEveryScan() throws {
    let test = try GyroRig(["motion.scale=5", "sampling.resample=mean"])
    let client = test.rig.subscribe()
    test.gyro.open()
    test.stream(seconds: 1, x: 0.4, y: 0.2)
    let frames = client.frames()
    #expect((28...31).contains(frames.count))
    #expect(frames.first?.isZero == true)
    #expect(frames.last?.x == 1 && frames.last?.y == 2)
  }

  @Test func lossFadesToZeroAndRecovers() throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    test.gyro.open()
    test.stream(seconds: 1)
    _ = client.lines()
    test.gyro.remove()
    test.rig.run(seconds: 5)
    let lines = client.lines()
    #expect(lines.first?["state"] == "lost")
    let frames = lines.filter { $0.name == "OFFSET" }
    let sizes = frames.map(\.x.magnitude)
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 })
    #expect((8...12).contains(frames.count) && frames.last?.isZero == true)
    #expect(frames.count { $0.isZero } == 1)
    #expect(test.gyro.jobs == ["release"])
    test.gyro.release()
    #expect(test.gyro.jobs.isEmpty)
    test.gyro.add("iio:device1")
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.open(GyroFacts(id: "iio:device1", name: "gyro_3d", rateHertz: 100))
    test.stream(seconds: 1)
    let back = client.lines()
    #expect(back.first?["state"] == "streaming")
    #expect(back.filter { $0.name == "OFFSET" }.first?.isZero == true)
    #expect(back.last?.x == -4)
    let times = (frames + back.filter { $0.name == "OFFSET" }).compactMap { $0.number("time") }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(test.gyro.workers == 1)
  }

  @Test func silenceIsALossAfterOneSecond() throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    test.gyro.open()
    test.stream(seconds: 1)
    _ = client.lines()
    test.rig.run(seconds: 0.9)
    #expect(test.news(client).isEmpty)
    test.rig.run(seconds: 0.6)
    #expect(test.news(client) == ["lost: gave no sample for 1 s", "closed"])
    // It is opened again, and its samples are shown.
    test.gyro.release()
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.open()
    test.stream(seconds: 0.1)
    #expect(test.news(client) == ["streaming", "open"])
  }

  @Test(arguments: [
    (DeviceError.busy("taken"), "busy: taken"), (.denied("closed"), "denied: closed"),
    (.none("nothing"), "none: nothing"),
  ])
  func errorIsReportedAndRetried(error: DeviceError, reported: String) throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    _ = client.lines()
    test.gyro.fail(error)
    #expect(test.news(client) == [reported, "closed"])
    test.rig.run(seconds: 29)
    #expect(test.gyro.jobs.isEmpty)
    test.rig.run(seconds: 2)
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.fail(error)
    #expect(test.news(client).isEmpty)
    test.gyro.add()
    test.rig.run(seconds: 1)
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.open()
    test.stream(seconds: 0.1)
    #expect(test.news(client) == ["streaming", "open"])
  }

  @Test func polledDeviceReportsTheReason() throws {
    let test = try GyroRig()
    let (client, control) = (test.rig.subscribe(), test.rig.control())
    test.gyro.open(
      GyroFacts(
        id: "iio:device0", name: "gyro_3d", rateHertz: 30,
        clock: .reading("it is polled"), pollingReason: "polled: no trigger"), isStreaming: false)
    test.stream(seconds: 0.5)
    #expect(test.news(client).last == "streaming: polled: no trigger")
    #expect(!client.frames().isEmpty || test.rig.core.hub.engine.frames > 0)
    let status = control.ask(#"{"class":"STATUS"}"#).first?.text ?? ""
    #expect(status.contains(#""latency":{"reason":"it is polled"}"#))
    // Repeated values are logged once, and shown.
    test.stream(seconds: 2)
    #expect(test.gyro.log.count { $0.contains("the same values 60 times") } == 1)
  }

  @Test func delayedSamplesCountAndAreNotShown() throws {
    let test = try GyroRig(["sampling.rate=native"])
    let (client, control) = (test.rig.subscribe(), test.rig.control())
    test.gyro.open()
    test.stream(seconds: 1)
    _ = client.lines()
    let before = test.rig.core.hub.engine.counts.kept
    // After a stop of 0.9 s, all scans come from the kernel's buffer at once.
    test.rig.clock.advance(seconds: 0.9)
    for age in stride(from: 890 as Int64, through: 0, by: -10) {
      test.gyro.scan(0.5, -0.8, ago: .milliseconds(age))
    }
    test.gyro.callHandlers()
    test.rig.run(seconds: 0.01)
    #expect(test.rig.core.hub.engine.counts.kept == before + 90)
    let frames = client.frames()
    #expect(frames.count <= 26)
    let oldest = (frames.first?.number("time") ?? 0) - test.rig.now.seconds
    #expect(oldest > -0.27)
    let status = control.ask(#"{"class":"STATUS"}"#).first?.text ?? ""
    #expect(status.contains(#""stale":6"#))
  }

  @Test func heldUpLoopIsNotSilence() throws {
    let test = try GyroRig()
    let client = test.rig.subscribe()
    test.gyro.open()
    test.stream(seconds: 1)
    _ = client.lines()
    test.rig.clock.advance(seconds: 3)
    test.gyro.scan(0.5, -0.8)
    // The timer is due as well as the descriptor, and comes first.
    test.rig.core.advance(at: test.rig.now)
    #expect(test.news(client).isEmpty)
  }

  @Test func scanThatArrivesDuringAReadIsNotFromTheFuture() throws {
    let test = try GyroRig()
    let control = test.rig.control()
    _ = test.rig.subscribe()
    test.gyro.open()
    test.gyro.readingDuration = .milliseconds(3)
    test.stream(seconds: 2)
    let status = control.ask(#"{"class":"STATUS"}"#).first?.text ?? ""
    #expect(status.contains(#""latency":{"p50":"#))
  }

  @Test func biasIsKeptAcrossReplugAndRestart() throws {
    let test = try GyroRig(["motion.bias=auto"])
    _ = test.rig.subscribe()
    let path = "/devices/uhid/0018:1209:6779.000"
    test.gyro.open(
      GyroFacts(id: "iio:device0", name: "gyro_3d", place: StableDevicePath.of(path + "1")))
    test.stream(seconds: 7, x: 0.05, y: -0.05)
    test.gyro.remove()
    test.gyro.release()
    test.gyro.add()
    test.gyro.open(
      GyroFacts(id: "iio:device1", name: "gyro_3d", place: StableDevicePath.of(path + "2")))
    test.stream(seconds: 0.1)
    guard case .auto(let known?) = test.rig.core.hub.engine.biasState else {
      Issue.record("the bias is forgotten")
      return
    }
    #expect((known.x - 0.05).magnitude < 1e-6 && (known.y + 0.05).magnitude < 1e-6)
    test.rig.core.shutDown(at: test.rig.now)
    #expect(try test.folder.text(of: "bias").contains("gyro_3d"))
  }

  /// The file holds the bias in the sensor's frame, the engine uses it in the device's.
  @Test func biasIsKeptInTheSensorsFrame() throws {
    let test = try GyroRig(["motion.bias=auto"])
    _ = test.rig.subscribe()
    let facts = GyroFacts(
      id: "iio:device0", name: "gyro_3d",
      mountMatrix: try MountMatrix(parsing: "0,1,0;-1,0,0;0,0,1"))
    test.gyro.open(facts)
    test.stream(seconds: 7, x: 0.05, y: 0.01)
    test.gyro.remove()
    test.gyro.release()
    test.gyro.add()
    test.gyro.open(facts)
    test.stream(seconds: 0.1)
    guard case .auto(let known?) = test.rig.core.hub.engine.biasState else {
      Issue.record("the bias is forgotten")
      return
    }
    #expect((known.x - 0.01).magnitude < 1e-6 && (known.y + 0.05).magnitude < 1e-6)
    test.rig.core.shutDown(at: test.rig.now)
    let row = try test.folder.text(of: "bias").split(separator: "\n").last ?? ""
    let stored = row.split(separator: "\t").first?.split(separator: " ").compactMap { Double($0) }
    #expect(stored?.count == 3)
    #expect(zip(stored ?? [], [0.05, 0.01, 0]).allSatisfy { ($0 - $1).magnitude < 1e-6 })
  }

  @Test func autoIsSyntheticUntilTheFirstGyroscope() throws {
    let test = try GyroRig(["source.kind=auto"])
    let client = test.rig.subscribe()
    test.gyro.fail(.none("no gyroscope"))
    test.rig.run(seconds: 0.5)
    let lines = client.lines()
    #expect(lines.last { $0.name == "DEVICE" }?["driver"] == "synthetic")
    #expect(lines.count { $0.name == "OFFSET" } > 10)
    test.gyro.add()
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.open()
    test.stream(seconds: 1)
    let device = client.lines().last { $0.name == "DEVICE" }
    #expect(device?["driver"] == "iio" && device?["state"] == "streaming")
    test.gyro.remove()
    test.rig.run(seconds: 1)
    #expect(client.lines().last { $0.name == "DEVICE" }?["state"] == "lost")
  }

  @Test func reloadOpensItWithTheNewRequest() throws {
    let test = try GyroRig()
    _ = test.rig.subscribe()
    var changed = try Rig.configuration(
      ["source.kind=iio", "motion.smoothing=none", "motion.bias=off", "sampling.rate=60"])
    changed.source.device = nil
    // Before the worker's answer: what it opens is out of date.
    test.rig.core.hub.reconfigure(changed, at: test.rig.now)
    test.gyro.open()
    #expect(test.gyro.jobs == ["release"])
    test.gyro.release()
    #expect(test.gyro.jobs == ["acquire"])
    #expect(test.gyro.requests.map(\.frameRate) == [.hertz(30), .hertz(60)])
  }

  /// The device opens after the last subscriber has left and the configuration has changed.
  @Test func nothingIsOpenedForNoOne() throws {
    let test = try GyroRig()
    test.rig.subscribe().hangUp()
    test.rig.run(seconds: 6)
    #expect(test.gyro.jobs == ["acquire"])
    test.rig.core.hub.reconfigure(
      try Rig.configuration(["source.kind=iio", "sampling.rate=60"]), at: test.rig.now)
    test.gyro.open()
    #expect(test.gyro.jobs == ["release"])
    test.gyro.release()
    #expect(test.gyro.jobs.isEmpty)
    #expect(!test.source.isBusy)
    #expect(test.source.due == nil)
  }

  /// A source that no one takes events from keeps a bounded number of them.
  @Test func theQueueOfEventsIsBounded() throws {
    var queue = EventQueue()
    queue.append(.streaming(SourceStart(rateHertz: 100, isLive: true)))
    queue.append(.orientation(.leftUp))
    let count = 100_000
    for index in 0..<count {
      queue.append(.sample(ScriptSource.sample(at: .zero + .milliseconds(Int64(index)))))
    }
    var events: [SourceEvent] = []
    while let event = queue.next() { events.append(event) }
    #expect(events.count <= EventQueue.maxEvents)
    // What holds is kept, with the newest samples.
    guard case .streaming = events[0], case .orientation(.leftUp) = events[1],
      case .segment(continuing: false) = events[2], case .sample(let newest)? = events.last
    else {
      Issue.record("\(events.prefix(3))")
      return
    }
    #expect(newest.time == .zero + .milliseconds(Int64(count - 1)))
    #expect(queue.lateness == .zero)
  }

  @Test func blockedWorkerBlocksNoClient() throws {
    let test = try GyroRig()
    let (client, control) = (test.rig.subscribe(), test.rig.control())
    _ = client.lines()
    test.rig.run(seconds: 30)
    #expect(test.news(client).first?.hasPrefix("lost: ") == true)
    #expect(control.ask(#"{"class":"STATUS"}"#).first?.name == "STATUS")
    // The last client leaves, another one comes. There is no second thread.
    client.hangUp()
    test.rig.run(seconds: 6)
    let next = test.rig.subscribe()
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.open()
    test.stream(seconds: 0.1)
    #expect(test.news(next) == ["idle", "open", "streaming"])
    #expect(test.gyro.workers == 1)
  }
}
