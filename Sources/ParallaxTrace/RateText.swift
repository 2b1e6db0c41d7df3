// SPDX-License-Identifier: Apache-2.0

import CNumber

/// Parses numbers of any length to correctly rounded doubles.
enum RateText {
  /// Reads a number and moves `text` to its end; nil if there is none. `nan`, `inf` and `infinity` are
  /// recognized in any case. The bytes must end in a line feed; see `DecimalScan`.
  @inline(__always)
  static func read(_ text: inout UnsafePointer<UInt8>, mark: UInt8) -> Double? {
    let start = text
    guard let scan = DecimalScan(&text, mark: mark) else {
      text = start
      return readWord(&text)
    }
    if scan.digits <= DecimalScan.maxExactDigits {
      // Clinger 1990: both factors are exact doubles, so one operation rounds once.
      if scan.mantissa <= 1 << 53 {
        if scan.exponent <= 0, scan.exponent >= -22 {
          let value = Double(Int64(bitPattern: scan.mantissa)) / exactPowers[-scan.exponent]
          return scan.isNegative ? -value : value
        }
        if scan.exponent > 0, scan.exponent <= 22 {
          let value = Double(Int64(bitPattern: scan.mantissa)) * exactPowers[scan.exponent]
          return scan.isNegative ? -value : value
        }
      } else if scan.exponent < 0, scan.exponent >= -19 {
        let value = quotient(scan.mantissa, powers[-scan.exponent])
        return scan.isNegative ? -value : value
      }
    }
    return readSlowly(from: start, to: text, scan: scan)
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

  /// Reads numbers that the fast paths do not cover: more than 19 digits, or large exponents.
  @inline(never)
  private static func readSlowly(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, scan: DecimalScan
  ) -> Double? {
    var first = start
    if first[0] == UInt8(ascii: "+") { first += 1 }
    var value = 0.0
    // The C function requires a decimal point.
    var text = [CChar](repeating: 0, count: end - first)
    for index in text.indices {
      text[index] = CChar(bitPattern: first[index] == UInt8(ascii: ",") ? 0x2E : first[index])
    }
    switch parallax_number_parse(text, text.count, &value) {
    case 0: return value
    case 2:
      // Too large or too small for a double; the position of the first digit decides which.
      let magnitude = isLarge(text, exponent: scan.exponent) ? Double.infinity : 0
      return scan.isNegative ? -magnitude : magnitude
    default: return nil
    }
  }

  private static func isLarge(_ text: [CChar], exponent: Int) -> Bool {
    let digits = text.prefix { $0 | 0x20 != CChar(UInt8(ascii: "e")) }
      .filter { $0 >= CChar(UInt8(ascii: "0")) && $0 <= CChar(UInt8(ascii: "9")) }
    let significant = digits.drop { $0 == CChar(UInt8(ascii: "0")) }
    return significant.count + exponent > 0
  }

  /// Reads `nan`, `inf` or `infinity`, with or without a sign.
  @inline(never)
  private static func readWord(_ text: inout UnsafePointer<UInt8>) -> Double? {
    var at = text
    let isNegative = at[0] == UInt8(ascii: "-")
    if isNegative || at[0] == UInt8(ascii: "+") { at += 1 }
    func skip(_ word: StaticString) -> Bool {
      for index in 0..<word.utf8CodeUnitCount
      where at[index] | 0x20 != word.utf8Start[index] {
        return false
      }
      at += word.utf8CodeUnitCount
      return true
    }
    if skip("nan") {
      text = at
      return .nan
    }
    guard skip("inf") else { return nil }
    _ = skip("inity")
    text = at
    return isNegative ? -.infinity : .infinity
  }
}

/// 10^0 to 10^22: the powers of ten that a double represents exactly.
private let exactPowers: [Double] = [
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
