import ParallaxConfig
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import ParallaxWire
import Testing

/// A subscriber of a trace gets every frame once, seq without a hole, and x, y as the pipeline
/// gives them for the whole file, rounded.
struct LiveIsReplayTests {
  /// A frame as replay gives it.
  struct Row: Equatable {
    var nanoseconds: Int64
    var x: Hundredths
    var y: Hundredths
  }

  static func replay(_ settings: [String]) throws -> [Row] {
    let configuration = try Rig.configuration(settings)
    var motion = configuration.motion
    var reader = try TraceReader(path: configuration.source.trace ?? "")
    motion.mountMatrix = motion.mountMatrix ?? reader.header.mountMatrix
    if motion.mountMatrix?.usesZ == true { try reader.requireZ() }
    var pipeline = MotionPipeline(
      settings: motion, orientation: configuration.orientation.source ?? .normal,
      nominalRateHertz: reader.findNominalRate(frameRate: motion.frameRate), bias: .off)
    var rows: [Row] = []
    var origin: Int64?
    while let sample = try reader.next() {
      if case .kept(let time, _) = pipeline.push(sample), origin == nil { origin = time }
      while let frame = pipeline.nextFrame() {
        rows.append(
          Row(
            nanoseconds: frame.timeNanoseconds - (origin ?? 0), x: Hundredths(px: frame.offset.x),
            y: Hundredths(px: frame.offset.y)))
      }
    }
    return rows
  }

  /// Every frame once, and each as replay's row, rounded.
  static func expect(_ frames: [Line], toBe expected: [Row]) {
    let first = frames.first?.seq ?? 0
    let isWhole = frames.map(\.seq) == Array(first..<(first + expected.count))
    #expect(isWhole, "\(frames.count) frames for \(expected.count)")
    let wrong = zip(frames, expected).filter {
      Hundredths(px: $0.x) != $1.x || Hundredths(px: $0.y) != $1.y
    }
    #expect(wrong.isEmpty, "\(wrong.count) frames differ")
    // A double of seconds has some 100 ns to spare at 1000 s.
    let times = frames.map { Int64((($0.number("time") ?? 0) * 1e9).rounded()) }
    let late = zip(times, expected).filter {
      ($0 - times[0] - ($1.nanoseconds - expected[0].nanoseconds)).magnitude >= 1_000
    }
    #expect(late.isEmpty, "\(late.count) frames at another time")
    #expect(expected.count > 50)
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
    .needsShared,
    arguments: [
      ("small/gap.csv", ["motion.smoothing=ema:0.1"]),
      ("small/gap.csv", ["sampling.rate=60", "sampling.resample=linear", "motion.mode=tilt"]),
      ("small/back.csv", ["sampling.resample=hold", "motion.smoothing=spring:0.4,0.8"]),
      ("small/slow-20.csv", ["sampling.rate=native", "orientation.source=right-up"]),
      ("small/near-33.csv", ["motion.mount-matrix=0,0,1;0,1,0;-1,0,0"]),
    ])
  func golden(_ trace: String, _ options: [String]) throws {
    try Self.compare(
      ["source.kind=trace", "source.trace=\(sharedPath("traces/" + trace))"] + options)
  }

  @Test func aTraceOfOurOwn() throws {
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

  @Test func aLoopGoesOn() throws {
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

  @Test func aTraceBeginsAnewWheneverItIsSwitchedOn() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<60).map { "\(Double($0) / 30),0.1,0.2,0" }.joined(separator: "\n")
    let trace = try folder.write("t,x,y,z\n\(rows)\n", to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)"])
    let first = rig.subscribe()
    rig.runUntilIdle()
    #expect(first.frames().count == 60)
    // Who comes while it has ended is told so.
    let late = rig.subscribe()
    #expect(late.lines()[1]["state"] == "ended")
    first.hangUp()
    late.hangUp()
    let second = rig.subscribe()
    rig.runUntilIdle()
    let frames = second.frames()
    #expect(frames.map(\.seq) == Array(60..<120))
  }

  @Test func anUnreadableTraceIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let rig = try Rig(["source.kind=trace", "source.trace=\(folder("t.csv"))"])
    let first = rig.subscribe()
    let device = first.lines()[1]
    #expect(device["state"] == "none")
    #expect(device["reason"]?.contains("t.csv") == true)
    #expect(rig.log.count == 1 && rig.log[0].contains("t.csv"))
    #expect(rig.core.deadlineNanoseconds == nil)
    first.hangUp()
    try folder.write("t,x,y,z\n0,1,1,1\n0.1,1,1,1\n", to: "t.csv")
    let second = rig.subscribe()
    rig.runUntilIdle()
    #expect(second.frames().count > 1)
  }

  /// A header may state any rate: it must not become a timer's.
  @Test(arguments: ["1e-300", "1e300", "0.000001", "5000"])
  func aRateThatNobodyHas(_ rate: String) throws {
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

  /// What breaks in the middle ends the motion at (0, 0) and says where.
  @Test func aBadRowInTheMiddle() throws {
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
  /// A row of replay's table, `t,x,y`: seconds with 9 decimals, px with 6.
  init(csv row: Substring) {
    let cells = row.split(separator: ",").map { cell in
      Int64(cell.filter { $0 != "." }) ?? .min
    }
    self.init(
      nanoseconds: cells[0], x: Hundredths(millionths: cells[1]),
      y: Hundredths(millionths: cells[2]))
  }
}
