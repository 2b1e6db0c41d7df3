// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxGates
import ParallaxTestSupport
import Testing

/// The gate and animations: reasons that hide them, reasons that replace them, and reasons that do
/// neither.
struct AnimationGateTests {
  /// The connection whose animation plays receives each change of the gate; others, and this one afterwards, are not.
  @Test func theOwnerIsToldOfTheGate() throws {
    let rig = try Rig.animated()
    let (control, other) = (rig.control(), rig.control())
    func gates(_ control: Client) -> [[String]] {
      control.lines().filter { $0.name == "GATE" }.map { $0.reasons }
    }
    _ = control.play("forever")
    _ = other.play("calm", #""detached":true"#)
    other.set("low-power", "on")
    rig.run(seconds: 1)
    #expect(gates(control) == [["low-power:set"]])
    other.set("low-power", "off")
    #expect(gates(control) == [])
    #expect(gates(other) == [])
    let reduced = rig.control()
    _ = reduced.play("calm")
    _ = reduced.lines()
    other.set("reduce-motion", "on")
    #expect(gates(reduced) == [["reduce-motion:set"]])
    reduced.hangUp()
    rig.run(seconds: 1)
    other.set("reduce-motion", "off")
    #expect(rig.core.deadline == nil)
  }

  /// These reasons hide animations: running and new ones jump to their end.
  @Test(arguments: [
    ("paused", "paused", false), ("low-power", "low-power:set", false),
    ("sleep", "sleep", false), ("inhibit", "inhibit", true),
  ])
  func closingEndsAnimations(_ way: String, _ reason: String, _ atOnce: Bool) throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    func close(_ closes: Bool) {
      switch way {
      case "sleep", "inhibit":
        let reasons = GateReasons(way == "sleep" ? .sleep : .inhibit)
        rig.core.hub.update(at: rig.now) { inputs in
          if closes {
            inputs.gates.global.formUnion(reasons)
          } else {
            inputs.gates.global.subtract(reasons)
          }
        }
      default: control.set(way, closes ? "on" : "off")
      }
    }
    _ = control.play("calm")
    rig.run(seconds: 0.5)
    #expect(client.frames().last?.x == 6)
    _ = control.lines()
    close(true)
    rig.run(seconds: 3)
    let closing = client.lines()
    #expect(
      closing.first { $0.name == "GATE" }?.reasons
        == ["device:none", reason].sorted {
          $0 == reason && $1 != reason
        })
    #expect(closing.story == ["calm completed end"])
    #expect(control.lines().story == ["calm completed end"])
    // The picture does not jump to the end: it fades from its position to rest, then there is silence.
    let xs = closing.frames.map(\.x)
    #expect(xs.last == 0 && xs.allSatisfy { (0...6).contains($0) }, "\(xs)")
    #expect(zip(xs, xs.dropFirst()).allSatisfy { $0 >= $1 }, "\(xs)")
    #expect(atOnce ? xs.count == 1 : (9...12).contains(xs.count), "\(xs)")
    #expect(xs.count { $0 == 0 } == 1)
    #expect(rig.core.deadline == nil)

    // Started while the gate is closed.
    #expect(control.play("turn").story == ["turn started", "turn completed end"])
    rig.run(seconds: 3)
    #expect(client.lines().marbles == "+ |")
    #expect(rig.core.deadline == nil)

