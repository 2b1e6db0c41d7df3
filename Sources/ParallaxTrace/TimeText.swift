// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

/// The factor from a trace's times to nanoseconds: mantissa * 10^exponent.
struct TimeScale: Equatable {
  /// 1, except in a Gyroflow log whose `tscale` is not a power of ten.
  var mantissa: UInt64
  var exponent: Int
}

/// Parses times to whole nanoseconds, rounded half away from zero from the decimal text, without binary
/// fractions.
enum TimeText {
  enum Value: Equatable {
    case instant(MotionInstant)
    /// The text is nan or inf.
    case notFinite
    /// Beyond `MotionInstant.maxAdmissible`.
    case outOfRange
    case notANumber
  }

  /// Reads a time and moves `text` to its end. The bytes must end in a line feed; see `DecimalScan`.
  @inline(__always)
  static func read(_ text: inout UnsafePointer<UInt8>, mark: UInt8, scale: TimeScale) -> Value {
    let start = text
    guard let scan = DecimalScan(&text, mark: mark) else {
      text = start
      return RateText.read(&text, mark: mark) == nil ? .notANumber : .notFinite
    }
    if scan.digits <= DecimalScan.maxExactDigits, scale.mantissa == 1 {
      let exponent = scan.exponent &+ scale.exponent
      if exponent <= 0, exponent >= -19 {
        let power = powers[-exponent]
        // The sum is below 1.5 * 10^19, which fits in 64 bits.
        let magnitude = exponent == 0 ? scan.mantissa : (scan.mantissa &+ power / 2) / power
        return signed(magnitude, isNegative: scan.isNegative)
      }
      if exponent > 0, exponent <= 18 {
        let (magnitude, overflow) =
          scan.mantissa.multipliedReportingOverflow(by: powers[exponent])
        return overflow ? .outOfRange : signed(magnitude, isNegative: scan.isNegative)
      }
    }
    return readSlowly(start, mark: mark, scan: scan, scale: scale)
  }

  @inline(__always)
  private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Value {
    guard magnitude <= UInt64(MotionInstant.maxAdmissible.nanoseconds) else { return .outOfRange }
    let value = Int64(bitPattern: magnitude)
    return .instant(MotionInstant(nanoseconds: isNegative ? -value : value))
  }

  @inline(never)
  private static func readSlowly(
    _ start: UnsafePointer<UInt8>, mark: UInt8, scan: DecimalScan, scale: TimeScale
  ) -> Value {
    // The digits without leading zeros, as many as fit; each further one raises the exponent.
    var at = start
    if at[0] == UInt8(ascii: "-") || at[0] == UInt8(ascii: "+") { at += 1 }
    var mantissa: UInt128 = 0
    var exponent = scan.exponent
    var count = 0
    while true {
      let byte = at[0]
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        // 128 bits hold 38 digits; a scale other than 1 has up to 20 of them.
        if count < (scale.mantissa == 1 ? 37 : 19) {
          mantissa = mantissa * 10 + UInt128(digit)
          if mantissa > 0 { count += 1 }
        } else {
          exponent += 1
        }
      } else if byte != UInt8(ascii: "."), byte != mark {
        break
      }
      at += 1
    }
    var product = mantissa * UInt128(scale.mantissa)
    var shift = exponent + scale.exponent
    guard product > 0 else { return .instant(.zero) }
    while shift > 0 {
      guard product <= UInt128(MotionInstant.maxAdmissible.nanoseconds) else { return .outOfRange }
      product *= 10
      shift -= 1
    }
    // Of the dropped digits, only the first affects rounding half away from zero.
    while shift < -1, product > 0 {
      product /= 10
      shift += 1
    }
    if shift == -1 { product = (product + 5) / 10 }
    guard product <= UInt128(MotionInstant.maxAdmissible.nanoseconds) else { return .outOfRange }
    return signed(UInt64(product), isNegative: scan.isNegative)
  }
}
