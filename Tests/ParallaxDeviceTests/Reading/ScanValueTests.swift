// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

/// Formats as in Documentation/ABI/testing/sysfs-bus-iio:
/// `[be|le]:[s|u]bits/storagebits[Xrepeat]>>shift`.
@Suite("values in a scan")
struct ScanValueTests {
  struct Row: CustomTestStringConvertible {
    let format: String
    /// The bytes at the value's place.
    let bytes: [UInt8]
    let value: Int64
    var testDescription: String { format }
  }

  static let rows: [Row] = [
    Row(format: "le:s16/16>>0", bytes: [0xFE, 0xFF], value: -2),
    Row(format: "be:s16/16>>0", bytes: [0xFF, 0xFE], value: -2),
    Row(format: "le:u16/16>>0", bytes: [0xFE, 0xFF], value: 65_534),
    Row(format: "be:s16/32>>16", bytes: [0x80, 0x00, 0xAB, 0xCD], value: -32_768),
    Row(format: "le:s12/16>>4", bytes: [0x3F, 0x80], value: -2045),
    Row(format: "le:u12/16>>4", bytes: [0x3F, 0x80], value: 2051),
    Row(format: "be:s20/24>>4", bytes: [0x7F, 0xFF, 0xF5], value: 524_287),
    Row(format: "be:s20/24>>4", bytes: [0x80, 0x00, 0x05], value: -524_288),
    Row(format: "le:s32/32>>0", bytes: [0, 0, 0, 0x80], value: -2_147_483_648),
    Row(format: "le:u24/32>>8", bytes: [0xFF, 1, 0, 0x80], value: 0x800001),
    Row(format: "be:s64/64>>0", bytes: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], value: -255),
    Row(format: "le:s8/8>>0", bytes: [0x80], value: -128),
  ]

  @Test(arguments: rows) func converted(_ row: Row) throws {
    let value = try #require(ScanValue(channel: try channel(row.format), byteOffset: 3))
    let scan = [0xEE, 0xEE, 0xEE] + row.bytes + [0xEE]
    #expect(scan.withUnsafeBytes { value.integer(in: $0) } == row.value)
    // A scan that ends before the value.
    #expect(scan.dropLast(2).withUnsafeBytes { value.integer(in: $0) } == 0)
  }

  /// libiio takes these formats from any device, also from one on another machine, and then writes past
  /// the value, or crashes.
  @Test(arguments: [
    "le:s16/16X2>>0", "le:s16/16X4>>0", "le:s16/16X0>>0", "le:s40/32>>0", "le:s12/13>>0",
    "le:s0/16>>0", "le:s8/0>>0", "le:s16/128>>0", "le:s8/16>>32", "be:u16/16>>1",
  ])
  func refused(_ format: String) throws {
    #expect(ScanValue(channel: try channel(format), byteOffset: 0) == nil)
  }

  private func channel(_ format: String) throws -> IIOChannel {
    try IIOLibrary.load()
    let folder = try TemporaryFolder()
    let escaped = format.split(separator: ">>").joined(separator: "&gt;&gt;")
    try folder.write(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <!DOCTYPE context [<!ELEMENT context (device)*><!ELEMENT device (channel)*>
      <!ELEMENT channel (scan-element?)><!ELEMENT scan-element EMPTY>
      <!ATTLIST context name CDATA #REQUIRED>
      <!ATTLIST device id CDATA #REQUIRED name CDATA #REQUIRED>
      <!ATTLIST channel id CDATA #REQUIRED type CDATA #REQUIRED>
      <!ATTLIST scan-element index CDATA #REQUIRED format CDATA #REQUIRED>]>
      <context name="xml"><device id="iio:device0" name="gyro_3d">
      <channel id="anglvel_x" type="input">
      <scan-element index="0" format="\(escaped)" />
      </channel></device></context>
      """, to: "context.xml")
    let context = try IIOContext(uri: "xml:\(folder.path)/context.xml")
    return try #require(context.devices.first?.channel("anglvel_x"))
  }
}
