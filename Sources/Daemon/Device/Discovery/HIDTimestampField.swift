// SPDX-License-Identifier: Apache-2.0

/// Detects a HID gyroscope that sends its own timestamps.
///
/// Source: HID Usage Tables, sensor page 0x20: 0x76 Gyrometer 3D, 0x0529 Time Stamp; short items as
/// in the Device Class Definition for HID 1.11, 6.2.2.
package enum HIDTimestampField {
  private static let gyrometer: UInt32 = 0x76
  private static let timestamp: UInt32 = 0x0529

  /// - Parameter descriptor: The bytes of `report_descriptor`.
  package static func isInGyroscope(of descriptor: [UInt8]) -> Bool {
    // The usages of the open collections, the innermost last.
    var collections: [UInt32] = []
    var lastUsage: UInt32 = 0
    var index = 0
    while index < descriptor.count {
      let prefix = descriptor[index]
      let size: Int
      if prefix == 0xFE {
        // A long item: its size, a tag, then as many bytes.
        guard index + 1 < descriptor.count else { return false }
        index += 3 + Int(descriptor[index + 1])
        continue
      } else {
        size = [0, 1, 2, 4][Int(prefix & 3)]
      }
      guard index + size < descriptor.count else { return false }
      var value: UInt32 = 0
      for byte in descriptor[(index + 1)..<(index + 1 + size)].reversed() {
        value = value << 8 | UInt32(byte)
      }
      switch prefix & 0xFC {
      case 0x08:
        // A usage; in four bytes, the upper two are its page.
        lastUsage = value & 0xFFFF
        if lastUsage == timestamp, collections.contains(gyrometer) { return true }
      case 0xA0: collections.append(lastUsage)
      case 0xC0: _ = collections.popLast()
      default: break
      }
      index += 1 + size
    }
    return false
  }
}
