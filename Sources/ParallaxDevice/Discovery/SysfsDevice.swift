import Glibc

/// What sysfs tells of a device of this machine's beside its attributes: where it hangs, who drives
/// it, what this user may do with it.
///
/// Source: Linux Documentation/ABI/testing/sysfs-bus-iio and sysfs-devices-physical_location.
package struct SysfsDevice {
  /// With its links followed: `/sys/devices/.../iio:device0`.
  package let folder: String
  private let sysRoot: String
  private let nodePath: String
  private let udevRoot: String
  private let allows: (_ path: String, _ mode: Int32) -> Bool

  /// - Parameters:
  ///   - id: as in `iio:device0`.
  ///   - sysRoot: where sysfs is; another place in tests.
  ///   - devRoot: where the device nodes are.
  ///   - udevRoot: where udev keeps what it knows.
  ///   - allows: access(2) unless a test plays another user.
  /// - Returns: nil where there is no such device.
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

  /// As GyroDescription's.
  package var parentPath: String {
    parent.hasPrefix(sysRoot) ? String(parent.dropFirst(sysRoot.count)) : parent
  }

  package var driver: String? {
    SysfsFiles.linkTarget("\(parent)/driver").map(SysfsFiles.lastName)
  }

  package var label: String? { SysfsFiles.text("\(folder)/label") }

  /// The attribute of old `cros-ec` drivers, else the lid where the firmware says it is in there.
  package var location: String? {
    if let text = SysfsFiles.text("\(folder)/location") { return text }
    return SysfsFiles.text("\(parent)/physical_location/lid") == "yes" ? "lid" : nil
  }

  /// Whether this device takes a trigger at all.
  package var takesTrigger: Bool { access("\(folder)/trigger/current_trigger", F_OK) == 0 }

  package var currentTrigger: String? { SysfsFiles.text("\(folder)/trigger/current_trigger") }

  /// What udev's rules and its hwdb say of it; nil: nothing, or no udev runs.
  ///
  /// Read from udev's own file, by the node's number (systemd, src/libsystemd/sd-device: `c243:0` with
  /// lines `E:KEY=value`), since this room does without libsystemd; else from `uevent`, where a
  /// made-up device has it.
  package func udevProperty(_ key: String) -> String? {
    let known = SysfsFiles.text("\(folder)/dev").flatMap { SysfsFiles.text("\(udevRoot)/c\($0)") }
    return known.flatMap { Self.value(of: "E:\(key)=", in: $0) }
      ?? SysfsFiles.text("\(folder)/uevent").flatMap { Self.value(of: "\(key)=", in: $0) }
  }

  private static func value(of prefix: String, in lines: String) -> String? {
    lines.split(separator: "\n").first { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  package var hasDeviceTimestamps: Bool {
    guard driver?.hasPrefix("hid_sensor") ?? false else { return false }
    var ancestor = parent
    while ancestor.count > sysRoot.count {
      if let bytes = SysfsFiles.bytes("\(ancestor)/report_descriptor") {
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
        // What nobody may write is no setting here.
        guard stat(path, &status) == 0, status.st_mode & 0o222 != 0 else { return false }
        return !allows(path, W_OK)
      },
      raw: GyroAttributes.axes.allSatisfy { allows("\(folder)/in_\($0)_raw", R_OK) })
  }

  /// Whether a buffer is on, whoever turned it on.
  package var bufferIsEnabled: Bool { SysfsFiles.text("\(folder)/buffer/enable") == "1" }

  /// What streaming writes, of the files that are there. libiio turns every scan element off before
  /// it turns the wanted ones on.
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

/// Small files.
package enum SysfsFiles {
  /// The path with its links followed; nil where there is nothing.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What a link says, unresolved; nil where there is no link.
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

  /// Its text without spaces around it; nil where it is empty or cannot be read.
  package static func text(_ path: String) -> String? {
    guard let bytes = bytes(path) else { return nil }
    let space = UInt8(ascii: " ")
    let head = bytes.drop { $0 <= space }
    guard let last = head.lastIndex(where: { $0 > space }) else { return nil }
    return String(decoding: head[...last], as: UTF8.self)
  }

  /// At most a page of it, sysfs's limit for attributes.
  package static func bytes(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count < block.count {
      let count = read(descriptor, &block, block.count)
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// The names in a folder, sorted; none where there is none.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)
        ) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
