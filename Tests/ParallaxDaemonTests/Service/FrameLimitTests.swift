// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// The cap: one user sees at most 60 different frames per second, whatever its connections ask for.
struct FrameLimitTests {
  private static let seconds = 1.5
  /// One frame at each end of the test and those of the quota's tolerance come on top.
  private static func most(_ motion: Motion) -> Int {
    Int(60 * seconds) + (motion.statedHertz > 60 ? 5 : 14)
  }

  /// A source, by the rate that it has and the rate that it states, and the sampling of its frames.
  struct Motion: Sendable, CustomTestStringConvertible {
    var hertz: Double
    var statedHertz: Double
    var settings: [String]

    var testDescription: String { "\(hertz) Hz, stated as \(statedHertz), \(settings)" }

    static let all = [
      Motion(hertz: 200, statedHertz: 200, settings: ["sampling.rate=200"]),
      Motion(hertz: 400, statedHertz: 400, settings: ["sampling.rate=native"]),
      Motion(hertz: 400, statedHertz: 30, settings: ["sampling.rate=native"]),
    ]

    func rig(_ more: [String] = []) throws -> Rig {
      try Rig(["motion.smoothing=none", "socket.max-per-uid=250"] + settings + more) { _ in
        SteadySource(hertz: hertz, statedHertz: statedHertz)
      }
    }
  }

  /// Returns the number of different frames in these lines.
  private static func count(_ lines: [Line]) -> Int {
    Set(lines.filter { $0.name == "OFFSET" }.map(\.seq)).count
  }

  /// Runs in steps of a sample at 400 Hz, which are within the budget of requests.
  private static func run(_ rig: Rig, step: Double = 0.0025, _ body: () throws -> Void) rethrows {
    for _ in 0..<Int(seconds / step) {
      rig.run(seconds: step)
      try body()
    }
  }

