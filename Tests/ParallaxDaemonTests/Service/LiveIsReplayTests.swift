// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import ParallaxTrace
import Testing

/// A subscriber to a trace receives every frame once, with consecutive numbers, and the rounded x and y
/// of a replay.
struct LiveIsReplayTests {
  /// A frame of a replay.
  struct Row: Equatable {
    /// Since the first sample.
    var time: MotionDuration
    var x: Hundredths
    var y: Hundredths
  }

  /// - Parameter tolerancePx: Of the subscriber; nil: it gets every frame on the grid.
  static func replay(_ settings: [String], tolerancePx: Double? = nil) throws -> [Row] {
    let configuration = try Rig.configuration(settings)
    var trace = try OpenedTrace(
      path: configuration.source.trace ?? "", settings: configuration.motion)
    var pipeline = trace.makePipeline(orientation: configuration.orientation.source)
    pipeline.isFine = tolerancePx != nil
    var rows: [Row] = []
    var origin: MotionInstant?
    var sent: DisplayLine?
    let ranges = (configuration.motion.rangeX, configuration.motion.rangeY)
    while let sample = try trace.reader.next() {
      if case .kept(let time, _) = pipeline.push(sample), origin == nil { origin = time }
      while let frame = pipeline.nextFrame() {
        if let tolerancePx {
          let next = DisplayLine(
            OffsetFrame(
              seq: 0, time: frame.time, motion: frame.offset, velocity: frame.motion.velocity))
          if let sent, !sent.needs(next, tolerancePx: tolerancePx, within: ranges) { continue }
          sent = next
        }
        rows.append(
          Row(
            time: frame.time - (origin ?? .zero),
            x: Hundredths(px: frame.offset.x), y: Hundredths(px: frame.offset.y)))
      }
    }
    return rows
  }

  /// Requires every frame once, each equal to the rounded row of the replay.
  ///
  /// - Parameter isShared: Whether others get frames in between.
  static func expect(_ frames: [Line], toBe expected: [Row], isShared: Bool = false) {
    let first = frames.first?.seq ?? 0
    let isWhole =
      isShared
      ? frames.count == expected.count
      : frames.map(\.seq) == Array(first..<(first + expected.count))
    #expect(isWhole, "\(frames.count) frames for \(expected.count)")
    let wrong = zip(frames, expected).filter {
      Hundredths(px: $0.x) != $1.x || Hundredths(px: $0.y) != $1.y
    }
    #expect(wrong.isEmpty, "\(wrong.count) frames differ")
    // A Double of seconds is precise to some 100 ns at 1000 s.
    let times = frames.map { MotionDuration(seconds: $0.number("time") ?? 0) }
    let late = zip(times, expected).filter {
      ($0 - times[0] - ($1.time - expected[0].time)).magnitude >= .microseconds(1)
    }
    #expect(late.isEmpty, "\(late.count) frames at another time")
    #expect(expected.count > 30)
  }

  private static func compare(_ settings: [String]) throws {
    let rig = try Rig(settings)
    let client = rig.subscribe()
    rig.runUntilIdle()
    let lines = client.lines()
    #expect(lines.last?["state"] == "ended")
    expect(lines.filter { $0.name == "OFFSET" }, toBe: try replay(settings))
  }

  @Test(
    arguments: [
      ("small/gap.csv", ["motion.smoothing=ema:0.1"]),
      ("small/gap.csv", ["sampling.rate=60", "sampling.resample=linear", "motion.mode=tilt"]),
      ("small/back.csv", ["sampling.resample=hold", "motion.smoothing=spring:0.4,0.8"]),
      ("small/slow-20.csv", ["sampling.rate=native", "orientation.source=right-up"]),
      ("small/near-33.csv", ["motion.mount-matrix=0,0,1;0,1,0;-1,0,0"]),
    ])
  func liveEqualsReplay(_ trace: String, _ options: [String]) throws {
    try Self.compare(
      ["source.kind=trace", "source.trace=\(testDataPath("Recordings/" + trace))"] + options)
  }

  /// Subscribers to 30 and to 60 frames per second at once, of one user and of several: each gets the frames of its
  /// own replay.
  @Test(
    arguments: [
      "small/gap.csv", "small/back.csv", "small/near-33.csv", "phyphox-walk/Gyroscope.csv",
    ],
    [
      [], ["motion.mode=tilt"], ["motion.smoothing=ema:0.1"], ["motion.smoothing=one-euro:1,0.2,1"],
      ["motion.smoothing=spring:0.4,0.8", "sampling.resample=linear"], ["sampling.rate=60"],
    ])
  func bothKindsOfSubscriberEqualTheirReplay(_ trace: String, _ options: [String]) throws {
    let settings =
      ["source.kind=trace", "source.trace=\(testDataPath("Recordings/" + trace))"] + options
    let rig = try Rig(settings)
    let plain = [0, 0, 1000].map { rig.subscribe($0) }
    let fine = [(0, 0.1), (0, 0.01), (1001, 0.1)].map { uid, tolerance in
      let client = rig.subscribe(UInt32(uid))
      client.send("{\"class\":\"WATCH\",\"rate\":60,\"on_change\":\(tolerance)}")
      return (client, tolerance)
    }
    rig.runUntilIdle()
    let expected = try Self.replay(settings)
    for client in plain { Self.expect(client.frames(), toBe: expected, isShared: true) }
    for (client, tolerance) in fine {
      let needed = try Self.replay(settings, tolerancePx: tolerance)
      Self.expect(client.frames(), toBe: needed, isShared: true)
    }
  }

