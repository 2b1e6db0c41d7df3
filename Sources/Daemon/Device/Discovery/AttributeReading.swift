// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A device's attributes as libiio presents them: those of channels under each channel, with shared
/// ones merged in (`in_anglvel_scale` is `scale` of `anglvel_x`).
package protocol AttributeReading {
  /// The text without white space around it; nil: missing, empty or unreadable.
  func channelAttribute(_ name: String, of channel: String) -> String?

  func deviceAttribute(_ name: String) -> String?
}

/// A gyroscope's properties, from the attributes that its driver uses.
///
/// The attributes by driver (sources in Linux):
///
/// | | scale | rate | mount matrix |
/// |---|---|---|---|
/// | drivers/iio/gyro/hid-sensor-gyro-3d.c | `in_anglvel_scale` | `in_anglvel_sampling_frequency` | |
/// | drivers/iio/imu/bmi160 | the same | the same | `in_mount_matrix` |
/// | drivers/iio/gyro/bmg160_core.c | the same | the same | `in_mount_matrix` |
/// | drivers/iio/gyro/st_gyro_core.c | `in_anglvel_x_scale` | `sampling_frequency` | `mount_matrix` |
/// | drivers/iio/imu/inv_mpu6050 | `in_anglvel_scale` | the same | `in_anglvel_mount_matrix` |
/// | drivers/iio/imu/st_lsm6dsx | the same | the same | `mount_matrix` |
/// | drivers/iio/common/cros_ec_sensors | `scale` | the same | |
package struct GyroAttributes: Equatable, Sendable {
  package var scale: Double?
  package var offset: Double
  package var rate: Double?
  package var availableRates: RateList
  package var mountMatrix: MountMatrixReading

  package static let axes = ["anglvel_x", "anglvel_y", "anglvel_z"]

  package init(_ source: some AttributeReading) {
    /// An axis's attribute, else the device's.
    func text(_ name: String) -> String? {
      for axis in Self.axes {
        if let text = source.channelAttribute(name, of: axis) { return text }
      }
      return source.deviceAttribute(name)
    }
    scale = text("scale").flatMap { SettingText.number($0) }.flatMap { $0 == 0 ? nil : $0 }
    offset = text("offset").flatMap { SettingText.number($0) } ?? 0
    rate = text("sampling_frequency").flatMap { SettingText.number($0) }
      .flatMap { $0 > 0 ? $0 : nil }
    availableRates = text("sampling_frequency_available").map { RateList(parsing: $0) } ?? .unknown
    // libiio parses `in_mount_matrix` as an attribute `matrix` of a channel `mount`.
    mountMatrix = MountMatrixReading(
      text("mount_matrix") ?? source.channelAttribute("matrix", of: "mount")
        ?? source.deviceAttribute("in_mount_matrix"))
  }
}

extension MountMatrixReading {
  /// Parses the attribute's text, `1, 0, 0; 0, 1, 0; 0, 0, 1`.
  package init(_ text: String?) {
    guard let text, !text.isEmpty else {
      self = .absent
      return
    }
    do {
      self = .rotation(try MountMatrix(parsing: text))
    } catch {
      self = .refused(text: text, why: error.message)
    }
  }
}
