// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

@Suite("Motion nodes")
struct EvdevNodesTests {
  /// Makes an input device. The default is a DualSense's motion sensors under hid-playstation of Linux 6.1.
  private func add(
    _ id: String, to folder: TemporaryFolder, name: String = "Wireless Controller Motion Sensors",
    uniq: String = "00:11:22:33:44:55", properties: String = "40", axes: String = "3f",
    counter: String = "20", vendor: String = "054c", product: String = "0ce6"
  ) throws {
    let hid = "sys/devices/virtual/misc/uhid/0003:054C:0CE6.0007"
    let input = "\(hid)/input/input\(id.dropFirst("event".count))"
    for (file, text) in [
      ("name", name), ("uniq", uniq), ("properties", properties), ("capabilities/abs", axes),
      ("capabilities/msc", counter), ("id/vendor", vendor), ("id/product", product),
    ] { try folder.write(text + "\n", to: "\(input)/\(file)") }
    try folder.write("", to: "sys/bus/hid/drivers/playstation/bind")
    try folder.write("", to: "\(input)/\(id)/dev")
    try folder.write("", to: "dev/input/\(id)")
    symlink(folder("sys/bus/hid/drivers/playstation"), folder("\(hid)/driver"))
    symlink("../..", folder("\(input)/device"))
    symlink("..", folder("\(input)/\(id)/device"))
    try folder.write("", to: "sys/class/input/x")
    symlink(folder("\(input)/\(id)"), folder("sys/class/input/\(id)"))
  }

  private func nodes(_ folder: TemporaryFolder) -> EvdevNodes {
    EvdevNodes(sysRoot: folder("sys"), devRoot: folder("dev"))
  }

  @Test func aControllersMotionSensors() throws {
    let folder = try TemporaryFolder()
    try add("event7", to: folder)
    let gyro = try #require(nodes(folder).gyroscopes().first)
    #expect(gyro.id == "event7")
    #expect(gyro.interface == .evdev)
    #expect(gyro.name == "Wireless Controller Motion Sensors")
    #expect(gyro.driver == "playstation")
    #expect(gyro.node == "/dev/input/event7")
    #expect(gyro.mountMatrix == .rotation(.identity))
    #expect(gyro.hasDeviceTimestamps)
    #expect(gyro.place == "00:11:22:33:44:55")
    // An empty file states no unit.
    #expect(gyro.scale == nil)
  }

  /// The properties and axes are those of the drivers.
  @Test(
    arguments: [
      ("motion sensors", "40", "3f", true), ("the same, words of 32 bits", "40", "0 3f", true),
      ("an accelerometer only", "40", "7", false), ("the gamepad itself", "0", "3003f", false),
      ("a drawing tablet with tilt", "1", "f00003f", false), ("no property file", "", "3f", false),
    ])
  func recognition(what: String, properties: String, axes: String, isFound: Bool) throws {
    let folder = try TemporaryFolder()
    try add("event3", to: folder, properties: properties, axes: axes)
    #expect(nodes(folder).ids == (isFound ? ["event3"] : []), "\(what)")
    #expect(!nodes(folder).isGyroscope("input3"))
    #expect(!nodes(folder).isGyroscope("event4"))
  }

  @Test func twoControllersWithoutANumber() throws {
    let folder = try TemporaryFolder()
    for id in ["event10", "event9"] { try add(id, to: folder, uniq: "") }
    let found = nodes(folder).gyroscopes()
    #expect(found.map(\.id) == ["event10", "event9"])
    #expect(found.allSatisfy { $0.uniq == nil && $0.place.hasSuffix("uhid/0003:054C:0CE6") })
  }

  /// The axes in the frame of the person, for a turn about each of the driver's axes. Of controllers, as SDL
  /// maps them: unchanged, or (-y, z, -x) for Nintendo (SDL_sysjoystick.c, `CorrectSensorData`).
  @Test(
    arguments: [
      ("DualSense", 0x054C, 0x0CE6, AngularRate(x: 1, y: 2, z: 3)),
      ("Joy-Con", 0x057E, 0x2006, AngularRate(x: -2, y: 3, z: -1)),
      ("Switch Pro", 0x057E, 0x2009, AngularRate(x: -2, y: 3, z: -1)),
      // Along the screen: up is away on a device that lies flat, and out of the screen is up.
      ("Steam Deck", 0x28DE, 0x1205, AngularRate(x: 1, y: -3, z: 2)),
    ])
  func frames(what: String, vendor: Int, product: Int, expected: AngularRate) throws {
    let model = try #require(EvdevModel(vendor: UInt16(vendor), product: UInt16(product)))
    #expect(model.mountMatrix.apply(AngularRate(x: 1, y: 2, z: 3)) == expected, "\(what)")
    #expect(model.isScreen == (what == "Steam Deck"))
  }

  @Test func unknownModel() {
    #expect(EvdevModel(vendor: 0x1234, product: 0x0CE6) == nil)
    #expect(EvdevModel(vendor: nil, product: nil) == nil)
  }
}
