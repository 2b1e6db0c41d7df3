// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

@Suite("libiio")
struct IIOLibraryTests {
  @Test func loads() throws {
    try IIOLibrary.load()
    try IIOLibrary.load()
    #expect(IIOLibrary.version.hasPrefix("0.2"))
  }

  @Test func missingContextIsNamed() throws {
    try IIOLibrary.load()
    #expect {
      _ = try IIOContext(uri: "xml:/nowhere.xml")
    } throws: { error in
      (error as? DriverError)?.description.hasPrefix("opening xml:/nowhere.xml: ") ?? false
    }
  }

  @Test func attributesAndChannels() throws {
    try IIOLibrary.load()
    let folder = try TemporaryFolder()
    let path = folder.path + "/context.xml"
    try folder.write(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <!DOCTYPE context [<!ELEMENT context (device)*>]>
      <context name="xml" description="test">
      <device id="iio:device3" name="gyro_3d">
      <channel id="anglvel_x" type="input">
      <scan-element index="0" format="le:s16/32&gt;&gt;0" scale="0.000017" />
      <attribute name="raw" filename="in_anglvel_x_raw" />
      </channel>
      </device>
      </context>
      """, to: "context.xml")
    let context = try IIOContext(uri: "xml:\(path)")
    #expect(!context.isLocal)
    let device = try #require(context.devices.first)
    #expect(device.id == "iio:device3" && device.name == "gyro_3d" && device.label == nil)
    #expect(!device.isTrigger && device.trigger == nil)
    let channel = try #require(device.channel("anglvel_x"))
    #expect(channel.isScanElement && channel.hasAttribute("raw") && !channel.hasAttribute("scale"))
    #expect(device.channel("anglvel_y") == nil)
    #expect {
      // A context in XML has no values.
      _ = try channel.read("nothing")
    } throws: { error in
      (error as? DriverError) == DriverError(number: ENOSYS, action: "reading nothing of anglvel_x")
    }
  }
}
