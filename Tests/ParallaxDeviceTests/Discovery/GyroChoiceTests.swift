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
