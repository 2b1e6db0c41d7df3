// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Glibc
import ParallaxBase
import ParallaxMotion

/// Finds the gyroscopes among the input devices: nodes with the property INPUT_PROP_ACCELEROMETER and
/// three angular rates. These are the nodes that udev marks with ID_INPUT_ACCELEROMETER; the kernel's own
/// files know it before udev does, and in a service that cannot hear udev.
///
/// Source: Linux Documentation/input/event-codes.rst; systemd src/udev/udev-builtin-input_id.c.
package struct EvdevNodes: Sendable {
  private let sysRoot: String
  private let devRoot: String

  /// - Parameters:
  ///   - sysRoot: The folder of sysfs; another one in tests.
  ///   - devRoot: The folder of the device nodes.
  package init(sysRoot: String = "/sys", devRoot: String = "/dev") {
    self.sysRoot = sysRoot
    self.devRoot = devRoot
  }

  /// The ids of the gyroscopes, as in `event7`, sorted as text.
  package var ids: [String] {
    SysfsFiles.names(in: "\(sysRoot)/class/input").filter(isGyroscope)
  }

  /// - Parameter id: Any device of the kernel.
  package func isGyroscope(_ id: String) -> Bool {
    guard id.hasPrefix("event") else { return false }
    return has([INPUT_PROP_ACCELEROMETER], in: "properties", of: id)
      && has([ABS_RX, ABS_RY, ABS_RZ], in: "capabilities/abs", of: id)
  }

  /// Whether this process may read a node.
  package func mayRead(_ id: String) -> Bool { access(node(id), R_OK) == 0 }

  package func gyroscopes() -> [GyroDescription] {
    ids.map { id in
      let folder = SysfsFiles.realPath("\(deviceFolder(id))/device")
      let uniq = attribute("uniq", of: id)
      let model = EvdevModel(
        vendor: number("id/vendor", of: id), product: number("id/product", of: id))
      return GyroDescription(
        id: id, interface: .evdev, name: attribute("name", of: id) ?? id,
        location: model?.isScreen == true ? "display" : nil, model: model, uniq: uniq,
        parentPath: folder.map { $0.hasPrefix("/sys") ? String($0.dropFirst(4)) : $0 },
        driver: folder.flatMap { SysfsFiles.linkTarget("\($0)/driver") }.map(SysfsFiles.lastName),
        scale: EvdevGyro.scale(ofNode: node(id)),
        mountMatrix: model.map { .rotation($0.mountMatrix) } ?? .absent, trigger: .notNeeded,
        hasBuffer: true,
        hasDeviceTimestamps: model?.timing != .bursts(of: 3)
          && has([MSC_TIMESTAMP], in: "capabilities/msc", of: id),
        access: GyroAccess(node: mayRead(id), refusedSettings: [], raw: mayRead(id)))
    }
  }

  private func node(_ id: String) -> String { "\(devRoot)/input/\(id)" }

  private func deviceFolder(_ id: String) -> String { "\(sysRoot)/class/input/\(id)/device" }

  private func attribute(_ name: String, of id: String) -> String? {
    SmallFile.text("\(deviceFolder(id))/\(name)").flatMap { $0.isEmpty ? nil : $0 }
  }

  private func number(_ name: String, of id: String) -> UInt16? {
    attribute(name, of: id).flatMap { UInt16($0, radix: 16) }
  }

  /// Whether a bit field has all of these bits. It is a list of hexadecimal words, the highest first; the
  /// bits asked for are below 32, and so in the last word, whatever the kernel's word size.
  private func has(_ bits: [Int32], in name: String, of id: String) -> Bool {
    guard let word = attribute(name, of: id)?.split(separator: " ").last,
      let value = UInt64(word, radix: 16)
    else { return false }
    return bits.allSatisfy { value & 1 << UInt64($0) != 0 }
  }
}
