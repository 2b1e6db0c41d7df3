// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// The command, with gyroscopes that umockdev simulates and buses that the test runs.
@Suite("parallax doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
  private func doctor(
    _ arguments: [String] = [], seeing gyroscopes: [GyroLayout]
  ) throws -> ProgramResult {
    let home = try TemporaryFolder()
    return try Umockdev.run(
      .parallax, ["doctor", "--socket", home("parallax.sock")] + arguments, seeing: gyroscopes,
      environment: environment(home))
  }

  /// An environment without a configuration and without buses.
  private func environment(_ home: TemporaryFolder) -> [String: String?] {
    [
      "HOME": home.path, "XDG_CONFIG_HOME": home(".config"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home("session-bus"))",
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home("system-bus"))",
    ]
  }

  @Test(.needsUmockdev) func aGyroscopeThatStreams() throws {
    let result = try doctor(seeing: [.hid])
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.hasRow("ok", "device", "gyro_3d (iio:device0): the only one"))
    #expect(result.hasRow("note", "portal", "session bus: "))
    #expect(result.output.hasSuffix("\nit works; nothing needs to be done\n"))
  }

  @Test(.needsUmockdev) func aGyroscopeThatIsPolled() throws {
    let result = try doctor(seeing: [.bmi160])
    #expect(result.exitCode == 0)
    #expect(result.hasRow("warn", "trigger", ""))
    #expect(result.hasRow("ok", "polling", "reading three axes takes "))
    #expect(result.output.hasSuffix("\nit works; nothing needs to be done\n"))
  }

  @Test(.needsUmockdev) func noGyroscope() throws {
    let result = try doctor(seeing: [])
    #expect(result.exitCode == 69)
    #expect(result.hasRow("FAIL", "device", ""))
    #expect(result.hasRow("note", "machine", ""))
    #expect(result.hasRow("note", "looked at", ""))
    #expect(result.output.contains("\n\nfirst thing to do: "))
    let brief = try doctor(["-q"], seeing: [])
    #expect(!brief.output.contains("note ") && !brief.output.contains("ok "))
    #expect(brief.hasRow("FAIL", "device", ""))
  }

  @Test(.needsUmockdev) func aRunningDaemon() throws {
    let daemon = try LiveDaemon()
    let home = try TemporaryFolder()
    let result = try Umockdev.run(
      .parallax, ["doctor", "--socket", daemon.socket], seeing: [.hid],
      environment: environment(home))
    #expect(result.exitCode == 0, "\(result.output)")
    // Root sees the agents of others; there are none.
    #expect(result.hasRow(TestEnvironment.isRoot ? "note" : "ok", "agent", ""))
    #expect(result.hasRow("note", "orientation", "normal, by default"))
    #expect(result.hasRow("ok", "gate", "open; the daemon follows the desktop"))
    #expect(result.hasRow("ok", "daemon", "release "))
    #expect(result.hasRow("ok", "sockets", daemon.socket))
  }

  @Test(.needsUmockdev) func jsonHasTheFindings() throws {
    let result = try doctor(["--json"], seeing: [])
    #expect(result.exitCode == 69)
    #expect(result.outputLines.count == 1)
    let check =
      #".verdict == "fails" and .exit == 69 and (.first_step | length > 0) and "#
      + #"(.findings | map(select(.check == "device" and .level == "fail" and .fix != null)) | length == 1)"#
    #expect(
      try Program(path: "/usr/bin/jq").run(["-e", check], input: result.output).exitCode == 0,
      "\(result.output)")
  }

  /// The environment, and whether the levels have colors on a terminal.
  @Test(
    arguments: [
      (["TERM": "xterm", "NO_COLOR": nil], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
      (["TERM": "dumb", "NO_COLOR": nil], false),
    ] as [([String: String?], Bool)])
  func colorsAreForTerminals(variables: [String: String?], hasColor: Bool) throws {
    let home = try TemporaryFolder()
    let all = environment(home).merging(variables) { $1 }
    let command = "'\(Program.parallax.path)' doctor --socket '\(home("none"))' || true"
    let shown = try Program(path: "/usr/bin/script").run(
      ["-qec", command, "/dev/null"], environment: all)
    #expect(shown.output.contains("\u{1B}[32mok\u{1B}[0m    libiio") == hasColor, "\(shown.output)")
    let piped = try Program(path: "/bin/sh").run(["-c", command], environment: all)
    #expect(!piped.output.contains("\u{1B}"))
  }

  /// Values of the portal, and a part of the finding.
  @Test(
    arguments: [
      (1, nil, .bool(false), "version 1, without reduced-motion"),
      (2, .uint32(1), nil, "version 2, reduced motion is on"),
      (2, .uint32(0), .bool(true), "version 2, reduced motion is off"),
    ] as [(UInt32, PeerValue?, PeerValue?, String)])
  func theBuses(
    version: UInt32, reduced: PeerValue?, animations: PeerValue?, line: String
  ) throws {
    let loop = try EventLoop()
    let bus = try PrivateBus()
    let portal = try FakePortal(loop, bus.address)
    (portal.version, portal.reducedMotion, portal.animations) = (version, reduced, animations)
    try portal.appear()
    let profiles = try BusPeer(loop, bus.address, owning: ["net.hadess.PowerProfiles"])
    profiles.answer = { _ in .values([.variant("s", .string("power-saver"))]) }
    let home = try TemporaryFolder()
    var environment = environment(home)
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    let doctor = try Program.parallax.start(
      ["doctor", "--socket", home("parallax.sock")], environment: environment)
    try loop.run("everything is asked") { portal.peer.calls.count >= 3 && !profiles.calls.isEmpty }
    let result = try doctor.finish()
    #expect(result.hasRow("ok", "portal", line), "\(result.output)")
    #expect(result.hasRow("note", "power", "profile power-saver: power is low"))
    #expect(result.hasRow("note", "orientation", "iio-sensor-proxy is not running"))
  }

  @Test func aBusThatNeverAnswersHasATimeLimit() throws {
    let home = try TemporaryFolder()
    // It accepts and never answers.
    let silent = try FakeServer(at: home("bus"))
    var environment = environment(home)
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(silent.path)"
    let result = try Program.parallax.run(
      ["doctor", "--socket", home("parallax.sock")], environment: environment)
    #expect(result.hasRow("warn", "portal", "no answer for 2 s"))
  }
}

extension ProgramResult {
  /// Whether the output has a line of this level and check that starts with this text.
  fileprivate func hasRow(_ level: String, _ check: String, _ text: String) -> Bool {
    outputLines.contains { line in
      let head = level + String(repeating: " ", count: 6 - level.count) + check + " "
      return line.hasPrefix(head) && line.dropFirst(head.count).drop { $0 == " " }.hasPrefix(text)
    }
  }
}
