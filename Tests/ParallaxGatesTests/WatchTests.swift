// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxGates
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// What the state tables and Tests/System, which has the real programs, do not show of the watches: on a
/// real bus, whose other programs the test plays.
@Suite struct WatchTests {
  let loop: EventLoop
  let daemon: PrivateBus
  let bus: Bus

  init() throws {
    loop = try EventLoop()
    daemon = try PrivateBus()
    bus = try Bus(
      loop, .address(daemon.address), firstPause: 10_000_000, log: { _, _ in })
  }

  /// A property of another program, as its documentation has it.
  struct Property: Sendable {
    var service: String
    var path: String
    var interface: String
    var name: String
    var type: String

    /// power-profiles-daemon since 0.20.
    static let profile = Property(
      service: "org.freedesktop.UPower.PowerProfiles",
      path: "/org/freedesktop/UPower/PowerProfiles",
      interface: "org.freedesktop.UPower.PowerProfiles", name: "ActiveProfile", type: "s")
    static let formerProfile = Property(
      service: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles",
      interface: "net.hadess.PowerProfiles", name: "ActiveProfile", type: "s")
    static let warningLevel = Property(
      service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower/devices/DisplayDevice",
      interface: "org.freedesktop.UPower.Device", name: "WarningLevel", type: "u")
    static let preparingForSleep = Property(
      service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
      interface: "org.freedesktop.login1.Manager", name: "PreparingForSleep", type: "b")
  }

  /// A program that owns a service's name and has one property.
  private func peer(_ property: Property, _ value: PeerValue) throws -> BusPeer {
    let peer = try BusPeer(loop, daemon.address)
    answer(property, value, by: peer)
    try peer.own(property.service)
    return peer
  }

  /// Sets the peer's answer for exactly this property.
  private func answer(_ property: Property, _ value: PeerValue, by peer: BusPeer) {
    peer.answer = { call in
      call.member == "Get" && call.path == property.path
        && call.arguments == [.string(property.interface), .string(property.name)]
        ? .values([.variant(property.type, value)])
        : .error(name: "org.freedesktop.DBus.Error.UnknownObject", words: "no such property")
    }
  }

  /// Changes a property: the peer emits the change and answers with the new value.
  private func change(_ property: Property, of peer: BusPeer, to value: PeerValue) throws {
    answer(property, value, by: peer)
    try peer.emitPropertyChanged(
      property.path, property.interface, property.name, property.type, value)
  }

  // MARK: - Low power

  @Test func profileDaemonUPowerAndKernelDecideInThisOrder() throws {
    let supplies = try TemporaryFolder()
    for (name, text) in ["type": "Battery", "capacity": "7", "status": "Discharging"] {
      try supplies.write(text + "\n", to: "BAT0/\(name)")
    }
    var verdicts: [LowPowerSource?] = []
    let watch = LowPowerWatch(loop, bus: bus, folder: supplies.path) { verdicts.append($0) }
    bus.open()
    try loop.run("the kernel's battery") { watch.verdict == .sysfs }
    let upower = try peer(.warningLevel, .uint32(1))
    try loop.run("UPower says none") { watch.verdict == nil }
    try change(.warningLevel, of: upower, to: .uint32(3))
    try loop.run("UPower says low") { watch.verdict == .upower }
    let profiles = try peer(.formerProfile, .string("balanced"))
    try loop.run("a profile daemon beside it") { watch.verdict == nil }
    try change(.formerProfile, of: profiles, to: .string("power-saver"))
    try loop.run("its profile") { watch.verdict == .profile }
    try profiles.disown(Property.formerProfile.service)
    try loop.run("UPower again") { watch.verdict == .upower }
    daemon.kill()
    try loop.run("the kernel again") { watch.verdict == .sysfs }
    #expect(verdicts == [.sysfs, nil, .upower, nil, .profile, .upower, .sysfs])
  }

  @Test func withoutABusTheKernelDecides() throws {
    daemon.kill()
    let supplies = try TemporaryFolder()
    for (name, text) in ["type": "Battery", "capacity": "7", "status": "Discharging"] {
      try supplies.write(text + "\n", to: "BAT0/\(name)")
    }
    let watch = LowPowerWatch(loop, bus: bus, folder: supplies.path) { _ in }
    bus.open()
    try loop.run("the kernel's battery") { watch.verdict == .sysfs }
  }

  // MARK: - Reduce motion