    // After reopening, the picture is at the end of both.
    close(false)
    rig.run(seconds: 3)
    let opening = client.frames()
    #expect(opening.last?.x == 12 && opening.last?.number("rotation") == 90)
    let rising = opening.map(\.x)
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 }, "\(rising)")
    #expect(rig.core.deadline == nil)
  }

  /// A gate that reopens within the fade reverses the fade from its present gain.
  @Test func reopeningReversesTheFade() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("nudge")
    rig.run(seconds: 1)
    control.set("paused", "on")
    rig.run(seconds: 0.15)
    let low = try #require(client.frames().last).x
    #expect((1...11).contains(low))
    control.set("paused", "off")
    rig.run(seconds: 1)
    let xs = client.frames().map(\.x)
    #expect(xs.last == 12)
    #expect(zip([low] + xs, xs).allSatisfy { $1 >= $0 - 1 && $1 - $0 < 3 }, "\(low) \(xs)")
  }

  /// Without a fade, what an ended animation has left displaced is at rest with the next frame.
  @Test(arguments: [#"{"class":"STOP"}"#, #"{"class":"SET","key":"paused","value":"on"}"#])
  func withoutAFadeADisplacedPictureComesToRest(request: String) throws {
    let rig = try Rig.animated(["gates.fade=0"])
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("nudge")
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 12)
    control.send(request)
    rig.run(seconds: 0.1)
    #expect(client.frames().map(\.x) == [0])
    #expect(rig.core.deadline == nil)
  }

  /// An endless animation ends, too, and does not restart by itself.
  @Test func closingEndsAnEndlessAnimation() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("forever")
    rig.run(seconds: 1)
    control.set("paused", "on")
    rig.run(seconds: 1)
    #expect(client.lines().story.last == "forever completed end")
    control.set("paused", "off")
    rig.run(seconds: 1)
    #expect(client.lines().story == [])
    #expect(rig.core.deadline == nil)
  }

  /// An inactive user gets no frames, but the events that the others get.
  @Test func anInactiveUserGetsEventsOnly() throws {
    let rig = try Rig.animated()
    let (away, here) = (rig.subscribe(1000), rig.subscribe(1001))
    let control = rig.control()
    rig.run(seconds: 0.1)
    rig.sessions.set(.inactive, ofUser: 1000)
    rig.run(seconds: 1)
    for client in [away, here] { _ = client.lines() }
    _ = control.play("nudge")
    rig.run(seconds: 1)
    #expect(away.lines().marbles == "+ |")
    #expect(here.lines().marbles == "+ 2 4 6 8 10 12 |")
    rig.sessions.set(.active, ofUser: 1000)
    rig.run(seconds: 1)
    #expect(away.frames().last?.x == 12)
    #expect(here.frames().isEmpty)
  }

  // MARK: - Reduced motion

  /// The frames and events under reduced motion, and the final x and opacity.
  @Test(
    arguments: [
      ("nudge", "+ | 12", 12.0, nil),
      ("calm", "", 0.0, 0.5),
      ("calm-by-id", "", 12.0, nil),
      ("calm-nowhere", "+ | 12", 12.0, nil),
      ("forever", "+ |", 0.0, nil),
    ] as [(String, String, Double, Double?)])
  func theAlternativePlays(
    _ id: String, _ marbles: String, _ x: Double, _ opacity: Double?
  ) throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    control.set("reduce-motion", "on")
    rig.run(seconds: 1)
    _ = client.lines()
    let ack = control.play(id)
    #expect((ack.first?["note"] != nil) == (id == "calm-nowhere"))
    rig.run(seconds: 3)
    let lines = client.lines()
    #expect(lines.story == ["\(id) started", "\(id) completed end"])
    if !marbles.isEmpty { #expect(lines.marbles == marbles) }
    if marbles.isEmpty { #expect(lines.frames.count > 5) }
    if let last = lines.frames.last {
      #expect(last.x == x && last.number("opacity") == opacity)
    }
    // After its end there is silence.
    #expect(rig.core.deadline == nil)
  }

  /// Each user sees its own picture and receives its events.
  @Test func reducedMotionAffectsOneUser() throws {
    let rig = try Rig.animated()
    let (calm, lively) = (rig.subscribe(1000), rig.subscribe(1001))
    let agent = rig.control(1000)
    agent.send(#"{"class":"AGENT","reduce_motion":true}"#)
    rig.run(seconds: 1)
    for client in [calm, lively] { _ = client.lines() }
    _ = rig.control().play("calm", #""detached":true"#)
    rig.run(seconds: 0.6)
    #expect(calm.lines().story == ["calm started", "calm completed end"])
    #expect(lively.lines().story == ["calm started"])
    rig.run(seconds: 1)
    #expect(lively.lines().story == ["calm completed end"])
    let reduced = rig.subscribe(1000).frames().last
    #expect(reduced?.x == 0 && reduced?.number("opacity") == 0.5)
    let moved = rig.subscribe(1001).frames().last
    #expect(moved?.x == 12 && moved?.number("opacity") == nil)
    // The report ends with the agent's connection: the picture blends, without a jump.
    _ = calm.lines()
    agent.hangUp()
    rig.run(seconds: 1)
    let xs = calm.frames().map(\.x)
    #expect(xs.last == 12 && (9...12).contains(xs.count), "\(xs)")
    #expect(zip(xs, xs.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 3 }, "\(xs)")
    #expect(rig.core.deadline == nil)
  }

  /// Turning reduced motion on in the middle ends the animation at once, and only once.
  @Test func reducedMotionInTheMiddleEndsOnce() throws {
    let rig = try Rig.animated()
    let (client, control) = (rig.subscribe(), rig.control())
    _ = control.play("hop")
    rig.run(seconds: 0.3)
    for client in [client, control] { _ = client.lines() }
    control.set("reduce-motion", "on")
    rig.run(seconds: 0.1)
    #expect(client.lines().story == ["hop completed end"])
    #expect(control.lines().story == ["hop completed end"])
    control.set("reduce-motion", "off")
    rig.run(seconds: 3)
    let frames = client.lines()
    #expect(frames.story == [])
    let ys = frames.frames.map(\.y)
    #expect(ys.last == 0)
    #expect(zip(ys, ys.dropFirst()).allSatisfy { ($0 - $1).magnitude < 2 }, "\(ys)")
    #expect(rig.core.deadline == nil)
  }

  /// A missing gyroscope does not hide animations.
  @Test func aMissingDeviceHidesNoAnimation() throws {
    let rig = try Rig.animated()
    let client = rig.subscribe()
    #expect(client.lines().last?.reasons == ["device:none"])
    _ = rig.control().play("nudge", #""detached":true"#)
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 12)
  }

  /// Under reduced motion an animation does not switch the sensor on.
  @Test func theSensorStaysOff() throws {
    let source = ScriptSource()
    let rig = try Rig.animated { _ in source }
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    control.set("reduce-motion", "on")
    rig.run(seconds: 1)
    #expect(source.stops == 1)
    _ = client.lines()
    _ = control.play("calm")
    rig.run(seconds: 3)
    #expect(source.starts == 1 && source.stops == 1)
    let frames = client.frames()
    #expect(frames.allSatisfy(\.isZero) && frames.last?.number("opacity") == 0.5)
  }

  /// Motion from before the source was switched off does not reappear with the ticks of an animation.
  @Test func oldMotionDoesNotReappear() throws {
    let source = ScriptSource()
    let rig = try Rig.animated { _ in source }
    do {
      let first = rig.subscribe()
      rig.run(seconds: 1)
      #expect(first.frames().last?.x == -4)
      first.hangUp()
    }
    rig.run(seconds: 10)
    source.outcome = nil
    let client = rig.subscribe()
    _ = rig.control().play("hop", #""detached":true"#)
    rig.run(seconds: 2)
    let frames = client.frames()
    #expect(frames.count > 20 && frames.allSatisfy { $0.x == 0 })
  }
}
