// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The `key,value` lines above the columns of a Gyroflow log.
///
/// Source: docs.gyroflow.xyz, "GCSV format": the first line is `GYROFLOW IMU LOG` or
/// `CAMERA IMU LOG`; `tscale` and `gscale` are the seconds and the rad/s of one unit of the columns;
/// `orientation` has one letter per axis, in lower case if the sensor's axis points the other way.
struct GyroflowLog: Equatable {
  struct Axis: Equatable {
    /// 0, 1 or 2 for the logged x, y or z.
    var index: Int
    var isNegated: Bool
  }

  var axes = [
    Axis(index: 0, isNegated: false), Axis(index: 1, isNegated: false),
    Axis(index: 2, isNegated: false),
  ]
  /// The factor of the time column; nil if the log does not give it.
  var timeScale: TimeScale?
  /// The rad/s of one unit of the rate columns; nil if the log does not give it.
  var gyroScale: Double?

  /// Returns whether this is the first line of a Gyroflow log.
  static func isFirstLine(_ line: some StringProtocol) -> Bool {
    let text = HeaderCell.trimmed(line)
    return text == "GYROFLOW IMU LOG" || text == "CAMERA IMU LOG"
  }

  /// Sets the value of a line; unknown keys are ignored.
  mutating func set(key: String, value: String) throws(SettingError) {
    switch key {
    case "orientation":
      axes = try Self.axes(parsing: value)
    case "tscale":
      guard let scale = Self.timeScale(parsing: value) else {
        throw SettingError(
          "invalid tscale '\(quoted(value))'; write a number of seconds above 0")
      }
      timeScale = scale
    case "gscale":
      guard let scale = SettingText.number(value), scale != 0 else {
        throw SettingError(
          "invalid gscale '\(quoted(value))'; write a number of rad/s other than 0")
      }
      gyroScale = scale
    default: break
    }
  }

  private static func axes(parsing text: String) throws(SettingError) -> [Axis] {
    let axes = text.utf8.compactMap { letter -> Axis? in
      let index = Int(letter | 0x20) - Int(UInt8(ascii: "x"))
      return (0...2).contains(index) ? Axis(index: index, isNegated: letter & 0x20 != 0) : nil
    }
    guard text.utf8.count == 3, Set(axes.map(\.index)).count == 3 else {
      throw SettingError(
        "invalid orientation '\(quoted(text))'; write each of x, y and z once, in lower case for "
          + "negated axes, as in YxZ")
    }
    return axes
  }

  /// Parses the decimal number exactly, without binary fractions: 0.001 is 1 * 10^-3.
  private static func timeScale(parsing text: String) -> TimeScale? {
    let length = text.utf8.count
    let bytes = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: 24)
    var at = 0
    guard let scan = DecimalScan(bytes.span.bytes, &at, mark: UInt8(ascii: ".")), at == length,
      scan.digits <= DecimalScan.maxExactDigits, scan.mantissa > 0, !scan.isNegative
    else { return nil }
    var scale = TimeScale(mantissa: scan.mantissa, exponent: scan.exponent + 9)
    while scale.mantissa.isMultiple(of: 10) {
      scale.mantissa /= 10
      scale.exponent += 1
    }
    return scale
  }
}
