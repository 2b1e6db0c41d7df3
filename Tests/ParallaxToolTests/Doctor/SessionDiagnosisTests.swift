// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxProtocol
import Testing

@testable import ParallaxTool

@Suite("Diagnosis of the session")
struct SessionDiagnosisTests {
  private static let ada: UInt32 = 1000

  private static func facts(
    root: Bool = false, gate reasons: [String] = [], gain: Double = 0,
    inhibitors: [StatusMessage.Inhibitor] = [], agents: [StatusMessage.Agent] = [],
    orientation: (Orientation, StatusMessage.OrientationSource) = (.normal, .builtIn),
    isRunning: Bool = true, device: DeviceMessage.State = .streaming,
    _ change: (inout DoctorFacts.Session) -> Void = { _ in }
  ) -> DoctorFacts {
    var facts = DoctorFacts()
    facts.user = DoctorFacts.User(
      name: root ? "root" : "ada", id: root ? 0 : ada, isRoot: root)
    facts.stream.outcome = .greeted
    let gate = GateMessage(
      open: reasons.isEmpty || gain > 0, gain: reasons.isEmpty ? 1 : gain, reasons: reasons)
    let status = StatusMessage(
      uptime: 0,
      device: DeviceMessage(
        driver: "iio", name: "gyro_3d", state: device, rateHertz: nil, reason: nil),
      measuredRateHertz: nil, gate: gate, orientation: orientation.0,
      orientationSource: orientation.1,
      bias: StatusMessage.BiasStatus(isAuto: true, estimate: nil), subscribers: 0, frames: 0,
      drops: StatusMessage.DropCounts(), latency: .none(reason: ""), inhibitors: inhibitors,
      agents: agents)
    facts.daemon = isRunning ? .running(status) : .absent
    var session = DoctorFacts.Session(
      portal: .there(version: 2, reducedMotion: false, animations: true),
      power: .profile("balanced"), sensorProxy: .absent, daemonUser: isRunning ? ada : nil)
    change(&session)
    facts.session = session
    return facts
  }

  private static func text(_ facts: DoctorFacts, _ check: String) -> [String] {
    facts.sessionFindings.filter { $0.check == check }.map {
      "\($0.level.rawValue) \($0.text)" + ($0.fix.map { "; \($0)" } ?? "")
    }
  }

  @Test func withoutTheBusesThereAreNoFindings() {
    var facts = Self.facts()
    facts.session = nil
    #expect(facts.sessionFindings == [])
  }

