// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxBase
@testable import ParallaxLoop

@Suite struct UeventTests {
  private static let path = "/devices/virtual/iio:device0"

  @Test(
    arguments: [
      ("add@\(path)|ACTION=add|DEVPATH=\(path)|SUBSYSTEM=iio|SEQNUM=1|", .added(id: "iio:device0")),
      ("change@\(path)|ACTION=change|DEVPATH=\(path)|SUBSYSTEM=iio|", .added(id: "iio:device0")),
      ("remove@\(path)|SUBSYSTEM=iio|DEVPATH=\(path)|ACTION=remove", .removed(id: "iio:device0")),
      ("add@/x|ACTION=add|DEVPATH=/devices/x|SUBSYSTEM=usb|", nil),
      ("add@/x|ACTION=add|SUBSYSTEM=iio|", nil),
      ("add@/x|ACTION=add|DEVPATH=|SUBSYSTEM=iio|", nil),
      ("add@/x|ACTION=add|DEVPATH=x/|SUBSYSTEM=iio|", nil),
      ("libudev|", nil), ("=|==|||", nil), ("", nil),
    ] as [(String, DeviceChange?)])
  func messagesOfTheKernelAreParsed(message: String, change: DeviceChange?) {
    let bytes = message.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
    #expect(Uevent.change(in: bytes[...], of: ["iio"]) == change)
  }

  @Test func theHeaderOfUdevIsSkipped() {
    let header = Array("libudev\0".utf8) + [0xFE, 0xED, 0xCA, 0xFE, 40, 0, 0, 0, 40, 0, 0, 0]
    let rest = [UInt8](repeating: 7, count: 40 - header.count)
    let properties = Array("ACTION=add\0DEVPATH=/a/iio:device3\0SUBSYSTEM=iio\0".utf8)
    #expect(
      Uevent.change(in: (header + rest + properties)[...], of: ["iio"])
        == .added(id: "iio:device3"))
  }

  @Test func randomBytesAreNotAMessage() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<5_000 {
      var bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { bytes = Array("libudev\0".utf8) + bytes }
      #expect(Uevent.change(in: bytes[...], of: ["iio"]) == nil, "\(generator.note)")
    }
  }
}