  @Test(arguments: Motion.all)
  func pollsRepeatFrames(_ motion: Motion) throws {
    let rig = try motion.rig()
    let client = rig.subscribe(1000)
    Self.run(rig) { client.send(#"{"class":"POLL"}"#) }
    let lines = client.lines()
    #expect(lines.count { $0.name == "OFFSET" } > 500)
    #expect((88...Self.most(motion)).contains(Self.count(lines)), "\(Self.count(lines))")
  }

  /// A subscriber that is sent nothing, or little, still sees the present motion with POLL.
  @Test(arguments: [#""enable":false"#, #""rate":1"#, #""rate":31"#])
  func pollsAreFresh(_ fields: String) throws {
    let rig = try Motion.all[0].rig()
    let (client, other) = (rig.subscribe(1000), rig.subscribe(0))
    client.send("{\"class\":\"WATCH\",\(fields)}")
    Self.run(rig) { client.send(#"{"class":"POLL"}"#) }
    let count = Self.count(client.lines())
    #expect((70...Self.most(Motion.all[0])).contains(count), "\(count)")
    rig.run(seconds: 0.02)
    let polled = try #require(client.ask(#"{"class":"POLL"}"#).last)
    #expect(polled.number("time") ?? 0 > rig.now.seconds - 0.03)
    _ = other
  }

  @Test(arguments: Motion.all)
  func connectionsWithDifferentRatesShareTheCap(_ motion: Motion) throws {
    let rig = try motion.rig()
    let clients = (0..<32).map { index in
      let client = rig.subscribe(1000)
      client.send("{\"class\":\"WATCH\",\"rate\":\(60 - 0.37 * Double(index))}")
      return client
    }
    rig.run(seconds: Self.seconds)
    let lines = clients.map { $0.lines() }
    let count = Self.count(lines.flatMap(\.self))
    #expect(count <= Self.most(motion), "\(count)")
    #expect(Self.count(lines[31]) > 60)
  }

  @Test(arguments: Motion.all)
  func changedRatesShareTheCap(_ motion: Motion) throws {
    let rig = try motion.rig()
    let client = rig.subscribe(1000)
    var turn = 0
    Self.run(rig) {
      turn += 1
      client.send("{\"class\":\"WATCH\",\"rate\":\(turn % 2 == 0 ? 60 : 20 + turn % 39)}")
    }
    #expect(Self.count(client.lines()) <= Self.most(motion))
  }

  /// A client that connects again for every frame gets no more than one that stays.
  @Test(arguments: Motion.all)
  func connectingAgainDoesNotHelp(_ motion: Motion) throws {
    let rig = try motion.rig()
    var lines: [Line] = []
    var client = rig.subscribe(0)
    Self.run(rig) {
      lines += client.lines()
      client.hangUp()
      client = rig.subscribe(0)
    }
    #expect(Self.count(lines) <= Self.most(motion), "\(Self.count(lines))")
  }

  /// Frames without motion count, too: of an animation that plays, and of one that a gesture moves.
  @Test(arguments: [false, true])
  func animationsAloneShareTheCap(isScrubbed: Bool) throws {
    let rig = try Rig.animated(["sampling.rate=200"])
    let clients = (0..<4).map { index in
      let client = rig.subscribe(1000)
      client.send("{\"class\":\"WATCH\",\"rate\":\(60 - Double(index))}")
      return client
    }
    let control = rig.control()
    _ = control.play(isScrubbed ? "calm" : "forever", isScrubbed ? #""paused":true"# : "")
    var turn = 0
    Self.run(rig, step: 0.005) {
      turn += 1
      guard isScrubbed else { return }
      control.send(
        #"{"class":"ANIMATE","id":"calm","action":"seek","fraction":\#(Double(turn % 200) / 200)}"#)
    }
    rig.run(seconds: 0.1)
    let lines = clients.map { $0.lines() }
    let count = Self.count(lines.flatMap(\.self))
    #expect((60...Int(60 * Self.seconds) + 14).contains(count), "\(count)")
    // A change that comes to rest is seen by all of them.
    let last = lines.compactMap { $0.last { $0.name == "OFFSET" } }
    if isScrubbed { #expect(Set(last.map(\.seq)).count == 1) }
  }

  /// Other users are not affected.
  @Test func usersHaveTheirOwnCap() throws {
    let rig = try Motion.all[0].rig()
    let (first, second) = (rig.subscribe(1000), rig.subscribe(1001))
    second.send(#"{"class":"WATCH","rate":50}"#)
    Self.run(rig) { first.send(#"{"class":"POLL"}"#) }
    let times = second.frames().compactMap { $0.number("time") }
    #expect((74...77).contains(times.count))
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.02) < 1e-6 })
  }

  /// Motion with the present gain: POLL shows a gate that closes.
  @Test func aRepeatedFrameHasThePresentGain() throws {
    let rig = try Motion.all[0].rig()
    let client = rig.subscribe(1000)
    rig.run(seconds: 0.5)
    #expect(client.ask(#"{"class":"POLL"}"#).last?.isZero == false)
    rig.control().send(#"{"class":"INHIBIT","reason":"password"}"#)
    let offset = client.ask(#"{"class":"POLL"}"#).first { $0.name == "OFFSET" }
    #expect(offset?.isZero == true)
  }
}

/// A trace in memory: another sample of motion every period.
private final class SteadySource: MotionSource {
  let driver = "trace"
  let name: String? = "steady"
  private let hertz: Double
  private let statedHertz: Double
  private var run: (start: MotionInstant, index: Int)?

  init(hertz: Double, statedHertz: Double) {
    self.hertz = hertz
    self.statedHertz = statedHertz
  }

  var due: MotionInstant? {
    run.map { $0.start + MotionDuration(seconds: Double($0.index) / hertz) }
  }

  func start(at now: MotionInstant) -> SourceEvent? {
    run = (now, 0)
    return .streaming(SourceStart(rateHertz: statedHertz))
  }

  func next(at now: MotionInstant) -> SourceEvent? {
    guard let due, due <= now else { return nil }
    run?.index += 1
    return .sample(
      GyroSample(time: due, rateRadPerSec: AngularRate(x: 0.3, y: 0.2 + due.seconds * 0.01, z: 0)))
  }

  func stop() { run = nil }
}
