// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDaemon
import ParallaxGates
import ParallaxMotion
import ParallaxTestSupport
import Testing

struct GateTests {
  private static func set(_ key: String, _ value: String) -> String {
    "{\"class\":\"SET\",\"key\":\"\(key)\",\"value\":\"\(value)\"}"
  }

  @Test func closingFallsToOneZeroThenSilence() throws {
    let source = ScriptSource()
    let rig = try Rig(["motion.smoothing=none"]) { _ in source }
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    _ = client.lines()
    control.send(Self.set("paused", "on"))
    rig.run(seconds: 10)
    let lines = client.lines()
    #expect(lines.first?.text == #"{"class":"GATE","open":false,"gain":0,"reasons":["paused"]}"#)
    let frames = lines.filter { $0.name == "OFFSET" }
    let sizes = frames.map { max($0.x.magnitude, $0.y.magnitude) }
    #expect((9...12).contains(frames.count))
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(frames.last?.isZero == true)
    #expect(frames.count { $0.isZero } == 1)
    // The sensor is off at once, and nothing is scheduled.
    #expect(lines.last?["state"] == "idle")
    #expect(source.stops == 1)
    #expect(rig.core.deadline == nil)

    control.send(Self.set("paused", "off"))
    rig.run(seconds: 1)
    let again = client.lines()
    #expect(again.prefix(2).map(\.name) == ["GATE", "DEVICE"])
    let rising = again.filter { $0.name == "OFFSET" }
    #expect(rising.first?.isZero == true)
    #expect((rising.first?.seq ?? 0) == (frames.last?.seq ?? 0) + 1)
    let heights = rising.map(\.x.magnitude)
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(rising.last?.x == -4)
  }

