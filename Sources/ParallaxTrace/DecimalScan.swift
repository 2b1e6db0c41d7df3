// SPDX-License-Identifier: Apache-2.0

/// A decimal number in a text: (-1)^isNegative * mantissa * 10^exponent.
///
/// The scanned bytes must end in a line feed. A number contains none, so a scan stops there without
/// comparing positions.
struct DecimalScan {
  /// The value of all digits; exact if `digits` is at most 19, wrapped around otherwise.
  var mantissa: UInt64
  /// The number of digits, with leading zeros.
  var digits: Int
  /// The power of ten. Of a written exponent, at most seven digits count.
  var exponent: Int
  var isNegative: Bool

  /// The maximum number of digits that always fits in 64 bits.
  static let maxExactDigits = 19

  /// Scans a number and moves `text` to its end; nil if there is none, and `text` is then undefined.
  ///
  /// - Parameter mark: Another decimal separator besides the point.
  @inline(__always)
  init?(_ text: inout UnsafePointer<UInt8>, mark: UInt8) {
    var at = text
    var first = at[0]
    isNegative = first == UInt8(ascii: "-")
    if isNegative || first == UInt8(ascii: "+") {
      at += 1
      first = at[0]
    }
    var value: UInt64 = 0
    let whole = at
    var digit = first &- UInt8(ascii: "0")
    while digit <= 9 {
      value = value &* 10 &+ UInt64(digit)
      at += 1
      digit = at[0] &- UInt8(ascii: "0")
    }
    var count = at - whole
    var power = 0
    if at[0] == UInt8(ascii: ".") || at[0] == mark {
      at += 1
      let fraction = at
      // Eight digits at a time. The buffer is padded, so eight bytes can always be read.
      var word = Self.eightBytes(at)
      while Self.isEightDigits(word) {
        value = value &* 100_000_000 &+ Self.eightDigits(word)
        at += 8
        word = Self.eightBytes(at)
      }
      digit = UInt8(truncatingIfNeeded: word) &- UInt8(ascii: "0")
      while digit <= 9 {
        value = value &* 10 &+ UInt64(digit)
        at += 1
        digit = at[0] &- UInt8(ascii: "0")
      }
      power = fraction - at
      count += at - fraction
    }
    guard count > 0 else { return nil }
    if at[0] | 0x20 == UInt8(ascii: "e") {
      at += 1
      let isNegative = at[0] == UInt8(ascii: "-")
      if isNegative || at[0] == UInt8(ascii: "+") { at += 1 }
      digit = at[0] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      var written = 0
      while digit <= 9 {
        // A line is at most 64 KiB: with a larger exponent, every number is 0 or infinite.
        if written < 1_000_000 { written = written &* 10 &+ Int(digit) }
        at += 1
        digit = at[0] &- UInt8(ascii: "0")
      }
      power = isNegative ? power &- written : power &+ written
    }
    mantissa = value
    digits = count
    exponent = power
    text = at
  }

  @inline(__always)
  private static func eightBytes(_ text: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
  }

  /// Returns whether all eight bytes are "0" to "9".
  @inline(__always)
  private static func isEightDigits(_ word: UInt64) -> Bool {
    let low = word &+ 0x4646_4646_4646_4646
    let high = word &- 0x3030_3030_3030_3030
    return (low | high) & 0x8080_8080_8080_8080 == 0
  }

  /// Returns the value of eight digits, the first in the lowest byte: neighbors are joined into pairs,
  /// pairs into fours, and fours into eight.
  @inline(__always)
  private static func eightDigits(_ word: UInt64) -> UInt64 {
    var value = word &- 0x3030_3030_3030_3030
    value = (value &* 10) &+ (value >> 8)
    let lower = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let upper = ((value >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (lower &+ upper) >> 32
  }
}
