package import ParallaxMotion

/// The accelerometer in the same device as a gyroscope: one that the same scans can hold.
package struct AccelDescription: Equatable, Sendable {
  /// m/s² per LSB.
  package var scale: Double
  /// LSB, added before the scale. Default: 0.
  package var offset: Double
  /// To the device's frame.
  package var matrix: AccelMatrix
  /// What is odd about it, for a person; nil: nothing.
  package var warning: String?

  package static let axes = ["accel_x", "accel_y", "accel_z"]

  /// Where its matrix is, in this order (iio-sensor-proxy's is the same):
  ///
  /// - udev's property ACCEL_MOUNT_MATRIX (systemd, hwdb.d/60-sensor.hwdb);
  /// - `in_accel_mount_matrix` (inv_mpu6050), `in_mount_matrix` (bmi160), `mount_matrix`;
  /// - nothing: it is built in straight.
  ///
  /// - Parameter property: udev's.
  /// - Returns: nil where the driver says no scale.
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

/// The accelerometer beside a gyroscope that was opened.
package enum AccelUse: Equatable, Sendable {
  /// In another device, or nowhere: whoever reads it is in nobody's way.
  case elsewhere
  /// In the same device, its readings in every scan. `matrix`: to the device's frame.
  case readAlong(matrix: AccelMatrix)
  /// In the same device and not read: who streams from it takes the gyroscope away.
  case inTheWay
}