  @Test func theVerdictSurvivesAPauseOfTheWatch() throws {
    var state = ReduceMotionState()
    state.reducedMotion = .value(true)
    let watch = ReduceMotionWatch(bus, remembering: state) { _ in }
    #expect(watch.state.verdict == .portal)
    let portal = try FakePortal(loop, daemon.address)
    try portal.appear()
    bus.open()
    try loop.run("no preference by now") { watch.state.verdict == nil }
  }

  @Test(arguments: [("s", PeerValue.string("1")), ("b", .bool(true)), ("as", .array("s", []))])
  func aValueOfAnotherTypeChangesNothing(
    _ type: String, _ value: PeerValue
  ) throws {
    let portal = try FakePortal(loop, daemon.address)
    portal.reducedMotion = value
    portal.reducedMotionType = type
    try portal.appear()
    let watch = ReduceMotionWatch(bus) { _ in }
    bus.open()
    try loop.run("the read") { portal.peer.calls.count >= 2 }
    #expect(watch.state.verdict == nil)
    try portal.change("org.freedesktop.appearance", "reduced-motion", "u", .uint32(1))
    try loop.run("reduce") { watch.state.verdict == .portal }
    try portal.change("org.freedesktop.appearance", "reduced-motion", type, value)
    try loop.run("it is not read") { watch.state.isHeld }
    #expect(watch.state.verdict == .portal)
  }

  /// Impatient, so that no test waits for long.
  private static let timing = BusQuestion.Timing(
    patience: .milliseconds(10), firstPause: .milliseconds(10), timeoutMilliseconds: 50)

  @Test func aSilentPortalReducesMotionAndIsAskedUntilItAnswers() throws {
    let portal = try FakePortal(loop, daemon.address)
    portal.isSilent = true
    try portal.appear()
    let watch = ReduceMotionWatch(bus, timing: Self.timing) { _ in }
    bus.open()
    try loop.run("the silence") { watch.state.verdict == .portal }
    try loop.run("more questions") { portal.peer.calls.count >= 6 }
    portal.isSilent = false
    try loop.run("no preference") { watch.state.verdict == nil && !watch.state.isSilent }
  }

  @Test func theRequestOfAPortalThatWasSilentIsNotLost() throws {
    var portal: FakePortal? = try FakePortal(loop, daemon.address)
    try portal?.appear()
    let watch = ReduceMotionWatch(bus, timing: Self.timing) { _ in }
    bus.open()
    try loop.run("the first answer") { (portal?.peer.calls.count ?? 0) >= 2 }
    portal = nil
    let second = try FakePortal(loop, daemon.address)
    second.isSilent = true
    second.reducedMotion = .uint32(1)
    try second.appear()
    try loop.run("the silence") { watch.state.isSilent }
    // The first one said that there is no preference.
    #expect(watch.state.verdict == nil)
    second.isSilent = false
    try loop.run("reduce") { watch.state.verdict == .portal }
  }

  @Test func aSilentProfileDaemonLeavesTheDecisionToUPowerUntilItAnswers() throws {
    let profiles = try peer(.formerProfile, .string("balanced"))
    profiles.answer = { _ in .nothing }
    let upower = try peer(.warningLevel, .uint32(3))
    let watch = LowPowerWatch(loop, bus: bus, folder: "/nowhere", timing: Self.timing) { _ in }
    bus.open()
    try loop.run("UPower") { watch.verdict == .upower }
    answer(.formerProfile, .string("balanced"), by: profiles)
    try loop.run("the profile") { watch.verdict == nil }
    #expect(upower.calls.count == 1)
  }

  // MARK: - Sleep

  @Test func suspendAndResumeAreReportedAndTheEndOfLogindIsAResume() throws {
    let logind = try peer(.preparingForSleep, .bool(false))
    var changes: [Bool] = []
    let watch = SleepWatch(bus) { changes.append($0) }
    bus.open()
    try loop.run("the read") { logind.calls.count == 1 }
    for isAsleep in [true, false, true] {
      try logind.emit(
        "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep",
        [.bool(isAsleep)])
    }
    try loop.run("three changes") { changes.count == 3 }
    try logind.emit(
      "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep",
      [.string("no")])
    daemon.kill()
    try loop.run("the end") { changes.count == 4 }
    #expect(changes == [true, false, true, false])
    #expect(!watch.isAsleep)
  }

  @Test func aWatchThatStartsDuringSuspendReportsIt() throws {
    let logind = try peer(.preparingForSleep, .bool(true))
    let watch = SleepWatch(bus) { _ in }
    bus.open()
    try loop.run("asleep") { watch.isAsleep }
    #expect(logind.calls.count == 1)
  }
}
