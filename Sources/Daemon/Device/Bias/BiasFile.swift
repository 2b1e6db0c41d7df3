// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

/// The stored bias of one gyroscope.
package struct StoredBias: Equatable, Sendable {
  /// The device's name and its parent's path; empty if it has none.
  package var name: String
  package var parentPath: String
  /// rad/s, in the sensor's frame.
  package var bias: AngularRate

  package init(name: String, parentPath: String, bias: AngularRate) {
    self.name = name
    self.parentPath = parentPath
    self.bias = bias
  }
}

/// The text of the bias file: one line per device with `X Y Z`, its name and its parent's path,
/// separated by tabs.
enum BiasFile {
  /// The largest plausible bias of an axis, rad/s.
  static let limitRadPerSec = 0.5
  /// The largest number of devices; a further one replaces the one that was measured longest ago.
  static let maxDevices = 64
  /// More than a file with that many devices needs.
  static let maxBytes = 64 << 10

  private static let header = """
    # The bias of gyroscopes, measured at rest by parallaxd: x y z in rad/s in the sensor's frame,
    # then the device's name and its parent's path, separated by tabs (within a name: \\t, \\n, \\r
    # and \\\\). Delete this file to measure again.

    """

  /// An invalid line.
  struct ParseError: Error, Equatable {
    var line: Int
    var message: String
  }

  static func isPlausible(_ bias: AngularRate) -> Bool {
    // Also false for NaN.
    bias.x.magnitude <= limitRadPerSec && bias.y.magnitude <= limitRadPerSec
      && bias.z.magnitude <= limitRadPerSec
  }

  static func text(_ devices: [StoredBias]) -> String {
    var text = header
    for device in devices {
      let bias = device.bias
      text += "\(bias.x) \(bias.y) \(bias.z)\t"
      text += escaped(device.name) + "\t" + escaped(device.parentPath) + "\n"
    }
    return text
  }

  static func parse(_ bytes: [UInt8]) throws(ParseError) -> [StoredBias] {
    var devices: [StoredBias] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let device: StoredBias
      do throws(SettingError) {
        device = try parseLine(line)
      } catch {
        throw ParseError(line: number, message: error.message)
      }
      devices.removeAll { $0.name == device.name && $0.parentPath == device.parentPath }
      devices.append(device)
    }
    return devices.suffix(maxDevices)
  }

  private static func parseLine(_ line: ArraySlice<UInt8>) throws(SettingError) -> StoredBias {
    let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard fields.count == 3 else {
      throw SettingError("expected 'X Y Z', a name and a path, separated by tabs")
    }
    var rates: [Double] = []
    for word in fields[0].split(separator: UInt8(ascii: " ")) {
      let text = String(decoding: word, as: UTF8.self)
      guard let rate = SettingText.number(text) else {
        throw SettingError("expected a number, got '\(text)'")
      }
      rates.append(rate)
    }
    guard rates.count == 3 else { throw SettingError("expected three numbers, got \(rates.count)") }
    let bias = AngularRate(x: rates[0], y: rates[1], z: rates[2])
    guard isPlausible(bias) else {
      throw SettingError("each axis must be between -\(limitRadPerSec) and \(limitRadPerSec) rad/s")
    }
    return StoredBias(
      name: try unescaped(fields[1]), parentPath: try unescaped(fields[2]), bias: bias)
  }

  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ field: ArraySlice<UInt8>) throws(SettingError) -> String {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      default: throw SettingError("a backslash may only start \\t, \\n, \\r or \\\\")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
