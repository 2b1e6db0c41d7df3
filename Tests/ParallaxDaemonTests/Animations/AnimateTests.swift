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
      #"{"move":{"by":[100,0]},"duration":1,"curve":"linear"}"#),
    "two": FakeDocuments.document(
      #"{"sequence":[{"move":{"by":[60,0]},"duration":0.5,"curve":"linear"},"#
        + #"{"move":{"by":[0,30]},"duration":0.5,"curve":"linear"}]}"#),
    "forever": FakeDocuments.document(
      #"{"repeat":"forever","of":{"rotate":{"by":90},"duration":1,"curve":"linear"}}"#),
    "lift": FakeDocuments.document(#"{"move":{"by":[0,8]},"duration":3,"curve":"linear"}"#),
    "calm": Rig.documents["calm"] ?? "",
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

  @Test func aPausedAnimationWaitsForItsHand() {
    #expect(
      control.play("drawer", #""paused":true"#).story == ["drawer started", "drawer changed"])
    rig.run(seconds: 5)
    #expect(client.lines().frames.allSatisfy { $0.x == 0 })
    // Nothing is scheduled while it waits.
    #expect(rig.core.deadline == nil)
    #expect(state(animate("seek", #""fraction":0.3"#)) == "paused 0.3")
    #expect(x == 30)
    #expect(rig.core.deadline == nil)
    #expect(state(animate("resume")) == "running 0.3")
    rig.run(seconds: 0.2)
    #expect(state(animate("reverse")) == "running 0.5 reversed")
    rig.run(seconds: 0.1)
    #expect(state(animate("pause")) == "paused 0.6 reversed")
    #expect(x == 40)
    _ = control.lines()
    #expect(state(animate("resume")) == "running 0.6 reversed")
    rig.run(seconds: 1)
    #expect(control.lines().story == ["drawer completed start"])
    #expect(client.frames().last?.x == 0)
    #expect(rig.core.deadline == nil)
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

  /// Reversed in the middle of a flick it retraces its way, and ends at its start.
  @Test func aFlickIsRetraced() {
    _ = control.play("drawer", #""paused":true"#)
    _ = animate("seek", #""fraction":0.4"#)
    _ = animate("continue", #""curve":{"spring":{"response":0.5}},"velocity":[500,0]"#)
    _ = client.lines()
    rig.run(seconds: 0.2)
    let there = client.frames().map(\.x)
    #expect(state(animate("reverse")).hasSuffix("reversed"))
    rig.run(seconds: 0.2)
    let back = client.frames().map(\.x)
    #expect(there.count >= 11 && back.count >= 11)
    #expect(zip(there, there.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(back, back.dropFirst()).allSatisfy { $0 > $1 })
    #expect(abs((back.last ?? 0) - 40) < 9)
    rig.run(seconds: 3)
    #expect(control.lines().story.last == "drawer completed start")
    #expect(client.frames().last?.x == 0)
  }

  @Test(arguments: [("start", 0.0), ("current", 30), ("end", 100)])
  func itFinishesWhereItIsTold(position: String, x: Double) {
    _ = control.play("drawer", #""paused":true"#)
    _ = animate("seek", #""fraction":0.3"#)
    #expect(self.x == 30)
    #expect(
      animate("finish", #""position":"\#(position)""#).story == ["drawer completed \(position)"])
    rig.run(seconds: 1)
    #expect(client.frames().last?.x ?? 30 == x)
    // What it leaves is stopped like anything else.
    _ = control.ask(#"{"class":"STOP","id":"drawer"}"#)
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == (x == 0 ? nil : 0))
  }

  @Test(arguments: AnimatorStates.table)
  func theStatesAllowWhatTheyAllow(row: AnimatorStates.Row) {
    for request in AnimatorStates.requests(entering: row.state) { _ = control.ask(request) }
    #expect(AnimatorStates.text(of: animate(row.action, row.arguments)) == row.expected)
  }

  @Test func speedIsAMultiple() {
    _ = control.play("drawer")
    rig.run(seconds: 0.1)
    #expect(state(animate("speed", #""speed":4"#)) == "running 0.1")
    rig.run(seconds: 0.1)
    #expect(state(animate("speed", #""speed":0.5"#)) == "running 0.5")
    rig.run(seconds: 1.02)
    #expect(control.lines().story == ["drawer completed end"])
  }

  /// An addition takes the time that is left.
  @Test func anAdditionTakesTheTimeThatIsLeft() {
    _ = control.play("drawer")
    rig.run(seconds: 0.5)
    _ = animate("add", #""document":"lift""#)
    rig.run(seconds: 0.25)
    let middle = client.frames().last
    #expect(abs((middle?.number("y") ?? 0) - 4) < 0.2)
    _ = animate("add", #""document":{"parallax":1,"animation":{"move":{"by":[0,1]}}}"#)
    _ = animate(
      "add", #""text":"{\"parallax\":1,\"animation\":{\"move\":{\"by\":[0,2]}}}""#)
    rig.run(seconds: 0.5)
    #expect(client.frames().last?.number("y") == 11)
    #expect(control.lines().story.last == "drawer completed end")
  }

  @Test func aPauseAtTheEndCanBeReversed() {
    _ = control.play("drawer", #""pauses_at_end":true,"as":"toggle""#)
    rig.run(seconds: 2)
    #expect(control.lines().story == ["toggle changed"])
    #expect(rig.core.deadline == nil)
    #expect(state(animate("reverse", id: "toggle")) == "paused 0 reversed")
    #expect(state(animate("resume", id: "toggle")) == "running 0 reversed")
    rig.run(seconds: 2)
    #expect(state(animate("finish", #""position":"start""#, id: "toggle")) == "ended 1")
  }

  @Test func endlessAnimationsHaveNoFraction() {
    _ = control.play("forever", #""paused":true"#)
    let error =
      "animation 'forever' repeats forever, so it has no fraction and no time that is left"
    #expect(state(animate("seek", #""fraction":0.3"#, id: "forever")) == error)
    #expect(state(animate("add", #""document":"lift""#, id: "forever")) == error)
    #expect(state(animate("resume", id: "forever")) == "running 0")
    #expect(state(animate("speed", #""speed":3"#, id: "forever")) == "running 0")
  }

  /// Only the user who began it may change it; another connection of that user may.
  @Test func onlyItsUserMayChangeIt() {
    let other = rig.control(Rig.daemonUser)
    let same = rig.control()
    _ = control.play("drawer", #""paused":true"#)
    let request = #"{"class":"ANIMATE","id":"drawer","action":"seek","fraction":0.5}"#
    #expect(other.ask(request).first?["code"] == "denied")
    #expect(same.ask(request).first?["state"] == "paused")
    let stranger = rig.control(1000)
    #expect(stranger.ask(request).first?["code"] == "denied")
  }

  /// Under reduced motion the alternative follows the same hand.
  @Test func theAlternativeFollowsTheHand() {
    control.set("reduce-motion", "on")
    _ = control.play("calm", #""paused":true"#)
    _ = animate("seek", #""fraction":0.5"#, id: "calm")
    rig.run(seconds: 0.5)
    // Half of the way of 0.5 with the curve "ease".
    #expect(client.frames().last?.number("opacity") == 0.5988)
  }

  @Test(arguments: [
    (#""action":"jump""#, "unknown action 'jump'; use pause, resume"),
    (#""action":"seek""#, "\"fraction\" is missing"),
    (#""action":"seek","fraction":1.5"#, "fraction: 1.5 is out of range; use 0.0 to 1.0"),
    (#""action":"speed","speed":0"#, "speed: 0.0 is out of range; use 0.01 to 100.0"),
    (#""action":"continue","curve":"wavy""#, "curve"),
    (
      #""action":"continue","curve":"linear","velocity":[1,2]"#,
      "velocity: only a spring goes on with a velocity"
    ),
    (#""action":"continue","velocity":[1]"#, "velocity: expected 2 to 4 numbers"),
    (#""action":"finish","position":"middle""#, "position"),
    (#""action":"add""#, "\"document\" is missing"),
    (#""action":"add","document":"nowhere""#, "no such animation"),
  ])
  func invalidRequestsAreRefused(fields: String, message: String) {
    _ = control.play("drawer", #""paused":true"#)
    let answer = control.ask(#"{"class":"ANIMATE","id":"drawer",\#(fields)}"#)
    #expect(answer.first?.name == "ERROR")
    #expect(answer.first?["message"]?.contains(message) == true, "\(answer)")
  }

  /// A closed gate takes a held animation to its end, like any other.
  @Test func theGateEndsAHeldAnimation() {
    _ = control.play("drawer", #""paused":true"#)
    _ = animate("seek", #""fraction":0.5"#)
    _ = control.lines()
    control.set("paused", "on")
    #expect(control.lines().story == ["drawer completed end"])
    #expect(state(animate("resume")) == "no animation 'drawer' plays")
  }

  @Test func statusNamesTheState() {
    _ = control.play("drawer", #""paused":true"#)
    #expect(control.ask(#"{"class":"STATUS"}"#).first?.text.contains(#""state":"paused""#) == true)
  }
}
