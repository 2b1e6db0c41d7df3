internal import ParallaxMotion

/// The `key,value` lines above a Gyroflow log's columns.
///
/// Source: docs.gyroflow.xyz, "GCSV format": the first line is `GYROFLOW IMU LOG` or
/// `CAMERA IMU LOG`; `tscale` gives seconds and `gscale` rad/s for one unit of the columns;
/// `orientation` has a letter for each axis, a small one where the sensor's points the other way.
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
  var timeScale: TimeScale?
  /// rad/s.
  var gyroScale: Double?

  /// Whether a file's first line says that it is one.
  static func isFirstLine(_ line: some StringProtocol) -> Bool {
    let text = HeaderCell.trimmed(line)
    return text == "GYROFLOW IMU LOG" || text == "CAMERA IMU LOG"
  }

  mutating func take(key: String, value: String) throws(SettingError) {
    switch key {
    case "orientation":
      axes = try Self.axes(parsing: value)
    case "tscale":
      guard let scale = Self.timeScale(parsing: value) else {
        throw SettingError(
          "tscale '\(quoted(value))' is no number of seconds; mend the log's header")
      }
      timeScale = scale
    case "gscale":
      guard let scale = SettingText.number(value), scale != 0 else {
        throw SettingError("gscale '\(quoted(value))' is no number of rad/s; mend the log's header")
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
        "the orientation '\(quoted(text))' is none; it has the letters x, y and z once each, "
          + "small ones for negated axes, as in YxZ")
    }
    return axes
  }

  /// The number itself, without a detour over binary fractions: 0.001 is 1 x 10^-3.
  private static func timeScale(parsing text: String) -> TimeScale? {
    var bytes = Array(text.utf8)
    bytes.append(contentsOf: [UInt8](repeating: UInt8(ascii: "\n"), count: 16))
    let length = text.utf8.count
    return bytes.withUnsafeBufferPointer { buffer -> TimeScale? in
      guard var at = buffer.baseAddress else { return nil }
      let start = at
      guard let scan = DecimalScan(&at, mark: UInt8(ascii: ".")), at - start == length,
        scan.digits <= DecimalScan.exactDigits, scan.mantissa > 0, !scan.isNegative
      else { return nil }
      var scale = TimeScale(mantissa: scan.mantissa, exponent: scan.exponent + 9)
      while scale.mantissa.isMultiple(of: 10) {
        scale.mantissa /= 10
        scale.exponent += 1
      }
      return scale
    }
  }
}
