// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// Random animations, stops and gates: the offsets stay small, every subscriber receives one end per
/// start, and everything comes to rest.
struct RandomAnimationTests {
  @Test func randomAnimationsComeToRest() throws {
    var generator = SeededGenerator.forTest()
    let names = Rig.documents.keys.filter { $0 != "forever" }.sorted()
    for _ in 0..<30 {
      let source = ScriptSource()
      source.outcome =
        Bool.random(using: &generator)
        ? .streaming(SourceStart(rateHertz: 100, isLive: true))
        : .waiting(.none, reason: "none here")
      let rig = try Rig.animated(["layers=card=1,sky=0.5"]) { _ in source }
      let subscribers = [rig.subscribe(1000), rig.subscribe(1001), rig.subscribe(1001)]
      var received = [[String]](repeating: [], count: 3)
      let setter = rig.control()
      let agent = rig.control(1001)
      var players: [Client] = []
      func receive() {
        for (index, client) in subscribers.enumerated() {
          let lines = client.lines()
          received[index] += lines.story
          for frame in lines.frames {
            #expect(frame.x.magnitude < 1_000 && frame.y.magnitude < 1_000)
          }
        }
      }
      for _ in 0..<60 {
        let name = names.randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3:
          let layer = ["", #","layer":"card""#].randomElement(using: &generator) ?? ""
          let player = rig.control()
          _ = player.play(name, #""detached":\#(Bool.random(using: &generator))\#(layer)"#)
          players.append(player)
        case 4: players.randomElement(using: &generator)?.hangUp()
        case 5: setter.send(#"{"class":"STOP","id":"\#(name)"}"#)
        case 6:
          setter.set("paused", Bool.random(using: &generator) ? "on" : "off")
        case 7:
          setter.set("reduce-motion", Bool.random(using: &generator) ? "on" : "auto")
        case 8:
          agent.send(
            #"{"class":"AGENT","reduce_motion":\#(Bool.random(using: &generator))}"#)
        case 9:
          rig.sessions.set(
            Bool.random(using: &generator) ? .active : .inactive, ofUser: 1001)
        default: rig.run(seconds: Double.random(in: 0...1, using: &generator))
        }
        receive()
      }
      setter.set("paused", "off")
      rig.sessions.set(.active, ofUser: 1001)
      source.isMoving = false
      rig.run(seconds: 5)
      receive()
      for story in received {
        for name in names {
          let starts = story.count { $0 == "\(name) started" }
          let ends = story.count {
            $0.hasPrefix("\(name) completed") || $0.hasPrefix("\(name) cancelled")
          }
          #expect(starts == ends, generator.commented((name, story)))
        }
      }
      #expect(received[1] == received[2], generator.commented(received))
      setter.send(#"{"class":"STOP"}"#)
      rig.run(seconds: 5)
      #expect(rig.core.deadline == nil, generator.commented(received))
      for client in subscribers {
        if let last = client.frames().last {
          #expect(last.number("rotation") ?? 0 == 0 && last.number("opacity") ?? 1 == 1)
        }
      }
    }
  }
}