  @Test func aTraceStartsOpenAndASensorFadesIn() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 0.01)
    #expect(client.frames().first?.isZero == false)

    let source = ScriptSource()
    let live = try Rig(["motion.smoothing=none"]) { _ in source }
    let other = live.subscribe()
    live.run(seconds: 0.2)
    #expect(other.frames().first?.isZero == true)
  }

  @Test(arguments: [
    ("reduce-motion", "on", "still", 0.0, ["reduce-motion:set"]),
    ("reduce-motion", "on", "subtle", 0.25, ["reduce-motion:set"]),
    ("low-power", "on", "subtle", 0.0, ["low-power:set"]),
    ("paused", "on", "subtle", 0.0, ["paused"]),
  ])
  func eachReasonHasItsGain(
    _ key: String, _ value: String, _ reduced: String, _ gain: Double, _ reasons: [String]
  ) throws {
    let rig = try Rig(["source.kind=synthetic", "gates.reduced=\(reduced)"])
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    _ = client.lines()
    control.send(Self.set(key, value))
    let gate = try #require(client.lines().first)
    #expect(gate.number("gain") == gain)
    #expect(gate.reasons == reasons)
    #expect((gate.object["open"] == .bool(gain > 0)))
    // Repeating the request sends nothing.
    control.send(Self.set(key, value))
    #expect(client.lines().isEmpty)
    rig.run(seconds: 2)
    #expect((gain > 0 ? 60...60 : 9...10).contains(client.frames().count))
  }

  /// SET, then the configuration, then the sources.
  @Test(arguments: [
    ("auto", "auto", true, ["reduce-motion:portal"]),
    ("auto", "auto", false, []),
    ("on", "auto", true, ["reduce-motion:config"]),
    ("off", "auto", true, []),
    ("on", "off", true, []),
    ("off", "on", false, ["reduce-motion:set"]),
    ("on", "on", false, ["reduce-motion:set"]),
  ])
  func precedence(_ configured: String, _ set: String, _ portal: Bool, _ reasons: [String]) throws {
    let rig = try Rig(["source.kind=synthetic", "gates.reduce-motion=\(configured)"])
    if portal {
      rig.core.hub.update(at: rig.now) {
        $0.gates.global.formUnion(GateReasons(.reduceMotionPortal))
      }
    }
    rig.control().send(Self.set("reduce-motion", set))
    #expect(rig.core.hub.gates.message(for: 0).reasons == reasons)
  }

  @Test func inhibitStopsEveryoneAtOnceUntilItsConnectionEnds() throws {
    let rig = try Rig()
    let clients = [rig.subscribe(0), rig.subscribe(1000), rig.subscribe(1001)]
    rig.run(seconds: 1)
    for client in clients { _ = client.lines() }
    let inhibitor = rig.control(1000)
    #expect(
      inhibitor.ask(#"{"class":"INHIBIT","reason":"password","tag":"t"}"#).map(\.text) == [
        #"{"class":"ACK","tag":"t"}"#
      ])
    rig.run(seconds: 1)
    for client in clients {
      let lines = client.lines()
      #expect(lines.map(\.name) == ["GATE", "OFFSET", "DEVICE"])
      #expect(lines[0].reasons == ["inhibit"])
      #expect(lines[1].isZero)
    }
    inhibitor.hangUp()
    rig.run(seconds: 1)
    for client in clients {
      let lines = client.lines()
      #expect(lines.first?.reasons == [])
      #expect(lines.last { $0.name == "OFFSET" }?.isZero == false)
    }
  }

  @Test func pollDuringInhibitShowsNoMotion() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 1)
    let inhibitor = rig.control(0)
    inhibitor.send(#"{"class":"INHIBIT","reason":"password"}"#)
    let polled = client.ask(#"{"class":"POLL"}"#)
    #expect(polled.filter { $0.name == "OFFSET" }.map(\.isZero) == [true])
    rig.run(seconds: 1)
    #expect(rig.subscribe(1000).lines().allSatisfy { $0.name != "OFFSET" || $0.isZero })
  }

  @Test func eachUserHasItsOwnGain() throws {
    let rig = try Rig(["source.kind=synthetic", "gates.reduced=subtle"])
    let (calm, lively) = (rig.subscribe(1000), rig.subscribe(1001))
    let agent = rig.control(1000)
    #expect(agent.ask(#"{"class":"AGENT","reduce_motion":true}"#).map(\.name) == ["ACK"])
    rig.run(seconds: 2)
    let (a, b) = (calm.lines(), lively.lines())
    #expect(a.last { $0.name == "GATE" }?.reasons == ["reduce-motion:agent"])
    #expect(b.count { $0.name == "GATE" } == 1)
    let (last, other) = (try #require(a.last), try #require(b.last))
    #expect(last.seq == other.seq)
    #expect((last.x - other.x * 0.25).magnitude <= 0.011)
    agent.hangUp()
    #expect(rig.log.count == 1 && rig.log[0].contains("1000"))
    #expect(calm.lines().first?.reasons == [])
  }

  /// Whenever it opens and closes: motion that is constant before the gate rises while the gate opens and
  /// falls while it closes, without jumps, x and y together, and a closed gate ends at exactly (0, 0).
  @Test func randomTogglingIsMonotone() throws {
    var generator = SeededGenerator.forTest()
    let source = ScriptSource()
    let rig = try Rig(["motion.smoothing=none"]) { _ in source }
    let (client, control) = (rig.subscribe(), rig.control())
    var isOpen = true
    var share = 0.0
    var reached = (closed: 0, open: 0)
    for _ in 0..<1_000 {
      rig.run(seconds: Double.random(in: 0...0.4, using: &generator))
      for (index, frame) in client.frames().enumerated() {
        // (-4, 2.5) times the gain, with 2 decimals.
        let next = frame.x / -4
        #expect((frame.y - 2.5 * next).magnitude <= 0.009, generator.commented(frame))
        let step = isOpen ? next - share : share - next
        // The gain moved on between the last frame and the toggling of the gate. Its steepest change in
        // 1.5 frame periods is 0.29.
        let least = index == 0 ? -0.3 : 0
        #expect((least...0.3).contains(step), generator.commented((share, frame)))
        share = next
      }
      if share == 0 { reached.closed += 1 }
      if share == 1 { reached.open += 1 }
      isOpen.toggle()
      control.send(Self.set("paused", isOpen ? "off" : "on"))
    }
    #expect(reached.closed > 50 && reached.open > 50, "\(reached)")
    control.send(Self.set("paused", "off"))
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == -4)
    control.send(Self.set("paused", "on"))
    rig.run(seconds: 1)
    let closing = client.frames()
    // The frame before the last may round to zero.
    #expect(closing.last?.isZero == true && closing.count { $0.isZero } <= 2)
    #expect(rig.core.deadline == nil)
  }

  /// A sensor that falls silent must not interrupt a fade.
  @Test func ticksFinishAFadeWithoutSamples() throws {
    let source = ScriptSource()
    let rig = try Rig(["motion.smoothing=none"]) { _ in source }
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    source.isMoving = false
    rig.run(seconds: 1)
    _ = client.lines()
    #expect(rig.core.deadline == nil)
    control.send(Self.set("paused", "on"))
    rig.run(seconds: 1)
    let frames = client.frames()
    #expect((9...12).contains(frames.count))
    #expect(frames.last?.isZero == true)
    #expect(rig.core.deadline == nil)
  }

  /// A trace that has ended keeps its last value until the gate closes.
  @Test func theGateClosesAfterTheEndOfATrace() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<40).map { "\(Double($0) / 30),0.3,0.4,0" }.joined(separator: "\n")
    let trace = try folder.write("t,x,y,z\n\(rows)\n", to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)"])
    let (client, control) = (rig.subscribe(), rig.control())
    rig.runUntilIdle()
    let lines = client.lines()
    #expect(lines.last?["state"] == "ended")
    #expect(lines.last { $0.name == "OFFSET" }?.x == 2)
    control.send(Self.set("paused", "on"))
    rig.runUntilIdle()
    #expect(client.frames().last?.isZero == true)
  }
}
