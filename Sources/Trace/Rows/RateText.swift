// SPDX-License-Identifier: Apache-2.0

/// Parses numbers of any length to correctly rounded doubles.
enum RateText {
  /// Reads a number and moves `at` to its end; nil if there is none. `nan`, `inf` and `infinity` are
  /// recognized in any case. See `DecimalScan` for what the bytes must be.
  static func read(_ text: borrowing RawSpan, _ at: inout Int, mark: UInt8) -> Double? {
    let start = at
    guard let scan = DecimalScan(text, &at, mark: mark) else {
      at = start
      return readWord(text, &at)
    }
    let (powers, exactPowers) = (ParallaxTrace.powers, ParallaxTrace.exactPowers)
    return value(of: scan, powers.span, exactPowers.span) ?? readSlowly(text, start..<at)
  }

  /// Returns the value of a number; nil if it has more than 19 digits or a large exponent.
  @inline(__always)
  static func value(
    of scan: DecimalScan, _ powers: borrowing Span<UInt64>, _ exactPowers: borrowing Span<Double>
  ) -> Double? {
    guard scan.digits <= DecimalScan.maxExactDigits else { return nil }
    var value: Double
    // Clinger 1990: both factors are exact doubles, so one operation rounds once.
    if scan.mantissa <= 1 << 53 {
      value = Double(Int64(bitPattern: scan.mantissa))
      if scan.exponent <= 0 {
        guard scan.exponent >= -22 else { return nil }
        value /= exactPowers[0 &- scan.exponent]
      } else {
        guard scan.exponent <= 22 else { return nil }
        value *= exactPowers[scan.exponent]
      }
    } else {
      guard scan.exponent < 0, scan.exponent >= -19 else { return nil }
      value = quotient(scan.mantissa, powers[0 &- scan.exponent])
    }
    return scan.isNegative ? -value : value
  }

  /// Returns a / b correctly rounded, by one division of 128 by 64 bits. The quotient has at least 63
  /// bits, and a nonzero remainder breaks an apparent tie.
  @inline(__always)
  private static func quotient(_ a: UInt64, _ b: UInt64) -> Double {
    let shiftA = a.leadingZeroBitCount
    let shiftB = b.leadingZeroBitCount
    let dividend = a << UInt64(shiftA)
    let divisor = b << UInt64(shiftB)
    let (whole, rest) = divisor.dividingFullWidth((dividend >> 1, dividend << 63))
    // Bit 0 is ten bits below the kept ones, so it can stand for a nonzero remainder.
    let rounded = Double(rest == 0 ? whole : whole | 1)
    let exponent = shiftB &- shiftA &- 63
    return rounded * Double(bitPattern: UInt64(bitPattern: Int64(1023 &+ exponent)) << 52)
  }

  /// Reads a number for which `value(of:)` is nil.
  @inline(never)
  static func readSlowly(_ text: borrowing RawSpan, _ range: Range<Int>) -> Double? {
    // `Double` requires a decimal point. Too large a number is infinite, too small a one is 0.
    let comma = UInt8(ascii: ",")
    let number = range.map { text.byte($0) == comma ? UInt8(ascii: ".") : text.byte($0) }
    return Double(String(decoding: number, as: UTF8.self))
  }

  /// Reads `nan`, `inf` or `infinity`, with or without a sign.
  @inline(never)
  private static func readWord(_ text: borrowing RawSpan, _ at: inout Int) -> Double? {
    let isNegative = text.byte(at) == UInt8(ascii: "-")
    var end = at
    if isNegative || text.byte(end) == UInt8(ascii: "+") { end += 1 }
    if skip("nan", text, &end) {
      at = end
      return .nan
    }
    guard skip("inf", text, &end) else { return nil }
    _ = skip("inity", text, &end)
    at = end
    return isNegative ? -.infinity : .infinity
  }

  private static func skip(_ word: String, _ text: borrowing RawSpan, _ at: inout Int) -> Bool {
    var end = at
    for letter in word.utf8 {
      guard text.byte(end) | 0x20 == letter else { return false }
      end += 1
    }
    at = end
    return true
  }
}

/// 10^0 to 10^22: the powers of ten that a double represents exactly.
let exactPowers: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// 10^0 to 10^19: the powers of ten that fit in 64 bits.
let powers: [UInt64] = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
  1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
  1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]
