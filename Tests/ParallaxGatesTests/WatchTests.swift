import Glibc
import ParallaxGates
import ParallaxSystem
import ParallaxTestSupport
import Testing

/// What the watches make of a bus, with its other programs played by the test.
@Suite struct WatchTests {
  let loop: EventLoop
  let daemon: PrivateBus
  let bus: Bus

  init() throws {
    loop = try EventLoop()
    daemon = try PrivateBus()
    bus = try Bus(
      loop, .address(daemon.address), firstPauseNanoseconds: 10_000_000, log: { _, _ in })
  }

  /// A program with properties.
  private func peer(_ name: String, _ value: PeerValue, _ type: String) throws -> BusPeer {
    let peer = try BusPeer(loop, daemon.address)
    say(value, type, by: peer)
    try peer.own(name)
    return peer
  }

  /// What it answers from now on.
  private func say(_ value: PeerValue, _ type: String, by peer: BusPeer) {
    peer.answer = { call in
      call.member == "Get"
        ? .values([.variant(type, value)]) : .error(name: "org.example.No", words: "")
    }
  }

  /// A property changes: whoever listens is told, and whoever asks from then on hears the same.
  private func change(
    _ peer: BusPeer, _ path: String, _ interface: String, _ name: String, _ type: String,
    _ value: PeerValue
  ) throws {
    say(value, type, by: peer)
    try peer.emitPropertyChanged(path, interface, name, type, value)
  }

  // -- Low power

  private static let profiles = "net.hadess.PowerProfiles"
  private static let upower = "org.freedesktop.UPower"
  private static let display = "/org/freedesktop/UPower/devices/DisplayDevice"

  @Test func `Profile daemon, UPower and kernel decide in this order`() throws {
    let supplies = try TemporaryFolder()
    for (name, text) in ["type": "Battery", "capacity": "7", "status": "Discharging"] {
      try supplies.write(text + "\n", to: "BAT0/\(name)")
    }
    var verdicts: [LowPowerSource?] = []
    let watch = LowPowerWatch(loop, bus: bus, folder: supplies.path) { verdicts.append($0) }
    bus.open()
    try loop.run("the kernel's battery") { watch.verdict == .sysfs }
    let upower = try peer(Self.upower, .uint32(1), "u")
    try loop.run("UPower says none") { watch.verdict == nil }
    try change(
      upower, Self.display, "org.freedesktop.UPower.Device", "WarningLevel", "u", .uint32(3))
    try loop.run("UPower says low") { watch.verdict == .upower }
    let profiles = try peer(Self.profiles, .string("balanced"), "s")
    try loop.run("a profile daemon beside it") { watch.verdict == nil }
    try change(
      profiles, "/net/hadess/PowerProfiles", Self.profiles, "ActiveProfile", "s",
      .string("power-saver"))
    try loop.run("its profile") { watch.verdict == .profile }
    try profiles.disown(Self.profiles)
    try loop.run("UPower again") { watch.verdict == .upower }
    daemon.kill()
    try loop.run("the kernel again") { watch.verdict == .sysfs }
    #expect(verdicts == [.sysfs, nil, .upower, nil, .profile, .upower, .sysfs])
  }

  @Test func `Without a bus the kernel is asked`() throws {
    daemon.kill()
    let supplies = try TemporaryFolder()
    for (name, text) in ["type": "Battery", "capacity": "7", "status": "Discharging"] {
      try supplies.write(text + "\n", to: "BAT0/\(name)")
    }
    let watch = LowPowerWatch(loop, bus: bus, folder: supplies.path) { _ in }
    bus.open()
    try loop.run("the kernel's battery") { watch.verdict == .sysfs }
  }

  @Test func `A low battery beside a profile daemon never closes, not even for a moment`() throws {
    let profiles = try peer(Self.profiles, .string("balanced"), "s")
    let upower = try peer(Self.upower, .uint32(5), "u")
    var verdicts: [LowPowerSource?] = []
    let watch = LowPowerWatch(loop, bus: bus, folder: "/nowhere") { verdicts.append($0) }
    bus.open()
    try loop.run("both are asked") { profiles.calls.count == 1 && upower.calls.count == 1 }
    try change(
      profiles, "/net/hadess/PowerProfiles", Self.profiles, "ActiveProfile", "s",
      .string("power-saver"))
    try loop.run("the profile") { watch.verdict == .profile }
    #expect(verdicts == [.profile])
  }

