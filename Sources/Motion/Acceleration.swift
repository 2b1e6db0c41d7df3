// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A reading of an accelerometer on three axes, m/s².
///
/// In the device's frame (x to the right, y up, z out of the screen) it has the sign of
/// iio-sensor-proxy and Windows: at rest it points to the ground, so an upright device reads
/// (0, -9.81, 0). The matrix of an accelerometer with the opposite sign corrects it, which is one
/// reason why such matrices mirror.
package struct Acceleration: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package static let zero = Acceleration(x: 0, y: 0, z: 0)

  /// The magnitude at rest, m/s² (ISO 80000-3: standard acceleration of free fall).
  package static let gravity = 9.80665
}

/// The map from an accelerometer's frame to the device's, row by row.
///
/// Unlike a gyroscope's it may mirror and need not be a rotation. It accepts what iio-sensor-proxy
/// accepts (src/accel-mount-matrix.c), because the known matrices (systemd's
/// hwdb.d/60-sensor.hwdb) were found with it: anything but a row of zeros.
package struct AccelMatrix: Equatable, Sendable {
  private let rows: (Acceleration, Acceleration, Acceleration)

  package static let identity = AccelMatrix(
    rows: (
      Acceleration(x: 1, y: 0, z: 0), Acceleration(x: 0, y: 1, z: 0), Acceleration(x: 0, y: 0, z: 1)
    ))

  private init(rows: (Acceleration, Acceleration, Acceleration)) {
    self.rows = rows
  }

  /// Parses `a,b,c;d,e,f;g,h,i`, the form of the kernel's attribute and of udev's property.
  package init(parsing text: String) throws(SettingError) {
    let entries = try MatrixText.entries(of: text)
    rows = (
      Acceleration(x: entries[0], y: entries[1], z: entries[2]),
      Acceleration(x: entries[3], y: entries[4], z: entries[5]),
      Acceleration(x: entries[6], y: entries[7], z: entries[8])
    )
    guard rows.0 != .zero, rows.1 != .zero, rows.2 != .zero else {
      throw SettingError("a row of the mount matrix '\(text)' is all zeros")
    }
  }

  /// The text that parses to this matrix.
  package var text: String { MatrixText.text(rowMajor, number: SettingText.text) }

  package var rowMajor: [Double] {
    [rows.0, rows.1, rows.2].flatMap { [$0.x, $0.y, $0.z] }
  }

  package func apply(_ a: Acceleration) -> Acceleration {
    Acceleration(x: rows.0.dot(a), y: rows.1.dot(a), z: rows.2.dot(a))
  }

  package static func == (left: AccelMatrix, right: AccelMatrix) -> Bool { left.rows == right.rows }
}

extension Acceleration {
  fileprivate func dot(_ other: Acceleration) -> Double {
    x * other.x + y * other.y + z * other.z
  }
}
