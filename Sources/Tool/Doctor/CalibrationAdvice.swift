// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// What to do with the result of a calibration.
enum CalibrationAdvice {
  /// The largest difference in an entry between two calibrations by hand.
  private static let tolerance = 0.1

  /// Returns the lines for the user.
  ///
  /// - Parameters:
  ///   - current: The mount matrix in effect; nil if it is unknown.
  ///   - file: The configuration that the daemon reads; nil if there is none.
  static func lines(
    _ calibration: MountCalibration, current: MountMatrix?, file: String?
  ) -> [String] {
    let matrix = calibration.matrix.text
    let kind =
      calibration.isAlongAxes
      ? "The sensor's axes are aligned with the device's."
      : "The sensor's axes are not aligned with the device's; calibrate twice, and use the mean if "
        + "the results differ."
    if let current, agrees(current, calibration.matrix) {
      return [kind, "The mount matrix \(matrix) is already in effect: nothing needs to be done."]
    }
    return [
      kind, "Put this into \(file ?? "the configuration"), then run 'parallax reload':", "",
      "[motion]", "mount-matrix = \"\(matrix)\"",
    ]
  }

  private static func agrees(_ one: MountMatrix, _ other: MountMatrix) -> Bool {
    zip(one.rowMajor, other.rowMajor).allSatisfy { ($0 - $1).magnitude <= tolerance }
  }
}
