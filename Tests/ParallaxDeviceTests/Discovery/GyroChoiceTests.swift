// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import Testing

@Suite("Gyroscope choice")
struct GyroChoiceTests {
  private static func gyro(
    _ name: String, _ number: Int, label: String? = nil, location: String? = nil,
    streams: Bool = true
  ) -> GyroDescription {
    GyroDescription(
      id: "iio:device\(number)", name: name, label: label, location: location, scale: 0.001,
      trigger: streams ? .current(name: "t") : .none, hasBuffer: true)
  }

  @Test(
    arguments: [
      ([gyro("a", 0)], nil, "iio:device0", "the only one"),
      ([gyro("b", 0), gyro("a", 1)], nil, "iio:device1", "the first by name"),
      (
        [gyro("a", 10), gyro("a", 9)], nil, "iio:device9", "the lowest number of that name"
      ),
      (
        [gyro("a", 0, streams: false), gyro("b", 1)], nil, "iio:device1",
        "it streams through a buffer, and the next, a, does not"
      ),
      (
        [gyro("a", 0), gyro("b", 1, label: "accel-display", streams: false)], nil, "iio:device1",
        "it is at the display ('accel-display')"
      ),
      (
        [gyro("a", 0, location: "base"), gyro("b", 1, location: "Lid")], nil, "iio:device1",
        "it is at the display ('Lid')"
      ),
      (
        [gyro("a", 0, label: "gyro-keyboard"), gyro("b", 1)], nil, "iio:device1",
        "the other is at the keyboard"
      ),
      (
        [gyro("a", 0), gyro("b", 1, location: "lid")], "a", "iio:device0", "'a' was requested"
      ),
      ([gyro("a", 0), gyro("b", 1)], "iio:device1", "iio:device1", "'iio:device1' was requested"),
      (
        [gyro("a", 0), gyro("b", 1, label: "left")], "left", "iio:device1",
        "'left' was requested"
      ),
      (
        [gyro("a", 3), gyro("a", 2), gyro("b", 1)], "a", "iio:device2",
        "'a' was requested; of 2 matches: the lowest number of that name"
      ),
    ] as [([GyroDescription], String?, String, String)])
  func chosen(
    from all: [GyroDescription], named name: String?, id: String, reason: String
  ) throws {
    for order in [all, all.reversed()] {
      let choice = try GyroChoice.choose(from: order, named: name)
      #expect(order[choice.index].id == id)
      #expect(choice.reason == reason)
    }
  }

  private static func pad(_ number: Int, location: String? = nil) -> GyroDescription {
    GyroDescription(
      id: "event\(number)", interface: .evdev, name: "Pad", location: location,
      uniq: "00:11:22:33:44:5\(number)", scale: 0.001, trigger: .notNeeded, hasBuffer: true)
  }

  @Test(
    arguments: [
      (nil, nil, "iio:device0", "a sensor comes before a controller"),
      (nil, .evdev, "event5", "it is at the display ('display')"),
      ("event4", .evdev, "event4", "'event4' was requested"),
      ("/dev/input/event4", nil, "event4", "'/dev/input/event4' was requested"),
      ("00:11:22:33:44:54", nil, "event4", "'00:11:22:33:44:54' was requested"),
      ("/dev/iio:device0", nil, "iio:device0", "'/dev/iio:device0' was requested"),
    ] as [(String?, GyroInterface?, String, String)])
  func chosen(named name: String?, _ interface: GyroInterface?, id: String, reason: String) throws {
    let handheld = [Self.pad(5, location: "display")]
    let all = [Self.gyro("a", 0), Self.pad(4)] + (interface == .evdev ? handheld : [])
    let choice = try GyroChoice.choose(from: all, named: name, interface: interface)
    #expect(all[choice.index].id == id)
    #expect(choice.reason == reason)
  }

  @Test(
    arguments: [
      (
        pad(4), .iio,
        "no sensor but a controller was found, Pad; set source.kind to \"evdev\" to use it"
      ),
      (
        gyro("a", 0), .evdev,
        "no controller but a sensor was found, a; set source.kind to \"iio\" to use it"
      ),
    ] as [(GyroDescription, GyroInterface, String)])
  func leftOut(other: GyroDescription, interface: GyroInterface, message: String) {
    #expect(throws: DeviceError.none(message)) {
      try GyroChoice.choose(from: [other], named: nil, interface: interface)
    }
  }

  @Test func none() {
    #expect(throws: DeviceError.self) { try GyroChoice.choose(from: [], named: nil) }
  }

  @Test func unknownNameListsAll() {
    let expected = DeviceError.none(
      "no gyroscope is named 'c'; found: a (iio:device0), b (iio:device1); use one of these "
        + "names, or none")
    #expect(throws: expected) {
      try GyroChoice.choose(from: [Self.gyro("a", 0), Self.gyro("b", 1)], named: "c")
    }
  }
}
