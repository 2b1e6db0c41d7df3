// SPDX-License-Identifier: Apache-2.0

/// A gyroscope's sysfs folder, with the names and formats of its driver in the kernel's sources.
///
/// Tests of discovery use it as a table, and with libiio under umockdev.
package struct GyroLayout: Sendable {
  /// The kernel source, below Linux's `drivers/iio`.
  package var source: String
  /// The attribute `name`.
  package var name: String
  /// The parent device's driver and bus.
  package var driver: String
  package var bus: String
  /// The path below /sys.
  package var parentPath: String
  /// File names and texts, without the files that every gyroscope has, such as `in_anglvel_x_raw`.
  package var attributes: [(name: String, text: String)]
  /// The measured axes.
  package var axes = ["x", "y", "z"]
  /// Whether there are scan elements.
  package var hasBuffer = true
  /// Whether the scans can also hold `in_accel_x`, `in_accel_y` and `in_accel_z`.
  package var hasAccelerometer = false
  /// The properties from udev.
  package var properties: [(key: String, value: String)] = []
  /// The text of `trigger/current_trigger`; nil if there is no such file.
  package var currentTrigger: String?
  /// The triggers that the driver creates; `{}` is the device's number.
  package var triggers: [String] = []

  package static let hid = GyroLayout(
    source: "gyro/hid-sensor-gyro-3d.c", name: "gyro_3d", driver: "hid_sensor_gyro_3d",
    bus: "platform", parentPath: "/devices/platform/HID-SENSOR-200076.1.auto",
    attributes: [
      ("in_anglvel_scale", "0.000174532"), ("in_anglvel_offset", "0"),
      ("in_anglvel_sampling_frequency", "10.000000"), ("in_anglvel_hysteresis", "0.000000"),
      ("current_timestamp_clock", "realtime"),
    ], currentTrigger: "gyro_3d-dev{}", triggers: ["gyro_3d-dev{}"])

  package static let bmi160 = GyroLayout(
    source: "imu/bmi160/bmi160_core.c", name: "bmi160", driver: "bmi160_i2c", bus: "i2c",
    parentPath: "/devices/pci0000:00/0000:00:15.0/i2c-1/i2c-BMI0160:00",
    attributes: [
      ("in_anglvel_scale", "0.001065"), ("in_anglvel_sampling_frequency", "100.000000"),
      ("in_anglvel_sampling_frequency_available", "25 50 100 200 400 800 1600 3200"),
      ("in_anglvel_scale_available", "0.001065 0.000532 0.000266 0.000133 0.000066"),
      ("in_accel_x_raw", "0"), ("in_accel_y_raw", "0"), ("in_accel_z_raw", "16384"),
      ("in_accel_scale", "0.000598"), ("in_accel_sampling_frequency", "1600.000000"),
      ("in_accel_sampling_frequency_available", "0.78125 1.5625 12.5 25 50 100 1600"),
      ("in_mount_matrix", "-1, 0, 0; 0, -1, 0; 0, 0, 1"),
    ], hasAccelerometer: true, currentTrigger: "")

  package static let bmg160 = GyroLayout(
    source: "gyro/bmg160_core.c", name: "bmg160", driver: "bmg160_i2c", bus: "i2c",
    parentPath: "/devices/platform/soc/1c2b000.i2c/i2c-2/2-0068",
    attributes: [
      ("in_anglvel_scale", "0.000266"), ("in_anglvel_sampling_frequency", "100"),
      ("sampling_frequency_available", "100 200 400 1000 2000"),
      ("in_anglvel_filter_low_pass_3db_frequency", "23"),
      ("in_temp_raw", "1"), ("in_temp_scale", "500"), ("in_temp_offset", "46"),
      ("in_mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 1"),
    ], currentTrigger: "",
    triggers: ["bmg160-any-motion-dev{}", "bmg160-dev{}"])

  package static let l3gd20 = GyroLayout(
    source: "gyro/st_gyro_core.c", name: "l3gd20", driver: "st-gyro-i2c", bus: "i2c",
    parentPath: "/devices/platform/soc/40005800.i2c/i2c-0/0-006a",
    attributes: [
      ("in_anglvel_x_scale", "0.000153"), ("in_anglvel_y_scale", "0.000153"),
      ("in_anglvel_z_scale", "0.000153"), ("in_anglvel_scale_available", "0.000153 0.000305"),
      ("sampling_frequency", "95"), ("sampling_frequency_available", "95 190 380 760"),
      ("mount_matrix", "0, 1, 0; -1, 0, 0; 0, 0, 1"),
    ], currentTrigger: "l3gd20-trigger", triggers: ["l3gd20-trigger"])

  package static let mpu6050 = GyroLayout(
    source: "imu/inv_mpu6050/inv_mpu_core.c", name: "mpu6050", driver: "inv-mpu6050-i2c",
    bus: "i2c", parentPath: "/devices/platform/soc/3f804000.i2c/i2c-1/1-0068",
    attributes: [
      ("in_anglvel_scale", "0.001064724"), ("in_anglvel_x_calibbias", "0"),
      ("in_anglvel_scale_available", "0.000133090 0.000266181 0.000532362 0.001064724"),
      ("sampling_frequency", "50"), ("sampling_frequency_available", "10 20 50 100 200 500"),
      ("in_accel_x_raw", "0"), ("in_accel_y_raw", "0"), ("in_accel_z_raw", "16384"),
      ("in_accel_scale", "0.000598"),
      ("in_anglvel_mount_matrix", "0, 0, 1; 0, 1, 0; -1, 0, 0"),
      ("in_accel_mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 1"),
    ], hasAccelerometer: true, currentTrigger: "mpu6050-dev{}", triggers: ["mpu6050-dev{}"])

  package static let lsm6dsx = GyroLayout(
    source: "imu/st_lsm6dsx/st_lsm6dsx_core.c", name: "lsm6dsl_gyro", driver: "st_lsm6dsx_i2c",
    bus: "i2c", parentPath: "/devices/platform/soc/30a40000.i2c/i2c-2/2-006a",
    attributes: [
      ("in_anglvel_scale", "0.000152716"),
      ("in_anglvel_scale_available", "0.000152716 0.000305433 0.000610865 0.001221730"),
      ("sampling_frequency", "26.000000"),
      ("sampling_frequency_available", "12.500 26.000 52.000 104.000 208.000 416.000"),
      ("mount_matrix", "1, 0, 0; 0, -1, 0; 0, 0, -1"),
    ])

  /// Its frequency list starts with 0, which stops it.
  package static let crosEc = GyroLayout(
    source: "common/cros_ec_sensors/cros_ec_sensors.c", name: "cros-ec-gyro",
    driver: "cros-ec-sensors", bus: "platform",
    parentPath: "/devices/pci0000:00/0000:00:1f.0/PNP0C09:00/GOOG0004:00/cros-ec-gyro.13.auto",
    attributes: [
      ("scale", "0.000532632"), ("sampling_frequency", "0.000000"),
      ("sampling_frequency_available", "0.000000 25.000000 100.000000"),
      ("in_anglvel_x_calibbias", "0"), ("in_anglvel_x_calibscale", "1.000000"),
      ("id", "2"), ("label", "accel-display"), ("current_timestamp_clock", "boottime"),
    ])

  package static let all = [hid, bmi160, bmg160, l3gd20, mpu6050, lsm6dsx, crosEc]
}

