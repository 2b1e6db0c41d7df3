// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// What sysfs holds about a device of this machine besides its attributes: its parent, its driver,
/// this user's permissions.
///
/// Source: Linux Documentation/ABI/testing/sysfs-bus-iio and sysfs-devices-physical_location.
package struct SysfsDevice {
  /// The device's folder with its links followed: `/sys/devices/.../iio:device0`.
  package let folder: String
  private let sysRoot: String
  private let nodePath: String
  private let udevRoot: String
  private let allows: (_ path: String, _ mode: Int32) -> Bool

  /// - Parameters:
  ///   - id: As in `iio:device0`.
  ///   - sysRoot: The folder of sysfs; another one in tests.
  ///   - devRoot: The folder of the device nodes.
  ///   - udevRoot: The folder of udev's database.
  ///   - allows: access(2); tests replace it to act as another user.
  /// - Returns: nil if there is no such device.
  package init?(
    id: String, sysRoot: String = "/sys", devRoot: String = "/dev",
    udevRoot: String = "/run/udev/data",
    allows: @escaping (_ path: String, _ mode: Int32) -> Bool = { access($0, $1) == 0 }
  ) {
    guard let root = SysfsFiles.realPath(sysRoot),
      let folder = SysfsFiles.realPath("\(sysRoot)/bus/iio/devices/\(id)")
    else { return nil }
    self.folder = folder
    self.sysRoot = root
    nodePath = "\(devRoot)/\(id)"
    self.udevRoot = udevRoot
    self.allows = allows
  }

  private var parent: String { SysfsFiles.parent(of: folder) }

  /// As `GyroDescription.parentPath`.
  package var parentPath: String {
    parent.hasPrefix(sysRoot) ? String(parent.dropFirst(sysRoot.count)) : parent
  }

  package var driver: String? {
    SysfsFiles.linkTarget("\(parent)/driver").map(SysfsFiles.lastName)
  }

  package var label: String? { SmallFile.text("\(folder)/label") }

  /// The attribute of old `cros-ec` drivers, else `lid` if the firmware states that.
  package var location: String? {
    if let text = SmallFile.text("\(folder)/location") { return text }
    return SmallFile.text("\(parent)/physical_location/lid") == "yes" ? "lid" : nil
  }

  /// Whether this device uses a trigger.
  package var takesTrigger: Bool { access("\(folder)/trigger/current_trigger", F_OK) == 0 }

  package var currentTrigger: String? { SmallFile.text("\(folder)/trigger/current_trigger") }

  /// A property from udev's rules and hwdb; nil: not set, or udev does not run.
  ///
  /// Read from udev's file for the node's number (systemd, src/libsystemd/sd-device: `c243:0` with
  /// lines `E:KEY=value`), since this module does not use libsystemd; else from `uevent`, for
  /// simulated devices.
  package func udevProperty(_ key: String) -> String? {
    let known = SmallFile.text("\(folder)/dev").flatMap { SmallFile.text("\(udevRoot)/c\($0)") }
    return known.flatMap { Self.value(of: "E:\(key)=", in: $0) }
      ?? SmallFile.text("\(folder)/uevent").flatMap { Self.value(of: "\(key)=", in: $0) }
  }

  private static func value(of prefix: String, in lines: String) -> String? {
    lines.split(separator: "\n").first { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  /// The kernel's HID_MAX_DESCRIPTOR_SIZE.
  private static let maxDescriptorBytes = 4096

  /// Whether it is a HID sensor that sends its own timestamps.
  package var hasDeviceTimestamps: Bool {
    guard driver?.hasPrefix("hid_sensor") ?? false else { return false }
    var ancestor = parent
    while ancestor.count > sysRoot.count {
      if let bytes = try? SmallFile.read(
        "\(ancestor)/report_descriptor", limit: Self.maxDescriptorBytes)
      {
        return HIDTimestampField.isInGyroscope(of: bytes)
      }
      ancestor = SysfsFiles.parent(of: ancestor)
    }
    return false
  }

  package var gyroAccess: GyroAccess {
    GyroAccess(
      node: allows(nodePath, R_OK | W_OK),
      refusedSettings: settings.filter { name in
        let path = "\(folder)/\(name)"
        var status = stat()
        // A file that no user can write is not a setting.
        guard stat(path, &status) == 0, status.st_mode & 0o222 != 0 else { return false }
        return !allows(path, W_OK)
      },
      raw: GyroAttributes.axes.allSatisfy { allows("\(folder)/in_\($0)_raw", R_OK) })
  }

  /// Whether a buffer is on, in whichever program.
  package var bufferIsEnabled: Bool { SmallFile.text("\(folder)/buffer/enable") == "1" }

  /// The existing files that streaming writes. libiio turns every scan element off before it turns the
  /// requested ones on.
  package var settings: [String] {
    let fixed = [
      "buffer/enable", "buffer/length", "buffer/watermark", "current_timestamp_clock",
      "trigger/current_trigger",
    ].filter { access("\(folder)/\($0)", F_OK) == 0 }
    let elements = SysfsFiles.names(in: "\(folder)/scan_elements")
      .filter { $0.hasSuffix("_en") }.map { "scan_elements/\($0)" }
    let rates = SysfsFiles.names(in: folder).filter { name in
      name == "sampling_frequency"
        || name.hasPrefix("in_anglvel") && name.hasSuffix("sampling_frequency")
    }
    return fixed + elements + rates
  }
}

/// Paths, links and folders of sysfs and procfs.
package enum SysfsFiles {
  /// Returns the path with its links followed; nil: it does not exist.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns a link's target as it is stored; nil: there is no link.
  package static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  package static func lastName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns the names in a folder without hidden ones, sorted; none if it cannot be read.
  package static func names(in folder: String) -> [String] {
    let names = (try? Directory.names(in: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }
}
