// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// From programs on the buses to the GATE line.
struct GateWatchTests {
  private let loop: EventLoop
  private let system: PrivateBus
  private let session: PrivateBus
  private let supplies: TemporaryFolder

  init() throws {
    loop = try EventLoop()
    system = try PrivateBus()
    session = try PrivateBus()
    supplies = try TemporaryFolder()
  }

  private func watch(_ rig: Rig) throws -> GateWatch {
    GateWatch(
      loop, hub: rig.core.hub,
      systemBus: try Bus(loop, .address(system.address), log: { _, _ in }),
      sessionBus: try Bus(loop, .address(session.address), log: { _, _ in }),
      powerSupplies: supplies.path, clock: rig.clock.reading, log: { _, _ in })
  }

  /// Runs the loop until the gate has these reasons.
  private func wait(_ rig: Rig, _ reasons: String...) throws {
    try loop.run("\(reasons)") { rig.core.hub.gates.globalReasons.names == reasons }
  }

  /// Returns a program with one property, or a portal with one setting.
  private func program(
    _ bus: PrivateBus, _ name: String, _ type: String, _ value: PeerValue
  ) throws -> BusPeer {
    let peer = try BusPeer(loop, bus.address)
    setAnswer(value, type, of: peer)
    try peer.own(name)
    return peer
  }

  /// Sets the value that a program returns.
  private func setAnswer(_ value: PeerValue, _ type: String, of peer: BusPeer) {
    peer.answer = { call in
      switch call.member {
      case "Get", "ReadOne": .values([.variant(type, value)])
      default: .error(name: "org.example.No", words: "")
      }
    }
  }

  private func profiles(_ profile: String) throws -> BusPeer {
    try program(system, "net.hadess.PowerProfiles", "s", .string(profile))
  }

  private func set(_ profiles: BusPeer, _ profile: String) throws {
    setAnswer(.string(profile), "s", of: profiles)
    try profiles.emitPropertyChanged(
      "/net/hadess/PowerProfiles", "net.hadess.PowerProfiles", "ActiveProfile", "s",
      .string(profile))
  }

  /// Returns the number of programs on a bus, without the one that counts.
  private func connections(_ bus: PrivateBus) throws -> Int {
    let counter = try Bus(loop, .address(bus.address), log: { _, _ in })
    counter.open()
    try loop.run("the counter is connected") { counter.isConnected }
    var count: Int?
    let slot = counter.call(Bus.driver, "/org/freedesktop/DBus", Bus.driver, "ListNames") {
      count = (try? $0.get().strings())?.count { $0.hasPrefix(":") }
    }
    try loop.run("the names") { count != nil }
    slot.cancel()
    return try #require(count) - 1
  }

  @Test func aReasonFromTheBusClosesTheGateAndOpensItAgain() throws {
    let profiles = try profiles("balanced")
    let rig = try Rig(["source.kind=synthetic", "motion.smoothing=none"])
    let gates = try watch(rig)
    let client = rig.subscribe()
    gates.update()
    try loop.run("the program is queried") { !profiles.calls.isEmpty }
    rig.run(seconds: 1)
    #expect(client.lines().last { $0.name == "GATE" }?.text.contains("[]") == true)
    try set(profiles, "power-saver")
    try wait(rig, "low-power:profile")
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(lines.count { $0.name == "GATE" } == 1)
    #expect(
      lines.first { $0.name == "GATE" }?.text
        == #"{"class":"GATE","open":false,"gain":0,"reasons":["low-power:profile"]}"#)
    #expect(lines.last { $0.name == "OFFSET" }?.isZero == true)
    try set(profiles, "performance")
    try wait(rig)
    rig.run(seconds: 1)
    #expect(client.frames().contains { !$0.isZero })
  }