extension GyroLayout {
  /// Returns the device, its parent and its triggers in umockdev's format.
  ///
  /// - Parameters:
  ///   - number: the device's number; those of triggers start at ten times this.
  ///   - node: whether /dev has the device.
  package func umockdev(number: Int, node: Bool = true) -> String {
    var lines = [
      "P: \(parentPath)", "E: SUBSYSTEM=\(bus)", "E: DRIVER=\(driver)",
      "L: driver=../../bus/\(bus)/drivers/\(driver)", "",
      "P: \(parentPath)/iio:device\(number)",
    ]
    if node { lines.append("N: iio:device\(number)") }
    lines += ["E: SUBSYSTEM=iio", "E: DEVTYPE=iio_device", "A: name=\(name)\\n"]
    for (key, value) in properties { lines.append("E: \(key)=\(value)") }
    for (name, text) in files(number: number) { lines.append("A: \(name)=\(text)\\n") }
    for (index, trigger) in triggers.enumerated() {
      lines += [
        "", "P: \(parentPath)/trigger\(10 * number + index)", "E: SUBSYSTEM=iio",
        "A: name=\(numbered(trigger, number))\\n",
      ]
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  /// Returns every file in the device's folder except `name`.
  package func files(number: Int) -> [(name: String, text: String)] {
    var files = attributes
    for (index, axis) in axes.enumerated() {
      files.append(("in_anglvel_\(axis)_raw", "\(index)"))
      if hasBuffer { files += scanElement("anglvel_\(axis)", index: index) }
      if hasAccelerometer { files += scanElement("accel_\(axis)", index: axes.count + index) }
    }
    if hasBuffer { files += [("buffer/enable", "0"), ("buffer/length", "2")] }
    if let currentTrigger {
      files.append(("trigger/current_trigger", numbered(currentTrigger, number)))
    }
    return files
  }

  private func scanElement(_ name: String, index: Int) -> [(name: String, text: String)] {
    [
      ("scan_elements/in_\(name)_en", "0"), ("scan_elements/in_\(name)_index", "\(index)"),
      ("scan_elements/in_\(name)_type", "le:s16/16>>0"),
    ]
  }

  private func numbered(_ text: String, _ number: Int) -> String {
    text.split(separator: "{}", omittingEmptySubsequences: false).joined(separator: "\(number)")
  }
}
