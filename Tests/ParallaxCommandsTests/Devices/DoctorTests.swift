import Glibc
import ParallaxSystem
import ParallaxTestSupport
import Testing

@testable import ParallaxCommands

/// What the doctor gathers, and the command itself.
@Suite("parallax doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
  // -- /proc

  @Test func whoHasTheNodeOpen() throws {
    let folder = try TemporaryFolder()
    for (process, program, target) in [
      (17, "iiod", "/dev/iio:device0"), (18, "cat", "/dev/null"), (19, "sh", "/dev/iio:device01"),
    ] {
      try folder.write("\(program)\n", to: "\(process)/comm")
      try folder.makeFolder("\(process)/fd")
      symlink("/dev/null", folder("\(process)/fd/0"))
      symlink(target, folder("\(process)/fd/3"))
    }
    try folder.write("", to: "uptime")
    let scan = ProcessScan.holders(of: "/dev/iio:device0", procRoot: folder.path)
    #expect(scan.holders == [DoctorFacts.Holder(process: 17, program: "iiod")])
    #expect(scan.sawEverything)
  }

  @Test func theRealProcIsRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "node")
    let sleeper = try Program(path: "/bin/sh").start([
      "-c", "exec 3<\"$0\"; echo; exec sleep 60", path,
    ])
    _ = try sleeper.nextLine()
    let holders = ProcessScan.holders(of: path).holders
    #expect(holders.contains { $0.process == sleeper.processID })
    sleeper.send(signal: SIGKILL)
    _ = try sleeper.finish()
  }

  // -- /sys

  @Test func gyroscopesWithoutADriver() throws {
    let folder = try TemporaryFolder()
    for (path, name, alias, driver) in [
      ("platform/devices/HID-SENSOR-200076.2.auto", nil, "platform:HID-SENSOR-200076", false),
      ("platform/devices/HID-SENSOR-200073.1.auto", nil, "platform:HID-SENSOR-200073", false),
      ("i2c/devices/1-0068", "mpu6050", "i2c:mpu6050", false),
      ("i2c/devices/1-0069", "bmi160", "i2c:bmi160", true),
      ("i2c/devices/1-0050", "24c02", "i2c:24c02", false),
    ] {
      try folder.write("\(alias)\n", to: "bus/\(path)/modalias")
      if let name { try folder.write("\(name)\n", to: "bus/\(path)/name") }
      if driver { symlink("../../drivers/x", folder("bus/\(path)/driver")) }
    }
    let kernel = KernelScan.kernel(sysRoot: folder.path)
    #expect(!kernel.hasIIO)
    #expect(kernel.driverless.map(\.device) == ["HID-SENSOR-200076.2.auto", "mpu6050"])
    #expect(
      kernel.driverless.map(\.module) == ["'platform:HID-SENSOR-200076'", "'i2c:mpu6050'"])
  }

  // -- Waiting

  @Test func whatIsReadyIsTaken() {
    #expect(Patience.wait(seconds: 30) { 7 } == 7)
  }

  @Test func whatNeverEndsIsLeftBehind() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = ends[0]
    // Time is over at once; the thread ends with the pipe.
    let value = Patience.wait(seconds: 0) { () -> Int in
      var byte: UInt8 = 0
      return read(reader, &byte, 1)
    }
    #expect(value == nil)
    close(ends[1])
  }

  // -- The command

  private func doctor(
    _ arguments: [String] = [], seeing gyroscopes: [GyroLayout]
  ) throws -> ProgramResult {
    let home = try TemporaryFolder()
    return try Umockdev.run(
      .parallax, ["doctor", "--socket", home("parallax.sock")] + arguments, seeing: gyroscopes,
      environment: surroundings(home))
  }

  /// Nobody's configuration, and nobody's buses.
  private func surroundings(_ home: TemporaryFolder) -> [String: String?] {
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
    #expect(result.output.contains("ok    device   gyro_3d (iio:device0): the only one\n"))
    #expect(result.output.contains("\nok    portal   session bus: "))
    #expect(result.output.hasSuffix("\neverything is fine\n"))
  }

  @Test(.needsUmockdev) func aGyroscopeThatIsPolled() throws {
    let result = try doctor(seeing: [.bmi160])
    #expect(result.exitCode == 0)
    #expect(result.output.contains("warn  trigger"))
    #expect(result.output.contains("ok    polling  three axes take "))
    #expect(result.output.hasSuffix("\nit works, and nothing is to be done\n"))
  }

  @Test(.needsUmockdev) func noGyroscope() throws {
    let result = try doctor(seeing: [])
    #expect(result.exitCode == 69)
    #expect(result.output.contains("\nFAIL  device"))
    #expect(result.output.contains("\n\nfirst thing to do: "))
  }

  @Test(.needsUmockdev) func aDaemonThatRuns() throws {
    let daemon = try LiveDaemon()
    let home = try TemporaryFolder()
    let result = try Umockdev.run(
      .parallax, ["doctor", "--socket", daemon.socket], seeing: [.hid],
      environment: surroundings(home))
    #expect(result.exitCode == 0, "\(result.output)")
    #expect(result.output.contains("ok    agent    "))
    #expect(result.output.contains("ok    turned   normal, by default"))
    #expect(result.output.contains("ok    gate     open; the daemon asks the desktop"))
    #expect(result.output.contains("ok    daemon   release "))
    #expect(result.output.contains("ok    sockets  \(daemon.socket)\n"))
  }

  /// The portal, and what of it the doctor says.
  @Test(
    arguments: [
      (1, nil, .bool(false), "version 1, without reduced-motion"),
      (2, .uint32(1), nil, "version 2, less motion is wanted"),
      (2, .uint32(0), .bool(true), "version 2, motion is welcome"),
    ] as [(UInt32, PeerValue?, PeerValue?, String)])
  func whatTheBusesSay(
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
    var environment = surroundings(home)
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    let doctor = try Program.parallax.start(
      ["doctor", "--socket", home("parallax.sock")], environment: environment)
    try loop.run("everything is asked") { portal.peer.calls.count >= 3 && !profiles.calls.isEmpty }
    let result = try doctor.finish()
    #expect(result.output.contains("ok    portal  \(line)"), "\(result.output)")
    #expect(result.output.contains("ok    power   profile power-saver: power is low"))
    #expect(result.output.contains("ok    turned  iio-sensor-proxy does not run"))
  }

  @Test func aBusThatNeverAnswersDelaysTheDoctorForSoLong() throws {
    let home = try TemporaryFolder()
    // It accepts, and says nothing.
    let silent = try FakeServer(at: home("bus"))
    var environment = surroundings(home)
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(silent.path)"
    let result = try Program.parallax.run(
      ["doctor", "--socket", home("parallax.sock")], environment: environment)
    #expect(result.output.contains("warn  portal  it has not answered for 2 s"))
  }

  @Test func aBrokenConfiguration() throws {
    let home = try TemporaryFolder()
    let file = try home.write("[source]\nkind = 7\n", to: "bad.toml")
    let result = try Program.parallax.run(["doctor", "--config", file])
    #expect(result.exitCode == 78)
    #expect(result.output == "")
  }
}
