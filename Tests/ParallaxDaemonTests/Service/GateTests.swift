// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct GateTests {
  private static func set(_ key: String, _ value: String) -> String {
    "{\"class\":\"SET\",\"key\":\"\(key)\",\"value\":\"\(value)\"}"
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
