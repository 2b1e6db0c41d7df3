// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDevice

/// Where a gyroscope could be without being a device of IIO yet: what the firmware and the sensor hub
/// describe, and the modules.
struct SensorPlaces: Equatable, Sendable {
  /// The maker's name for the machine; nil if the firmware has none.
  var machine: String?
  /// HID devices that the driver of sensor hubs serves.
  var hubs: [String] = []
  /// The sensors of these hubs, such as `accelerometer`.
  var hubSensors: [String] = []
  /// Gyroscopes in the tables of the firmware (ACPI), and the modules that drive them.
  var firmware: [Entry] = []
  /// The modules for gyroscopes that are loaded.
  var loaded: [String] = []
  /// Whether the running kernel has the module of gyroscopes in sensor hubs, in a file or built in.
  var hasHubModule = true

  struct Entry: Equatable, Sendable {
    var id: String
    var module: String
  }

  /// The module of gyroscopes in sensor hubs.
  static let hubModule = "hid_sensor_gyro_3d"

  /// What was looked at, for a finding.
  var summary: String {
    let hub =
      hubs.isEmpty
      ? "no HID sensor hub"
      : "the HID sensor hub has \(hubSensors.isEmpty ? "no sensors" : hubSensors.joined(separator: ", "))"
    let tables =
      firmware.isEmpty
      ? "no known gyroscope in the ACPI tables"
      : "ACPI: \(firmware.map { "\($0.id) (module \($0.module))" }.joined(separator: ", "))"
    let modules =
      loaded.isEmpty
      ? "no gyroscope module is loaded" : "modules: \(loaded.joined(separator: ", "))"
    return [hub, tables, modules].joined(separator: "; ")
  }

  /// What to try for a gyroscope that is described somewhere; nil if there is no trace of one.
  var advice: String? {
    if let entry = firmware.first(where: { !loaded.contains($0.module) }) {
      return "sudo modprobe \(entry.module)"
    }
    guard hubSensors.contains(Self.gyrometer), !loaded.contains(Self.hubModule) else { return nil }
    return hasHubModule
      ? "sudo modprobe \(Self.hubModule)"
      : "install the kernel's module \(Self.hubModule), on Ubuntu: "
        + "sudo apt install linux-modules-extra-$(uname -r)"
  }

  static let gyrometer = "gyrometer"
}

/// Finds these places.
enum SensorScan {
  /// - Parameters:
  ///   - sysRoot: The mount point of sysfs; tests use another folder.
  ///   - modulesFolder: The folder of the running kernel's modules; nil for the system's.
  static func places(sysRoot: String = "/sys", modulesFolder: String? = nil) -> SensorPlaces {
    var places = SensorPlaces()
    places.machine = machine(sysRoot)
    let hubs = "\(sysRoot)/bus/hid/drivers/hid-sensor-hub"
    // HID devices are named BUS:VENDOR:PRODUCT.NUMBER.
    places.hubs = SysfsFiles.names(in: hubs).filter { $0.contains(":") }.sorted()
    let children = SysfsFiles.names(in: "\(sysRoot)/bus/platform/devices")
      .filter { $0.hasPrefix("HID-SENSOR-") }
    places.hubSensors = usages.filter { usage in
      children.contains { $0.dropFirst("HID-SENSOR-".count).hasPrefix(usage.id) }
    }.map(\.name)
    let acpi = "\(sysRoot)/bus/acpi/devices"
    let ids = Set(
      SysfsFiles.names(in: acpi).compactMap { SmallFile.text("\(acpi)/\($0)/hid")?.uppercased() })
    places.firmware = acpiModules.filter { ids.contains($0.id) }
    let modules = Set(SysfsFiles.names(in: "\(sysRoot)/module"))
    places.loaded = Set(acpiModules.map(\.module) + [SensorPlaces.hubModule, "cros_ec_sensors"])
      .filter(modules.contains).sorted()
    places.hasHubModule = hasHubModule(modulesFolder ?? "/lib/modules/\(release)")
    return places
  }

  private static func machine(_ sysRoot: String) -> String? {
    let folder = "\(sysRoot)/class/dmi/id"
    let parts = ["sys_vendor", "product_name", "product_version"].compactMap {
      SmallFile.text("\(folder)/\($0)")
    }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// True if it cannot be known.
  private static func hasHubModule(_ folder: String) -> Bool {
    let lists = ["modules.dep", "modules.builtin"].compactMap { text(ofFile: "\(folder)/\($0)") }
    let names = ["hid-sensor-gyro-3d.ko", "hid_sensor_gyro_3d.ko"]
    return lists.isEmpty || lists.contains { list in names.contains { list.contains($0) } }
  }

  private static func text(ofFile path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, file), count > 0, bytes.count < 1 << 23 {
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static var release: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    return withUnsafeBytes(of: &name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Usages of the sensor page (0x20) of the HID usage tables, as Linux names the children of a hub.
  private static let usages: [(id: String, name: String)] = [
    ("200073", "accelerometer"), ("200076", SensorPlaces.gyrometer), ("200083", "magnetometer"),
    ("20008a", "orientation"), ("200041", "ambient light"), ("200011", "presence"),
  ]

  /// The ACPI ids of gyroscopes in the tables of Linux's drivers/iio/gyro and drivers/iio/imu.
  private static let acpiModules: [SensorPlaces.Entry] = [
    ("BMG0160", "bmg160_i2c"), ("BMI055B", "bmg160_i2c"), ("BMI088B", "bmg160_i2c"),
    ("10EC5280", "bmi160_i2c"), ("BMI0120", "bmi160_i2c"), ("BMI0160", "bmi160_i2c"),
    ("BMI0260", "bmi270_i2c"), ("INVN6500", "inv_mpu6050_i2c"), ("SMO8B30", "st_lsm6dsx_i2c"),
    ("SMOCF00", "st_lsm6dsx_i2c"),
  ].map { SensorPlaces.Entry(id: $0.0, module: $0.1) }
}
