// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

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

  /// Reads a time and moves `at` to its end. See `DecimalScan` for what the bytes must be.
  static func read(
    _ text: borrowing RawSpan, _ at: inout Int, mark: UInt8, scale: TimeScale
  ) -> Value {
    let start = at
    guard let scan = DecimalScan(text, &at, mark: mark) else {
      at = start
      return RateText.read(text, &at, mark: mark) == nil ? .notANumber : .notFinite
    }
    let powers = ParallaxTrace.powers
    if scale.mantissa == 1,
      let instant = instant(of: scan, scaleExponent: scale.exponent, powers.span)
    {
      return instant.isAdmissible ? .instant(instant) : .outOfRange
    }
    return readSlowly(text, start, mark: mark, scan: scan, scale: scale)
  }

  /// Returns the time that is a number times 10^scaleExponent ns; nil if that needs more than 64 bits or the
  /// number has more than 19 digits.
  @inline(__always)
  static func instant(
    of scan: DecimalScan, scaleExponent: Int, _ powers: borrowing Span<UInt64>
  ) -> MotionInstant? {
    guard scan.digits <= DecimalScan.maxExactDigits else { return nil }
    let exponent = scan.exponent &+ scaleExponent
    var magnitude = scan.mantissa
    if exponent < 0 {
      guard exponent >= -19 else { return nil }
      let power = powers[0 &- exponent]
      // The sum is below 1.5 * 10^19, which fits in 64 bits.
      magnitude = (magnitude &+ power >> 1) / power
    } else if exponent > 0 {
      guard exponent <= 18 else { return nil }
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: powers[exponent])
      guard !overflow else { return nil }
      magnitude = product
    }
    guard magnitude <= UInt64(Int64.max) else { return nil }
    let value = Int64(bitPattern: magnitude)
    return MotionInstant(nanoseconds: scan.isNegative ? 0 &- value : value)
  }

  private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Value {
    guard magnitude <= UInt64(MotionInstant.maxAdmissible.nanoseconds) else { return .outOfRange }
    let value = Int64(bitPattern: magnitude)
    return .instant(MotionInstant(nanoseconds: isNegative ? -value : value))
  }

  @inline(never)
  private static func readSlowly(
    _ text: borrowing RawSpan, _ start: Int, mark: UInt8, scan: DecimalScan, scale: TimeScale
  ) -> Value {
    // The digits without leading zeros, as many as fit; each further one raises the exponent.
    var at = start
    if text.byte(at) == UInt8(ascii: "-") || text.byte(at) == UInt8(ascii: "+") { at += 1 }
    var mantissa: UInt128 = 0
    var exponent = scan.exponent
    var count = 0
    while true {
      let byte = text.byte(at)
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
