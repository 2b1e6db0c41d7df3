import ParallaxGates
import ParallaxSystem
import ParallaxTestSupport
import Testing

/// Who decides whether power is low, and how.
@Suite struct LowPowerFactsTests {
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
    // One that does not say, or says something else, is still the one to ask.
    Case(profile: .unknown, former: .absent, level: level(5), batteries: low, verdict: nil),
    Case(profile: .value(.uint32(1)), former: .absent, level: level(5), verdict: nil),
    Case(
      profile: .value(.other(signature: "as")), former: .absent, level: level(5), verdict: nil),
    // Else UPower.
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
    // Else the kernel.
    Case(profile: .absent, former: .absent, level: .absent, batteries: low, verdict: .sysfs),
    Case(profile: .absent, former: .absent, level: .absent, verdict: nil),
    Case(
      profile: .pending, former: .pending, level: .pending, batteries: low, isBusGone: true,
      verdict: .sysfs),
    // While the bus has not said who is there, nobody decides.
    Case(profile: .pending, former: .pending, level: .pending, batteries: low, verdict: nil),
    Case(profile: .absent, former: .pending, level: level(5), batteries: low, verdict: nil),
    Case(profile: .absent, former: .absent, level: .pending, batteries: low, verdict: nil),
  ])
  func `The first who knows decides`(_ test: Case) {
    var facts = LowPowerFacts()
    facts.profile = test.profile
    facts.formerProfile = test.former
    facts.warningLevel = test.level
    facts.batteries = test.batteries
    facts.isBusGone = test.isBusGone
    #expect(facts.verdict == test.verdict)
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
  func `The kernel's batteries are read, others' are not`(_ supply: Supply) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("BAT0")
    for (name, text) in supply.files { try folder.write(text + "\n", to: "BAT0/\(name)") }
    let batteries = Battery.all(in: folder.path)
    #expect(batteries.map(\.isLow) == (supply.isLow.map { [$0] } ?? []))
  }

  @Test func `Without the folder there are no batteries`() {
    #expect(Battery.all(in: "/nowhere/at/all").isEmpty)
  }
}