  @Test func thereAreNoQueriesWithoutSubscribers() throws {
    let profiles = try profiles("power-saver")
    let rig = try Rig()
    let gates = try watch(rig)
    gates.update()
    #expect(try connections(system) == 1)
    for _ in 0..<2 {
      let client = rig.subscribe()
      gates.update()
      try wait(rig, "low-power:profile")
      #expect(try connections(system) == 2)
      #expect(try connections(session) == 1)
      client.hangUp()
      rig.runUntilIdle()
      gates.update()
      #expect(rig.core.hub.gates.globalReasons == [])
      #expect(try connections(system) == 1)
      #expect(try connections(session) == 0)
    }
    #expect(profiles.calls.count == 2)
  }

  @Test func thePortalsLastAnswerHoldsForTheNextSubscriber() throws {
    let portal = try program(session, "org.freedesktop.portal.Desktop", "u", .uint32(1))
    let rig = try Rig()
    let gates = try watch(rig)
    for _ in 0..<2 {
      let client = rig.subscribe()
      gates.update()
      try wait(rig, "reduce-motion:portal")
      client.hangUp()
      rig.runUntilIdle()
      gates.update()
      #expect(rig.core.hub.gates.globalReasons == [])
    }
    session.kill()
    let client = rig.subscribe()
    gates.update()
    #expect(rig.core.hub.gates.globalReasons.names == ["reduce-motion:portal"])
    client.hangUp()
    _ = portal
  }

  @Test func setOverridesThePortalAndEndsItsQueries() throws {
    let portal = try program(session, "org.freedesktop.portal.Desktop", "u", .uint32(1))
    let rig = try Rig()
    let gates = try watch(rig)
    _ = rig.subscribe()
    gates.update()
    try wait(rig, "reduce-motion:portal")
    rig.control().send(#"{"class":"SET","key":"reduce-motion","value":"off"}"#)
    gates.update()
    #expect(rig.core.hub.gates.globalReasons == [])
    #expect(try connections(session) == 1)
    rig.control().send(#"{"class":"SET","key":"reduce-motion","value":"auto"}"#)
    gates.update()
    try wait(rig, "reduce-motion:portal")
    #expect(portal.calls.count >= 2)
  }

  @Test func suspendClosesTheGateAndReopensTheGyroscope() throws {
    let logind = try program(system, "org.freedesktop.login1", "b", .bool(false))
    let test = try GyroRig()
    let gates = try watch(test.rig)
    let client = test.rig.subscribe()
    gates.update()
    test.gyro.open()
    test.stream(seconds: 1)
    try loop.run("the program is queried") { !logind.calls.isEmpty }
    _ = test.news(client)
    func prepare(_ isAsleep: Bool) throws {
      try logind.emit(
        "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep",
        [.bool(isAsleep)])
    }
    // Suspended before the fade has ended: the device is still open on resume.
    try prepare(true)
    try wait(test.rig, "sleep")
    test.stream(seconds: 0.1)
    try prepare(false)
    try wait(test.rig)
    #expect(test.gyro.jobs == ["release"])
    test.gyro.release()
    #expect(test.gyro.jobs == ["acquire"])
    test.gyro.open()
    test.stream(seconds: 1)
    #expect(test.news(client) == ["closed", "open"])
    // Suspended after the fade.
    try prepare(true)
    try wait(test.rig, "sleep")
    test.stream(seconds: 1)
    #expect(test.gyro.jobs == ["release"])
    test.gyro.release()
    #expect(client.lines().last { $0.name == "OFFSET" }?.isZero == true)
    try prepare(false)
    try wait(test.rig)
    #expect(test.gyro.jobs == ["acquire"])
  }

  @Test func withoutBusesTheGateStaysOpen() throws {
    system.kill()
    session.kill()
    let rig = try Rig()
    let gates = try watch(rig)
    let client = rig.subscribe()
    gates.update()
    try loop.drain()
    rig.run(seconds: 1)
    #expect(rig.core.hub.gates.globalReasons == [])
    #expect(client.frames().contains { !$0.isZero })
  }
}
