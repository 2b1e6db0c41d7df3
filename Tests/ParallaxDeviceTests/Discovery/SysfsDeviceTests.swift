// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxDevice
import ParallaxTestSupport
import Testing

@Suite("Sysfs device")
struct SysfsDeviceTests {
  /// The folders of a HID sensor hub's gyroscope.
  private static let hub = "devices/pci0000:00/0000:00:13.0/0018:8087:0AC2.0001"
  private static let gyro = hub + "/HID-SENSOR-200076.1.auto/iio:device3"

  private func device(
    _ folder: TemporaryFolder, files: [String: String] = [:],
    allows: @escaping (String, Int32) -> Bool = { access($0, $1) == 0 }
  ) throws -> SysfsDevice {
    try folder.write("0", to: "sys/\(Self.gyro)/buffer/enable")
    for axis in ["x", "y", "z"] {
      try folder.write("1", to: "sys/\(Self.gyro)/in_anglvel_\(axis)_raw")
      try folder.write("0", to: "sys/\(Self.gyro)/scan_elements/in_anglvel_\(axis)_en")
    }
    for (name, text) in files { try folder.write(text, to: "sys/" + name) }
    try folder.write("", to: "sys/bus/platform/drivers/hid_sensor_gyro_3d/bind")
    try folder.write("", to: "sys/bus/iio/devices/x")
    try folder.write("", to: "dev/iio:device3")
    symlink(
      folder("sys/bus/platform/drivers/hid_sensor_gyro_3d"),
      folder("sys/\(SysfsFiles.parent(of: Self.gyro))/driver"))
    symlink("../../../\(Self.gyro)", folder("sys/bus/iio/devices/iio:device3"))
    return try #require(
      SysfsDevice(
        id: "iio:device3", sysRoot: folder("sys"), devRoot: folder("dev"),
        udevRoot: folder("udev"), allows: allows))
  }

  @Test func parentDriverAndLabel() throws {
    let folder = try TemporaryFolder()
    let device = try device(folder, files: ["\(Self.gyro)/label": "accel-display\n"])
    #expect(device.parentPath == "/" + SysfsFiles.parent(of: Self.gyro))
    #expect(device.driver == "hid_sensor_gyro_3d")
    #expect(device.label == "accel-display")
    #expect(device.location == nil)
    #expect(!device.takesTrigger)
    #expect(SysfsDevice(id: "iio:device4", sysRoot: folder("sys")) == nil)
  }

  @Test(
    arguments: [
      (["\(gyro)/location": "base\n"], "base"),
      ([SysfsFiles.parent(of: gyro) + "/physical_location/lid": "yes\n"], "lid"),
      ([SysfsFiles.parent(of: gyro) + "/physical_location/lid": "no\n"], nil),
    ] as [([String: String], String?)])
  func location(files: [String: String], location: String?) throws {
    let folder = try TemporaryFolder()
    #expect(try device(folder, files: files).location == location)
  }

  @Test func udevProperties() throws {
    let folder = try TemporaryFolder()
    let key = "ACCEL_MOUNT_MATRIX"
    #expect(try device(folder).udevProperty(key) == nil)
    let uevent = "DEVTYPE=iio_device\n\(key)=1, 0, 0; 0, 1, 0; 0, 0, 1\n"
    let made = try device(
      folder, files: ["\(Self.gyro)/uevent": uevent, "\(Self.gyro)/dev": "243:3\n"])
    #expect(made.udevProperty(key) == "1, 0, 0; 0, 1, 0; 0, 0, 1")
    let record = "S:iio/x\nI:1234\nE:ID_PATH=pci\nE:\(key)=0, 1, 0; 1, 0, 0; 0, 0, 1\nG:systemd\n"
    try folder.write(record, to: "udev/c243:3")
    #expect(made.udevProperty(key) == "0, 1, 0; 1, 0, 0; 0, 0, 1")
    #expect(made.udevProperty("ACCEL") == nil)
  }

  @Test func triggers() throws {
    let folder = try TemporaryFolder()
    let device = try device(folder, files: ["\(Self.gyro)/trigger/current_trigger": "\n"])
    #expect(device.takesTrigger)
    #expect(device.currentTrigger == nil)
    try folder.write("gyro_3d-dev3\n", to: "sys/\(Self.gyro)/trigger/current_trigger")
    #expect(device.currentTrigger == "gyro_3d-dev3")
  }

  @Test func settingsOfStreaming() throws {
    let settings = [
      "buffer/enable", "buffer/length", "buffer/watermark", "current_timestamp_clock",
      "trigger/current_trigger", "scan_elements/in_accel_x_en", "scan_elements/in_anglvel_x_en",
      "scan_elements/in_anglvel_y_en", "scan_elements/in_anglvel_z_en",
      "scan_elements/in_timestamp_en", "in_anglvel_sampling_frequency",
    ]
    let others = [
      "in_accel_sampling_frequency", "in_anglvel_sampling_frequency_available",
      "scan_elements/in_anglvel_x_type", "in_anglvel_scale", "power/control",
    ]
    let names = (settings + others).map { ("\(Self.gyro)/\($0)", "0") }
    let folder = try TemporaryFolder()
    let device = try device(folder, files: Dictionary(uniqueKeysWithValues: names))
    #expect(device.settings.sorted() == settings.sorted())
    #expect(device.gyroAccess == .full)
  }

  /// Whether the mode allows it to others than owner and group.
  private static func allowsOthers(_ path: String, _ mode: Int32) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && Int32(status.st_mode) & mode == mode
  }

  @Test func otherUserMayOnlyReadRawValues() throws {
    let folder = try TemporaryFolder()
    let device = try device(
      folder, files: ["\(Self.gyro)/buffer/watermark": "1"], allows: Self.allowsOthers)
    // A file that no user can write is not a setting.
    chmod(folder("sys/\(Self.gyro)/buffer/watermark"), 0o444)
    chmod(folder("dev/iio:device3"), 0o600)
    #expect(
      device.gyroAccess
        == GyroAccess(
          node: false,
          refusedSettings: [
            "buffer/enable", "scan_elements/in_anglvel_x_en", "scan_elements/in_anglvel_y_en",
            "scan_elements/in_anglvel_z_en",
          ], raw: true))
    chmod(folder("sys/\(Self.gyro)/in_anglvel_z_raw"), 0o600)
    #expect(!device.gyroAccess.raw)
  }

  // Items of a report descriptor.
  private static let sensorPage: [UInt8] = [0x05, 0x20]
  private static let gyrometer: [UInt8] = [0x09, 0x76, 0xA1, 0x00]
  private static let accelerometer: [UInt8] = [0x09, 0x73, 0xA1, 0x00]
  private static let field: [UInt8] = [0x75, 0x10, 0x95, 0x01, 0x81, 0x02]
  private static let timestamp: [UInt8] = [0x0A, 0x29, 0x05] + field
  private static let end: [UInt8] = [0xC0]

  @Test(
    arguments: [
      (sensorPage + gyrometer + field + timestamp + end, true),
      (sensorPage + gyrometer + field + end, false),
      (sensorPage + gyrometer + field + end + accelerometer + timestamp + end, false),
      (sensorPage + accelerometer + timestamp + end + gyrometer + timestamp + end, true),
      ([0x0B, 0x76, 0x00, 0x20, 0x00, 0xA1, 0x00, 0xFE, 0x01, 0x00, 0xC0] + timestamp, true),
      (sensorPage + gyrometer + [0x0A, 0x29], false),
      ([], false),
    ] as [([UInt8], Bool)])
  func timestampsOfTheSensor(descriptor: [UInt8], found: Bool) throws {
    #expect(HIDTimestampField.isInGyroscope(of: descriptor) == found)
    let folder = try TemporaryFolder()
    try folder.write(bytes: descriptor, to: "sys/\(Self.hub)/report_descriptor")
    #expect(try device(folder).hasDeviceTimestamps == found)
  }

  @Test func anyBytesAreParsed() {
    var random = SeededGenerator.forTest()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = HIDTimestampField.isInGyroscope(of: bytes)
    }
  }

  @Test(
    arguments: [
      ("gyro_3d", "iio:device0", ["gyro_3d-dev0", "accel_3d-dev1"], "gyro_3d-dev0"),
      ("gyro_3d", "iio:device10", ["gyro_3d-dev0", "gyro_3d-dev10"], "gyro_3d-dev10"),
      ("bmg160", "iio:device2", ["bmg160-any-motion-dev2", "bmg160-dev2"], "bmg160-dev2"),
      ("l3gd20", "iio:device0", ["l3gd20-trigger"], "l3gd20-trigger"),
      (
        "adis16260", "iio:device0", ["adis16260-any-motion-dev0", "adis16260-data"],
        "adis16260-data"
      ),
      ("bmi160", "iio:device0", [], nil),
    ] as [(String, String, [String], String?)])
  func ownTrigger(device: String, id: String, triggers: [String], own: String?) {
    let near = triggers.map { TriggerFacts(name: $0, parentPath: "/devices/a") }
    let far = [TriggerFacts(name: "\(device)-trigger", parentPath: "/devices/b")]
    #expect(
      OwnTrigger.name(forDevice: device, id: id, parentPath: "/devices/a", among: far + near)
        == own)
    #expect(
      OwnTrigger.name(forDevice: device, id: id, parentPath: nil, among: [])
        == nil)
  }
}
