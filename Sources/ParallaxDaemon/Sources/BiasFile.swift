package import ParallaxMotion

/// The zero offset of one gyroscope, as the file has it.
package struct KeptBias: Equatable, Sendable {
  /// The device's name and its parent's path; empty where it has none.
  package var name: String
  package var parentPath: String
  /// rad/s, in the sensor's own frame.
  package var bias: AngularRate

  package init(name: String, parentPath: String, bias: AngularRate) {
    self.name = name
    self.parentPath = parentPath
    self.bias = bias
  }
}

/// The text of the file in which the zero offsets are kept: a line a device, `X Y Z`, then its name
/// and its parent's path behind tabs.
enum BiasFile {
  /// No gyroscope's zero lies farther away, rad/s.
  static let limitRadPerSec = 0.5
  /// More devices than anybody has; beyond them the one that was kept first goes.
  static let mostDevices = 64
  /// Longer than any file with so many devices is.
  static let mostBytes = 64 << 10

  private static let header = """
    # The zero offsets of gyroscopes, measured at rest by parallaxd: x y z in rad/s in the sensor's
    # own frame, then the device's name and the path of its parent, separated by tabs (within a
    # name: \\t, \\n, \\r and \\\\). Delete this file to have them measured anew.

    """

  /// A line that cannot be read.
  struct Problem: Error, Equatable {
    var line: Int
    var message: String
  }

  static func isBelievable(_ bias: AngularRate) -> Bool {
    // False for NaN, too.
    bias.x.magnitude <= limitRadPerSec && bias.y.magnitude <= limitRadPerSec
      && bias.z.magnitude <= limitRadPerSec
  }

  static func text(_ devices: [KeptBias]) -> String {
    var text = header
    for device in devices {
      let bias = device.bias
      text += "\(bias.x) \(bias.y) \(bias.z)\t"
      text += escaped(device.name) + "\t" + escaped(device.parentPath) + "\n"
    }
    return text
  }

  static func parse(_ bytes: [UInt8]) throws(Problem) -> [KeptBias] {
    var devices: [KeptBias] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let device: KeptBias
      do throws(SettingError) {
        device = try parseLine(line)
      } catch {
        throw Problem(line: number, message: error.message)
      }
      devices.removeAll { $0.name == device.name && $0.parentPath == device.parentPath }
      devices.append(device)
    }
    return devices.suffix(mostDevices)
  }

  private static func parseLine(_ line: ArraySlice<UInt8>) throws(SettingError) -> KeptBias {
    let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard fields.count == 3 else {
      throw SettingError("this is not 'X Y Z', a name and a path with tabs between them")
    }
    var rates: [Double] = []
    for word in fields[0].split(separator: UInt8(ascii: " ")) {
      let text = String(decoding: word, as: UTF8.self)
      guard let rate = SettingText.number(text) else {
        throw SettingError("'\(text)' is no number")
      }
      rates.append(rate)
    }
    guard rates.count == 3 else { throw SettingError("a zero offset is three numbers") }
    let bias = AngularRate(x: rates[0], y: rates[1], z: rates[2])
    guard isBelievable(bias) else {
      throw SettingError("no gyroscope's zero is off by more than \(limitRadPerSec) rad/s")
    }
    return KeptBias(
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
      default: throw SettingError("a backslash stands for nothing but \\t, \\n, \\r and \\\\")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
