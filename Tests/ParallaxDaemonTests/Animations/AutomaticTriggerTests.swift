// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// `on-connect` and `idle`.
struct AutomaticTriggerTests {
  @Test func onConnectPlaysForTheFirstSubscriber() throws {
    let rig = try Rig.animated(["animations.on-connect=nudge"])
    let client = rig.subscribe()
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(lines.prefix(4).map(\.name) == ["VERSION", "DEVICE", "GATE", "ANIMATION"])
    #expect(lines.marbles == "+ 2 4 6 8 10 12 |")
    // A second subscriber does not start it, nor does one that returns at once.
    let second = rig.subscribe()
    rig.run(seconds: 1)
    #expect(second.lines().story == [])
    for client in [client, second] { client.hangUp() }
    rig.run(seconds: 4)
    let third = rig.subscribe()
    rig.run(seconds: 1)
    #expect(third.lines().story == [])
    third.hangUp()
    rig.run(seconds: 6)
    let fourth = rig.subscribe()
    rig.run(seconds: 1)
    #expect(fourth.lines().story == ["nudge started", "nudge completed end"])
  }

  @Test(arguments: ["animations.on-connect", "animations.idle"])
  func aMissingDocumentIsLoggedOnce(_ key: String) throws {
    let rig = try Rig.animated(["\(key)=nowhere"])
    let client = rig.subscribe()
    rig.run(seconds: 5)
    #expect(client.lines().story == [])
    let log = rig.log.filter { $0.contains("animations.") }
    #expect(log.count == 1 && log[0].contains("\(key) does not play"), "\(rig.log)")
    #expect(log[0].contains("no such animation"))
    #expect(rig.core.deadline == nil)
  }

  /// Without a sensor, idle plays while there is a subscriber.
  @Test func idlePlaysWhileWatched() throws {
    let rig = try Rig.animated(["animations.idle=breathe"])
    let client = rig.subscribe()
    rig.run(seconds: 10)
    let lines = client.lines()
    #expect(lines.story.first == "breathe started")
    #expect(lines.story.dropFirst().allSatisfy { $0 == "breathe step" })
    let scales = lines.frames.compactMap { $0.number("scale") }
    #expect(scales.count == lines.frames.count && (295...305).contains(scales.count))
    #expect(scales.max() ?? 0 > 1.49 && scales.min() == 1)
    client.hangUp()
    #expect(rig.core.deadline == nil)
    rig.run(seconds: 3)
    #expect(rig.subscribe().lines().story == ["breathe started"])
  }

  /// Idle plays while no reason other than the device's closes the gate.
  @Test(arguments: ["paused", "low-power", "reduce-motion"])
  func idleIsGated(_ gate: String) throws {
    let rig = try Rig.animated(["animations.idle=breathe"])
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 0.75)
    _ = client.lines()
    control.set(gate, "on")
    rig.run(seconds: 3)
    let closing = client.lines()
    #expect(closing.story.count == 1, "\(closing.story)")
    #expect(closing.frames.last?.number("scale") == 1)
    #expect(rig.core.deadline == nil)
    control.set(gate, "off")
    rig.run(seconds: 1)
    #expect(client.lines().story.first == "breathe started")
  }

  @Test func idleEndsWhenAGyroscopeStreams() throws {
    let source = ScriptSource()
    source.outcome = .waiting(.none, reason: "none here")
    let rig = try Rig.animated(["animations.idle=breathe"]) { _ in source }
    let client = rig.subscribe()
    rig.run(seconds: 0.75)
    #expect(client.lines().story == ["breathe started"])
    source.events = [.streaming(SourceStart(rateHertz: 100, isLive: true))]
    rig.run(seconds: 2)
    let lines = client.lines()
    #expect(lines.story == ["breathe cancelled start"])
    let times = lines.frames.compactMap { $0.number("time") }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(lines.frames.last?.x == -4 && lines.frames.last?.number("scale") == nil)
  }

  /// PLAY of the idle document replaces it; idle restarts afterwards.
  @Test func playReplacesIdle() throws {
    let rig = try Rig.animated(["animations.idle=breathe"])
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 0.25)
    _ = client.lines()
    _ = control.play("breathe")
    rig.run(seconds: 1.5)
    #expect(
      client.lines().story.filter { $0 != "breathe step" } == [
        "breathe cancelled current", "breathe started", "breathe completed end", "breathe started",
      ])
    #expect(control.lines().story == ["breathe completed end"])
  }

  @Test func stopEndsIdleUntilTheGateReopens() throws {
    let rig = try Rig.animated(["animations.idle=breathe"])
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 0.75)
    control.send(#"{"class":"STOP"}"#)
    rig.run(seconds: 5)
    #expect(client.lines().story.last == "breathe cancelled start")
    #expect(rig.core.deadline == nil)
    control.set("paused", "on")
    control.set("paused", "off")
    rig.run(seconds: 1)
    #expect(client.lines().story.contains("breathe started"))
  }
}