  @Test func randomTraceEqualsReplay() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator.forTest()
    var time = 1_700_000_000.0
    let rows = (0..<400).map { _ in
      time += Double.random(in: 0.005...0.04, using: &generator)
      let rate = { Double.random(in: -2...2, using: &generator) }
      return "\(time),\(rate()),\(rate()),\(rate())"
    }
    let trace = try folder.write("t,x,y,z\n\(rows.joined(separator: "\n"))\n", to: "own.csv")
    for options in [[], ["motion.mode=tilt"], ["sampling.rate=40"], ["sampling.rate=10"]] {
      try Self.compare(["source.kind=trace", "source.trace=\(trace)"] + options)
    }
  }

  /// A program that sends samples with times of CLOCK_MONOTONIC gets the frames of their replay.
  @Test(arguments: [
    [], ["motion.mode=tilt"], ["sampling.rate=60", "sampling.resample=linear"],
    ["sampling.rate=native"],
  ])
  func aFeedEqualsReplay(_ options: [String]) throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator.forTest()
    var time = Rig.startTime
    var rows = ["t,x,y,z"]
    let samples = (0..<400).map { _ in
      time += .nanoseconds(.random(in: 5_000_000...40_000_000, using: &generator))
      let rate = { Double.random(in: -2...2, using: &generator) }
      let sample = SampleMessage(time: time, x: rate(), y: rate(), z: rate())
      var row = OutputBuffer()
      row.append(seconds: time)
      let w = sample.rateRadPerSec
      rows.append(row.withBytes { String(decoding: $0, as: UTF8.self) } + ",\(w.x),\(w.y),\(w.z)")
      return sample
    }
    let trace = try folder.write(rows.joined(separator: "\n") + "\n", to: "feed.csv")
    // A live source fades in.
    let settings = ["motion.bias=off", "gates.fade=0"] + options
    let rig = try Rig(["source.kind=feed"] + settings)
    let sender = rig.control()
    sender.send(#"{"class":"FEED","name":"replay","clock":"monotonic"}"#)
    let client = rig.subscribe()
    for (index, sample) in samples.enumerated() {
      rig.run(seconds: (sample.time + .milliseconds(2) - rig.now).seconds)
      sender.send(
        bytes: index % 2 == 0
          ? SampleRequest(time: sample.time, rateRadPerSec: sample.rateRadPerSec).line()
          : SamplesRequest([sample]).line())
    }
    rig.run(seconds: 0.5)
    Self.expect(
      client.frames(),
      toBe: try Self.replay(["source.kind=trace", "source.trace=\(trace)"] + settings))
  }

  @Test func aLoopContinuesWithoutAGap() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<30).map { "\(Double($0) / 30),0,\(Double($0) / 10),0" }
    let trace = try folder.write("t,x,y,z\n\(rows.joined(separator: "\n"))\n", to: "loop.csv")
    let rig = try Rig([
      "source.kind=trace", "source.trace=\(trace)", "source.loop=true", "motion.smoothing=none",
      "motion.range-x=0:100",
    ])
    let client = rig.subscribe()
    rig.run(seconds: 10)
    let frames = client.frames()
    #expect((299...302).contains(frames.count))
    #expect(frames.map(\.seq) == Array(0..<frames.count))
    for (index, frame) in frames.enumerated() {
      #expect(frame.x == Double(index % 30) / 2)
    }
    let times = frames.compactMap { $0.number("time") }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 30) < 1e-6 })
  }

  @Test func aTraceRestartsWhenSwitchedOn() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<60).map { "\(Double($0) / 30),0.1,0.2,0" }.joined(separator: "\n")
    let trace = try folder.write("t,x,y,z\n\(rows)\n", to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)"])
    let first = rig.subscribe()
    rig.runUntilIdle()
    #expect(first.frames().count == 60)
    // A subscriber that connects after the end is informed.
    let late = rig.subscribe()
    #expect(late.lines()[1]["state"] == "ended")
    first.hangUp()
    late.hangUp()
    let second = rig.subscribe()
    rig.runUntilIdle()
    let frames = second.frames()
    #expect(frames.map(\.seq) == Array(60..<120))
  }

  /// Without privilege, a reason shows neither the path nor the text of a file.
  @Test func reasonsShowNoPathsAndNoTextWithoutPrivilege() throws {
    let folder = try TemporaryFolder()
    let trace = try folder.write("t,x,y,z\n0,1,1,1\n0.1,secret,1,1\n0.2,1,1,1\n", to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)", "socket.control-users=nora"])
    let (user, root) = (rig.subscribe(1000), rig.subscribe())
    rig.run(seconds: 1)
    func reason(_ client: Client) -> String? {
      client.lines().last { $0.name == "DEVICE" && $0["state"] == "none" }?["reason"]
    }
    let text = reason(user)
    #expect(text == "the trace cannot be played; the daemon's log has the reason")
    let full = reason(root) ?? ""
    #expect(full.contains(trace) && full.contains("secret"))
    func status(_ uid: UInt32) -> String? {
      rig.control(uid).ask(#"{"class":"STATUS"}"#).first?.object("device")?["reason"]
    }
    #expect(status(1000) == text)
    #expect(status(1004)?.contains("secret") == true)
    #expect(rig.log.contains { $0.contains("secret") })
  }

  /// Every state of every driver has a reason without details.
  @Test(arguments: DeviceMessage.State.allCases, ["iio", "evdev", "feed", "trace", "synthetic"])
  func everyReasonHasAPublicForm(_ state: DeviceMessage.State, _ driver: String) {
    let message = DeviceMessage(
      driver: driver, name: "n", state: state, rateHertz: 30,
      reason: "/dev/iio:device0: 'text' in line 3")
    var open = message.withoutDetails
    #expect(open.reason?.contains("/") != true && open.reason?.contains("3") != true)
    open.reason = message.reason
    #expect(open == message)
  }

  @Test func anUnreadableTraceIsRetried() throws {
    let folder = try TemporaryFolder()
    let rig = try Rig(["source.kind=trace", "source.trace=\(folder("t.csv"))"])
    let first = rig.subscribe()
    let device = first.lines()[1]
    #expect(device["state"] == "none")
    #expect(device["reason"]?.contains("t.csv") == true)
    #expect(rig.log.count == 1 && rig.log[0].contains("t.csv"))
    rig.runUntilIdle()
    #expect(rig.core.deadline == nil)
    #expect(first.lines().isEmpty)
    first.hangUp()
    try folder.write("t,x,y,z\n0,1,1,1\n0.1,1,1,1\n", to: "t.csv")
    let second = rig.subscribe()
    rig.runUntilIdle()
    #expect(second.frames().count > 1)
  }

  /// A header may state any rate; timers must stay within the permitted range.
  @Test(arguments: ["1e-300", "1e300", "0.000001", "5000"])
  func absurdRatesDoNotReachTheTimer(_ rate: String) throws {
    let folder = try TemporaryFolder()
    let rows = (0..<60).map { "\(Double($0) / 30),0.3,0.4,0" }.joined(separator: "\n")
    let trace = try folder.write("# rate: \(rate)\nt,x,y,z\n\(rows)\n", to: "t.csv")
    for sampling in ["30", "native"] {
      let rig = try Rig([
        "source.kind=trace", "source.trace=\(trace)", "sampling.rate=\(sampling)",
      ])
      let (client, control) = (rig.subscribe(), rig.control())
      rig.run(seconds: 1)
      control.send(#"{"class":"SET","key":"paused","value":"on"}"#)
      rig.run(seconds: 60)
      let frames = client.frames()
      #expect(frames.last?.isZero == true)
      #expect(frames.count < 400)
    }
  }

  /// A bad row in the middle ends the motion at (0, 0) and is reported with its location.
  @Test func aBadRowEndsTheMotion() throws {
    let folder = try TemporaryFolder()
    var rows = (0..<60).map { "\(Double($0) / 30),0.3,0.4,0" }
    rows[40] = "oops"
    let trace = try folder.write("t,x,y,z\n\(rows.joined(separator: "\n"))\n", to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)"])
    let client = rig.subscribe()
    rig.runUntilIdle()
    let lines = client.lines()
    let device = lines.last { $0.name == "DEVICE" }
    #expect(device?["state"] == "none" && device?["reason"]?.contains("t.csv:42") == true)
    #expect(lines.last { $0.name == "OFFSET" }?.isZero == true)
    #expect(lines.last { $0.name == "GATE" }?.reasons == ["device:none"])
  }
}

extension LiveIsReplayTests.Row {
  /// Parses a row of a replay's table, `t,x,y`: seconds with 9 decimals, px with 6.
  init(csv row: Substring) {
    let cells = row.split(separator: ",").map { cell in
      Int64(cell.filter { $0 != "." }) ?? .min
    }
    self.init(
      time: .nanoseconds(cells[0]), x: Hundredths(millionths: cells[1]),
      y: Hundredths(millionths: cells[2]))
  }
}
