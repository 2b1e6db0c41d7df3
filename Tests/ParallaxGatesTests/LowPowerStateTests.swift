// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct LowPowerStateTests {
  typealias State = FollowedProperty.State

  static let saver = State.value(.string("power-saver"))
  static let balanced = State.value(.string("balanced"))
  static func level(_ level: UInt32) -> State { .value(.uint32(level)) }
  static let low = [Battery(capacityPercent: 20, isDischarging: true)]

  struct Case: Sendable {
    var profile: State
    var former: State
    var level: State
    var batteries: [Battery] = []
    var isBusGone = false
    var verdict: LowPowerSource?
  }

  @Test(arguments: [
    // The profile daemon alone decides, under either name.
    Case(profile: saver, former: saver, level: .absent, verdict: .profile),
    Case(profile: .absent, former: saver, level: .absent, verdict: .profile),
    Case(profile: saver, former: .absent, level: .absent, verdict: .profile),
    Case(profile: balanced, former: saver, level: .absent, verdict: nil),
    Case(profile: .unknown, former: saver, level: .absent, verdict: .profile),
    Case(profile: .absent, former: balanced, level: level(5), batteries: low, verdict: nil),
    Case(
      profile: .absent, former: .value(.string("performance")), level: level(3), verdict: nil),
    // A profile daemon without a usable value still decides.
    Case(profile: .unknown, former: .absent, level: level(5), batteries: low, verdict: nil),
    Case(profile: .value(.uint32(1)), former: .absent, level: level(5), verdict: nil),
    Case(
      profile: .value(.other(signature: "as")), former: .absent, level: level(5), verdict: nil),
    // Without a profile daemon UPower decides.
    Case(profile: .absent, former: .absent, level: level(0), batteries: low, verdict: nil),
    Case(profile: .absent, former: .absent, level: level(1), verdict: nil),
    Case(profile: .absent, former: .absent, level: level(2), verdict: nil),
    Case(profile: .absent, former: .absent, level: level(3), verdict: .upower),
    Case(profile: .absent, former: .absent, level: level(4), verdict: .upower),
    Case(profile: .absent, former: .absent, level: level(5), verdict: .upower),
    Case(profile: .absent, former: .absent, level: .unknown, batteries: low, verdict: nil),
    Case(
      profile: .absent, former: .absent, level: .value(.string("3")), batteries: low,
      verdict: nil),
    // A service that does not answer counts as absent.
    Case(profile: .silent, former: .silent, level: level(3), verdict: .upower),
    Case(profile: .silent, former: saver, level: level(1), verdict: .profile),
    Case(profile: .silent, former: .absent, level: .silent, batteries: low, verdict: .sysfs),
    // Without either the kernel decides.
    Case(profile: .absent, former: .absent, level: .absent, batteries: low, verdict: .sysfs),
    Case(profile: .absent, former: .absent, level: .absent, verdict: nil),
    Case(
      profile: .pending, former: .pending, level: .pending, batteries: low, isBusGone: true,
      verdict: .sysfs),
    // As long as an owner is unknown, nothing decides.
    Case(profile: .pending, former: .pending, level: .pending, batteries: low, verdict: nil),
    Case(profile: .absent, former: .pending, level: level(5), batteries: low, verdict: nil),
    Case(profile: .absent, former: .absent, level: .pending, batteries: low, verdict: nil),
  ])
  func theFirstServiceDecides(_ test: Case) {
    var state = LowPowerState()
    state.profile = test.profile
    state.formerProfile = test.former
    state.warningLevel = test.level
    state.batteries = test.batteries
    state.isBusGone = test.isBusGone
    #expect(state.verdict == test.verdict)
  }

  @Test func anEarlierVerdictHoldsWhileTheServiceThatDecidesIsAsked() {
    var state = LowPowerState()
    #expect(state.isPending)
    state.profile = .absent
    state.formerProfile = .absent
    state.warningLevel = Self.level(3)
    #expect(!state.isPending)
    state.formerProfile = .unknown
    #expect(state.isPending)
    for answer in [State.silent, Self.balanced] {
      state.formerProfile = answer
      #expect(!state.isPending)
    }
  }

  struct Supply: Sendable {
    var files: [String: String]
    var isLow: Bool?
  }

  @Test(arguments: [
    Supply(files: ["type": "Battery", "capacity": "20", "status": "Discharging"], isLow: true),
    Supply(files: ["type": "Battery", "capacity": "21", "status": "Discharging"], isLow: false),
    Supply(files: ["type": "Battery", "capacity": "3", "status": "Charging"], isLow: false),
    Supply(files: ["type": "Battery", "capacity": "3", "status": "Unknown"], isLow: false),
    Supply(files: ["type": "Battery", "capacity": "0", "status": "Discharging"], isLow: true),
    Supply(files: ["type": "Battery", "capacity": "3", "status": "Not charging"], isLow: false),
    Supply(files: ["type": "Battery", "status": "Discharging"], isLow: nil),
    Supply(files: ["type": "Battery", "capacity": "x", "status": "Discharging"], isLow: nil),
    Supply(files: ["type": "Mains", "online": "0"], isLow: nil),
    Supply(
      files: ["type": "Battery", "scope": "Device", "capacity": "3", "status": "Discharging"],
      isLow: nil),
    Supply(
      files: ["type": "Battery", "scope": "System", "capacity": "3", "status": "Discharging"],
      isLow: true),
    Supply(
      files: ["type": "Battery", "present": "0", "capacity": "3", "status": "Discharging"],
      isLow: nil),
    Supply(files: [:], isLow: nil),
  ])
  func onlyTheMachinesOwnBatteriesAreRead(_ supply: Supply) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("BAT0")
    for (name, text) in supply.files { try folder.write(text + "\n", to: "BAT0/\(name)") }
    let batteries = Battery.all(in: folder.path)
    #expect(batteries.map(\.isLow) == (supply.isLow.map { [$0] } ?? []))
  }

  @Test func withoutTheFolderThereAreNoBatteries() {
    #expect(Battery.all(in: "/nowhere/at/all").isEmpty)
  }
}
