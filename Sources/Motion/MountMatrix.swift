// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The rotation from the sensor's frame to the device's: w_device = M w_sensor.
///
/// Source: Linux Documentation/ABI/testing/sysfs-bus-iio, `in_mount_matrix`. A gyroscope's matrix
/// is a proper rotation; an accelerometer's (udev's ACCEL_MOUNT_MATRIX) is often mirrored and must
/// never be applied to rates.
package struct MountMatrix: Equatable, Sendable {
  /// Row by row: m[0...2] is the first row.
  @usableFromInline let m00, m01, m02, m10, m11, m12, m20, m21, m22: Double

  package static let identity = MountMatrix(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// The tolerance of each entry of M Mᵀ against the identity's: kernel matrices may have as few
  /// as two decimals.
  package static let rotationTolerance = 0.02

  private init(unchecked m: [Double]) {
    (m00, m01, m02) = (m[0], m[1], m[2])
    (m10, m11, m12) = (m[3], m[4], m[5])
    (m20, m21, m22) = (m[6], m[7], m[8])
  }

  /// Creates a matrix from nine finite entries, row by row.
  ///
  /// - Throws: an error if they are not a rotation; the message distinguishes mirrored frames.
  package init(rowMajor: [Double]) throws(SettingError) {
    guard rowMajor.count == 9, rowMajor.allSatisfy(\.isFinite) else {
      throw SettingError("a mount matrix needs nine finite numbers: a,b,c;d,e,f;g,h,i")
    }
    let matrix = MountMatrix(unchecked: rowMajor)
    guard matrix.isOrthonormal else {
      throw SettingError(
        "the mount matrix is not a rotation; its rows must have length 1 and be at right angles "
          + "to each other")
    }
    guard matrix.determinant > 0 else {
      throw SettingError(
        "the mount matrix mirrors the axes (determinant below 0), but a gyroscope's is a pure "
          + "rotation; negate one row, or use the gyroscope's own matrix")
    }
    self = matrix
  }

  package var rowMajor: [Double] { [m00, m01, m02, m10, m11, m12, m20, m21, m22] }

  package var transposed: MountMatrix {
    MountMatrix(unchecked: [m00, m10, m20, m01, m11, m21, m02, m12, m22])
  }

  /// Returns the rotation from the sensor's frame to the frame of the screen in this orientation, so that a screen
  /// in the normal orientation shows the same motion.
  package func turned(to orientation: Orientation) -> MountMatrix {
    // The driving motion is a = w_y and b = w_x.
    let remap = ScreenRemap(orientation)
    let rows = [
      remap.yb * m00 + remap.ya * m10, remap.yb * m01 + remap.ya * m11,
      remap.yb * m02 + remap.ya * m12,
      remap.xb * m00 + remap.xa * m10, remap.xb * m01 + remap.xa * m11,
      remap.xb * m02 + remap.xa * m12,
      m20, m21, m22,
    ]
    // Zero without a sign.
    return MountMatrix(unchecked: rows.map { $0 + 0 })
  }

  /// Whether a sample's z affects (a, b). If not, a trace needs no z column.
  package var usesZ: Bool { m02 != 0 || m12 != 0 }

  @inlinable
  package func apply(_ w: AngularRate) -> AngularRate {
    AngularRate(
      x: m00 * w.x + m01 * w.y + m02 * w.z,
      y: m10 * w.x + m11 * w.y + m12 * w.z,
      z: m20 * w.x + m21 * w.y + m22 * w.z)
  }

  private var isOrthonormal: Bool {
    let rows = [(m00, m01, m02), (m10, m11, m12), (m20, m21, m22)]
    for i in 0..<3 {
      for j in i..<3 {
        let dot = rows[i].0 * rows[j].0 + rows[i].1 * rows[j].1 + rows[i].2 * rows[j].2
        guard (dot - (i == j ? 1 : 0)).magnitude <= Self.rotationTolerance else { return false }
      }
    }
    return true
  }

  private var determinant: Double {
    m00 * (m11 * m22 - m12 * m21) - m01 * (m10 * m22 - m12 * m20) + m02 * (m10 * m21 - m11 * m20)
  }
}

// MARK: - Text form

extension MountMatrix {
  /// Parses `a,b,c;d,e,f;g,h,i`, the form of the kernel's attribute and of `--mount-matrix`.
  package init(parsing text: String) throws(SettingError) {
    try self.init(rowMajor: MatrixText.entries(of: text))
  }

  /// The text that parses to this matrix.
  package var text: String { text(number: SettingText.text) }

  /// Returns the text form with numbers in the given form.
  package func text(number: (Double) -> String) -> String {
    MatrixText.text(rowMajor, number: number)
  }
}

/// The text form of a mount matrix: three rows of three numbers, `a,b,c;d,e,f;g,h,i`.
enum MatrixText {
  /// Returns the nine entries, row by row.
  static func entries(of text: String) throws(SettingError) -> [Double] {
    let rows = text.split(separator: ";", omittingEmptySubsequences: false)
    var entries: [Double] = []
    for row in rows {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      guard cells.count == 3 else { break }
      for cell in cells {
        guard let entry = SettingText.number(cell) else {
          throw SettingError("'\(cell)' in the mount matrix is not a number")
        }
        entries.append(entry)
      }
    }
    guard rows.count == 3, entries.count == 9 else {
      throw SettingError("invalid mount matrix '\(text)'; write nine numbers as a,b,c;d,e,f;g,h,i")
    }
    return entries
  }

  static func text(_ entries: [Double], number: (Double) -> String) -> String {
    let cells = entries.map(number)
    return [cells[0..<3], cells[3..<6], cells[6..<9]].map { $0.joined(separator: ",") }
      .joined(separator: ";")
  }
}
