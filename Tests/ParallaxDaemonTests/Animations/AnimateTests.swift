// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxAnimation
import ParallaxBase
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// ANIMATE: a hand on what plays.
struct AnimateTests {
  /// 100 px in 1 s, linear.
  private static let documents = [
    "drawer": FakeDocuments.document(
      #"{"move":{"by":[100,0]},"duration":1,"curve":"linear"}"#)
  ]

  private let rig: Rig
  private let client: Client
  private let control: Client

  init() throws {
    rig = try Rig.animated(
      ["sampling.rate=60"], documents: FakeDocuments(Self.documents))
    client = rig.subscribe()
    control = rig.control()
  }

  private func animate(_ action: String, _ more: String = "", id: String = "drawer") -> [Line] {
    control.ask(
      #"{"class":"ANIMATE","id":"\#(id)","action":"\#(action)"\#(more.isEmpty ? "" : "," + more)}"#)
  }

  private func state(_ lines: [Line]) -> String { AnimatorStates.text(of: lines) }

  private var x: Double? {
    rig.run(seconds: 0.05)
    return client.frames().last?.x
  }

  /// The newest of the requests of one frame counts, and each frame shows one.
  @Test func aFingerAt120HertzIsFollowedExactly() {
    _ = control.play("drawer", #""paused":true"#)
    _ = client.lines()
    var sought: [(time: MotionInstant, x: Double)] = []
    for step in 0..<240 {
      let fraction = 0.5 + 0.4 * sin(Double(step) / 20)
      _ = animate("seek", #""fraction":\#(fraction)"#)
      sought.append((rig.now, 100 * fraction))
      rig.run(seconds: 1.0 / 120)
    }
    let frames = client.frames()
    #expect((118...121).contains(frames.count))
    for frame in frames {
      let time = frame.number("time") ?? 0
      let newest = sought.last { ($0.time - MotionInstant.zero).seconds < time - 1e-9 }
      // The first frame after a rest has the time of the grid before it.
      guard let newest else { continue }
      #expect(abs(frame.x - newest.x) <= 0.0051)
    }
  }

  /// Let go with a velocity, it goes on with it: the spring's own motion from there, no jump.
  @Test(arguments: [(300.0, 0.0), (2000, -500), (-900, 40), (0, 0)])
  func aFlickGoesOnWithItsVelocity(vx: Double, vy: Double) throws {
    _ = control.play("drawer", #""paused":true"#)
    _ = animate("seek", #""fraction":0.4"#)
    #expect(x == 40)
    let release = rig.now
    let answer = animate(
      "continue", #""curve":{"spring":{"response":0.4,"damping":0.8}},"velocity":[\#(vx),\#(vy)]"#)
    #expect(state(answer) == "running 0.4")
    let sent = answer.first { $0.name == "ACK" }?.number("time") ?? 0
    #expect(abs(sent - (release - MotionInstant.zero).seconds) < 1e-9)
    let spring = Spring(responseSeconds: 0.4, damping: 0.8)
    rig.run(seconds: 0.5)
    let frames = client.frames()
    #expect(frames.count >= 25)
    for frame in frames {
      let seconds = (frame.number("time") ?? 0) - (release - MotionInstant.zero).seconds
      let transition = spring.transition(seconds)
      let expected = 100 + transition.apply(distance: -60, velocity: vx).distance
      let y = transition.apply(distance: 0, velocity: vy).distance
      #expect(abs(frame.x - expected) <= 0.0052, "\(seconds) s")
      #expect(abs((frame.number("y") ?? 0) - y) <= 0.0052, "\(seconds) s")
    }
    rig.run(seconds: 20)
    #expect(client.lines().story == ["drawer completed end"])
    #expect(x == nil)
    #expect(rig.core.deadline == nil)
  }

  @Test(arguments: AnimatorStates.table)
  func theStatesAllowWhatTheyAllow(row: AnimatorStates.Row) {
    for request in AnimatorStates.requests(entering: row.state) { _ = control.ask(request) }
    #expect(AnimatorStates.text(of: animate(row.action, row.arguments)) == row.expected)
  }
}
