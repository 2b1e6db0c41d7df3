// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

/// An accelerometer in the same device as a gyroscope, whose readings fit into the same scans.
package struct AccelDescription: Equatable, Sendable {
  /// m/s² per LSB.
  package var scale: Double
  /// LSB, added before the scale. Default: 0.
  package var offset: Double
  /// To the device's frame.
  package var matrix: AccelMatrix
  /// An oddity for the user; nil: none.
  package var warning: String?

  package static let axes = ["accel_x", "accel_y", "accel_z"]

  /// Reads its attributes. The matrix comes from, in this order (as in iio-sensor-proxy):
  ///
  /// - udev's property ACCEL_MOUNT_MATRIX (systemd, hwdb.d/60-sensor.hwdb);
  /// - `in_accel_mount_matrix` (inv_mpu6050), `in_mount_matrix` (bmi160), `mount_matrix`;
  /// - none of these: it is mounted along the device's axes.
  ///
  /// - Parameter property: udev's.
  /// - Returns: nil if the driver states no scale.
  package init?(_ source: some AttributeReading, property: String?) {
    func text(_ name: String) -> String? {
      for axis in Self.axes {
        if let text = source.channelAttribute(name, of: axis) { return text }
      }
      return source.deviceAttribute(name)
    }
    guard let scale = text("scale").flatMap({ SettingText.number($0) }), scale != 0 else {
      return nil
    }
    self.scale = scale
    offset = text("offset").flatMap { SettingText.number($0) } ?? 0
    matrix = .identity
    let texts = [
      property, text("mount_matrix"), source.channelAttribute("matrix", of: "mount"),
      source.deviceAttribute("in_mount_matrix"),
    ]
    for case let text? in texts where !text.isEmpty {
      do throws(SettingError) {
        matrix = try AccelMatrix(parsing: text)
        break
      } catch {
        warning = "its accelerometer's matrix is ignored: \(error.message)"
      }
    }
  }
}

/// The accelerometer that goes with an open gyroscope.
package enum AccelUse: Equatable, Sendable {
  /// In another device, or there is none: reading it does not disturb the gyroscope.
  case elsewhere
  /// In the same device, and read with the gyroscope. `matrix`: to the device's frame.
  case readAlong(matrix: AccelMatrix)
  /// In the same device, and not read: a program that streams from it blocks the gyroscope.
  case conflicting
}