  // -- Reduce motion

  @Test(arguments: [UInt32(1), 2])
  func `A portal's wish closes and opens`(version: UInt32) throws {
    let portal = try FakePortal(loop, daemon.address)
    portal.version = version
    portal.reducedMotion = .uint32(1)
    try portal.appear()
    let watch = ReduceMotionWatch(bus) { _ in }
    bus.open()
    try loop.run("reduce") { watch.state.verdict == .portal }
    try portal.change("org.freedesktop.appearance", "color-scheme", "u", .uint32(1))
    try portal.change("org.freedesktop.appearance", "reduced-motion", "u", .uint32(0))
    try loop.run("no preference") { watch.state.verdict == nil }
    try portal.change("org.freedesktop.appearance", "reduced-motion", "u", .uint32(1))
    try loop.run("reduce again") { watch.state.verdict == .portal }
    try portal.change("org.freedesktop.appearance", "reduced-motion", "u", .uint32(7))
    try loop.run("a number that means nothing yet") { watch.state.verdict == nil }
  }

  @Test(arguments: [UInt32(1), 2])
  func `An older portal's animations stand in`(version: UInt32) throws {
    let portal = try FakePortal(loop, daemon.address)
    portal.version = version
    portal.reducedMotion = nil
    portal.animations = .bool(false)
    try portal.appear()
    let watch = ReduceMotionWatch(bus) { _ in }
    bus.open()
    try loop.run("no animations") { watch.state.verdict == .gnome }
    try portal.change("org.gnome.desktop.interface", "enable-animations", "b", .bool(true))
    try loop.run("animations") { watch.state.verdict == nil }
  }

  @Test func `What a lost portal said holds until its bus answers again`() throws {
    var portal: FakePortal? = try FakePortal(loop, daemon.address)
    portal?.reducedMotion = .uint32(1)
    try portal?.appear()
    let watch = ReduceMotionWatch(bus) { _ in }
    bus.open()
    try loop.run("reduce") { watch.state.verdict == .portal }
    portal = nil
    try loop.run("it holds") { watch.state.isHeld }
    #expect(watch.state.verdict == .portal)
    let second = try FakePortal(loop, daemon.address)
    second.reducedMotion = .uint32(1)
    try second.appear()
    try loop.run("said again") { !watch.state.isHeld }
    #expect(watch.state.verdict == .portal)
    daemon.kill()
    try loop.run("it holds without a bus") { watch.state.isHeld }
    try daemon.start()
    try loop.run("a bus without a portal") { watch.state.verdict == nil }
  }

  @Test func `What was said holds over a pause of ours`() throws {
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
  func `A wish of another type is none, and takes none back`(
    _ type: String, _ value: PeerValue
  ) throws {
    let portal = try FakePortal(loop, daemon.address)
    portal.reducedMotion = value
    portal.reducedMotionType = type
    try portal.appear()
    let watch = ReduceMotionWatch(bus) { _ in }
    bus.open()
    try loop.run("it is asked") { portal.peer.calls.count >= 2 }
    #expect(watch.state.verdict == nil)
    try portal.change("org.freedesktop.appearance", "reduced-motion", "u", .uint32(1))
    try loop.run("reduce") { watch.state.verdict == .portal }
    try portal.change("org.freedesktop.appearance", "reduced-motion", type, value)
    try loop.run("it is not read") { watch.state.isHeld }
    #expect(watch.state.verdict == .portal)
  }

  // -- Sleep

  @Test func `Sleep and waking are told, and logind's end is a waking`() throws {
    let logind = try peer("org.freedesktop.login1", .bool(false), "b")
    var changes: [Bool] = []
    let watch = SleepWatch(bus) { changes.append($0) }
    bus.open()
    try loop.run("it is asked") { logind.calls.count == 1 }
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

  @Test func `Who looks while the machine prepares for sleep is told`() throws {
    let logind = try peer("org.freedesktop.login1", .bool(true), "b")
    let watch = SleepWatch(bus) { _ in }
    bus.open()
    try loop.run("asleep") { watch.isAsleep }
    #expect(logind.calls.count == 1)
  }
}