  @Test func nothingIsWrong() {
    #expect(
      Self.facts().sessionFindings == [
        .ok("portal", "version 2, reduced motion is off"),
        .ok("agent", "not needed: this user runs the daemon"),
        .ok("power", "profile balanced"),
        .note("orientation", "normal, by default; iio-sensor-proxy is not running"),
        .ok("gate", "open: no gate reason applies"),
      ])
  }

  /// The portal, and parts of the finding.
  @Test(
    arguments: [
      (.noBus("no bus"), .note, ["no bus", "is unknown"]),
      (.absent, .warn, ["none on the session bus", "start xdg-desktop-portal", "by hand"]),
      (.silent(seconds: 2), .warn, ["2 s", "restart xdg-desktop-portal"]),
      (.there(version: 2, reducedMotion: true, animations: nil), .ok, ["reduced motion is on"]),
      (
        .there(version: 1, reducedMotion: nil, animations: false), .ok,
        ["version 1, without reduced-motion", "1.21", "enable-animations is off"]
      ),
      (.there(version: nil, reducedMotion: nil, animations: nil), .note, ["present", "by hand"]),
    ] as [(DoctorFacts.Portal, Finding.Level, [String])])
  func portal(_ portal: DoctorFacts.Portal, level: Finding.Level, parts: [String]) throws {
    let facts = Self.facts { $0.portal = portal }
    let finding = try #require(facts.sessionFindings.first { $0.check == "portal" })
    #expect(finding.level == level)
    let line = finding.text + (finding.fix.map { "; \($0)" } ?? "")
    for part in parts { #expect(line.contains(part), "\(part) in \(line)") }
  }

  private static let agent = StatusMessage.Agent(
    uid: ada, reduceMotion: true, orientation: .leftUp)

  @Test func anAgentIsNeededForAnotherUsersDaemon() {
    func line(_ facts: DoctorFacts) -> [String] { Self.text(facts, "agent") }
    #expect(line(Self.facts { $0.daemonUser = 990 }).first?.hasPrefix("warn none") == true)
    #expect(
      line(Self.facts { $0.daemonUser = 990 }).first?.hasSuffix("--now parallax-agent") == true)
    #expect(
      line(Self.facts(agents: [Self.agent]) { $0.daemonUser = 0 })
        == ["ok connected, reports reduced motion on, left-up"])
    #expect(
      line(Self.facts(root: true) { $0.daemonUser = 990 }) == ["note no agent is connected"])
    #expect(
      line(Self.facts(root: true, agents: [Self.agent]) { $0.daemonUser = 990 })
        == ["ok uid 1000: reduced motion on, left-up"])
    #expect(line(Self.facts(isRunning: false)) == [])
  }

  @Test(
    arguments: [
      (.noBus("no bus"), "note no bus, so the battery's state in /sys decides"),
      (.absent, "ok neither a profile daemon nor UPower: the battery's state in /sys decides"),
      (.profile("power-saver"), "note profile power-saver: power is low"),
      (.upower(warningLevel: 1), "ok UPower, without a profile daemon: no warning"),
      (.upower(warningLevel: 3), "note UPower, without a profile daemon: power is low"),
    ] as [(DoctorFacts.Power, String)])
  func power(_ power: DoctorFacts.Power, line: String) {
    #expect(Self.text(Self.facts { $0.power = power }, "power") == [line])
  }

  @Test func orientation() {
    let turned = Self.facts(orientation: (.leftUp, .agent)) {
      $0.sensorProxy = .there(hasAccelerometer: true)
    }
    #expect(
      Self.text(turned, "orientation") == [
        "ok left-up, by agent; iio-sensor-proxy has an accelerometer"
      ])
    #expect(
      Self.text(Self.facts(isRunning: false) { $0.sensorProxy = .noBus("no bus") }, "orientation")
        == ["note no bus"])
  }

  @Test func anIdleDaemonFollowsNothing() {
    #expect(
      Self.text(Self.facts(device: .idle), "gate") == [
        "ok open; the daemon follows the desktop and power only while a client is subscribed"
      ])
  }

  /// Every gate reason, and a part of the fix.
  @Test(arguments: [
    ("reduce-motion:portal", "'parallax set reduce-motion off'"),
    ("reduce-motion:gnome", "gsettings set"), ("reduce-motion:agent", "agent reports"),
    ("reduce-motion:config", "'parallax reload'"),
    ("reduce-motion:set", "'parallax set reduce-motion auto'"),
    ("low-power:profile", "powerprofilesctl set balanced"), ("low-power:upower", "charger"),
    ("low-power:sysfs", "charger"), ("low-power:config", "gates.low-power"),
    ("low-power:set", "'parallax set low-power auto'"), ("sleep", "about to sleep"),
    ("paused", "'parallax set paused off'"), ("inhibit", "sudo parallax status"),
    ("inactive", "switch to one"), ("moon:full", "does not know"),
  ])
  func gate(reason: String, part: String) throws {
    let facts = Self.facts(gate: [reason])
    let line = try #require(Self.text(facts, "gate").first)
    #expect(line.hasPrefix("warn closed by \(reason): "))
    #expect(line.contains(part), "\(line)")
    #expect(!line.contains("\n"))
    // A closed gate is requested, so it is not a failure.
    #expect(!facts.sessionFindings.contains { $0.level == .fail })
  }

  @Test func oneFindingPerReasonExceptTheDevices() {
    let facts = Self.facts(gate: ["reduce-motion:portal", "paused", "device:none"])
    #expect(Self.text(facts, "gate").count == 2)
    #expect(Self.text(Self.facts(gate: ["device:lost"]), "gate") == [])
    #expect(
      Self.text(Self.facts(gate: ["reduce-motion:set"], gain: 0.25), "gate").first?
        .hasPrefix("warn lowered by") == true)
  }

  @Test func anotherUsersDaemonIsChangedWithSudo() {
    let facts = Self.facts(gate: ["paused"]) { $0.daemonUser = 990 }
    #expect(Self.text(facts, "gate").first?.hasSuffix("'sudo parallax set paused off'") == true)
    let root = Self.facts(
      root: true, gate: ["inhibit"], inhibitors: [.init(uid: 1000, reason: "password")]
    ) { $0.daemonUser = 990 }
    #expect(
      Self.text(root, "gate") == [
        "warn closed by inhibit: a program inhibits motion: uid 1000 (password); "
          + "wait until that program ends"
      ])
  }
}
