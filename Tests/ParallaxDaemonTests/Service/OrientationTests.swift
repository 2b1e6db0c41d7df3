// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxGates
import ParallaxMotion
import ParallaxTestSupport
import Testing

struct OrientationTests {
  /// The sources in order of precedence; the device's own are composed with the panel's mounting.
  @Test(arguments: [
    ("set conf agent proxy accel trace", Orientation.normal, "set"),
    ("conf agent proxy accel trace", .leftUp, "configuration"),
    ("agent proxy accel trace", Orientation.bottomUp.composed(with: .leftUp), "agent"),
    ("proxy accel trace", Orientation.rightUp.composed(with: .leftUp), "sensor-proxy"),
    ("accel trace", Orientation.normal.composed(with: .leftUp), "accelerometer"),
    ("trace", .bottomUp, "trace"),
    ("", Orientation.normal.composed(with: .leftUp), "default"),
  ])
  func precedence(_ known: String, _ expected: Orientation, _ source: String) {
    var board = OrientationBoard()
    board.panel = .leftUp
    for word in known.split(separator: " ") {
      switch word {
      case "set": board.set = .normal
      case "conf": board.configured = .leftUp
      case "agent": board.setAgent(7, .bottomUp)
      case "proxy": board.sensorProxy = .rightUp
      case "accel": board.accelerometer = .normal
      default: board.recording = .bottomUp
      }
    }
    let decision = board.own(7) ?? board.common
    #expect(decision.orientation == expected)
    #expect(decision.source.rawValue == source)
    #expect(board.own(8) == nil)
  }

  /// WATCH gives a client its own orientation, from the next frame on.
  @Test(arguments: Orientation.allCases)
  func watchTurnsItsClientAlone(_ orientation: Orientation) throws {
    let rig = try Rig(["source.kind=synthetic", "motion.smoothing=none"])
    let (plain, turned) = (rig.subscribe(), rig.subscribe())
    turned.send("{\"class\":\"WATCH\",\"orientation\":\"\(orientation.rawValue)\"}")
    rig.run(seconds: 1)
    let (a, b) = (plain.frames(), turned.frames())
    #expect(a.count == 31 && b.count == 31)
    for (a, b) in zip(a, b) {
      let expected = ScreenRemap(orientation).apply(DrivingMotion(a: a.x, b: a.y))
      #expect(b.x == expected.x && b.y == expected.y)
    }
  }

  @Test func anAgentReceivesWanted() throws {
    let rig = try Rig()
    func change(_ change: (inout OrientationBoard) -> Void) {
      rig.core.hub.update(at: rig.now) { change(&$0.orientations) }
    }
    let (agent, silent) = (rig.control(1000), rig.control(1000))
    silent.send(#"{"class":"AGENT","reduce_motion":false}"#)
    let wanted = { (orientation: Bool) in #"{"class":"WANTED","orientation":\#(orientation)}"# }
    #expect(
      agent.ask(#"{"class":"AGENT","tag":1,"wanted":true}"#).map(\.text) == [
        #"{"class":"ACK","tag":1}"#, wanted(false),
      ])
    change { $0.needsAgents = true }
    #expect(agent.lines().map(\.text) == [wanted(true)])
    change { $0.set = .normal }
    #expect(agent.lines().map(\.text) == [wanted(false)])
    change { $0.set = nil }
    change { $0.configured = .leftUp }
    #expect(agent.lines().map(\.text) == [wanted(true), wanted(false)])
    change { $0.configured = nil }
    // No line is repeated, and an agent that did not request them receives none.
    change { _ in }
    #expect(agent.lines().map(\.text) == [wanted(true)])
    #expect(silent.lines().map(\.name) == ["ACK"])
  }
}
