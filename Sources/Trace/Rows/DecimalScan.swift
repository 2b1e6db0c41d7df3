// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
  /// Loads a byte.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 { unsafeLoad(fromByteOffset: index, as: UInt8.self) }

  /// Loads eight bytes, the first one lowest.
  @inline(__always)
  func word(_ index: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Loads sixteen bytes as two words.
  @inline(__always)
  func words(_ index: Int) -> (UInt64, UInt64) {
    let pair = unsafeLoadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
    return (UInt64(littleEndian: pair[0]), UInt64(littleEndian: pair[1]))
  }
}

/// A decimal number in a text: (-1)^isNegative * mantissa * 10^exponent.
///
/// The scanned line must end in a line feed, and sixteen bytes must be loadable at each of its positions. A
/// number contains no line feed, so a scan stops there without comparing positions.
struct DecimalScan {
  /// The value of all digits; exact if `digits` is at most 19, wrapped around otherwise.
  var mantissa: UInt64 = 0
  /// The number of digits, with leading zeros.
  var digits: Int
  /// The power of ten. Of a written exponent, at most seven digits count.
  var exponent = 0
  var isNegative: Bool

  /// The maximum number of digits that always fits in 64 bits.
  static let maxExactDigits = 19

  private init(mantissa: UInt64, digits: Int, exponent: Int, isNegative: Bool) {
    self.mantissa = mantissa
    self.digits = digits
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// Scans a number in any form and moves `at` to its end; nil if there is none, and `at` is then undefined.
  ///
  /// - Parameter mark: Another decimal separator besides the point.
  init?(_ text: borrowing RawSpan, _ at: inout Int, mark: UInt8) {
    isNegative = text.byte(at) == UInt8(ascii: "-")
    if isNegative || text.byte(at) == UInt8(ascii: "+") { at &+= 1 }
    let table = ParallaxTrace.powers
    let powers = table.span
    digits = Self.run(text, &at, &mantissa, powers)
    if text.byte(at) == UInt8(ascii: ".") || text.byte(at) == mark {
      at &+= 1
      let fraction = Self.run(text, &at, &mantissa, powers)
      digits &+= fraction
      exponent = 0 &- fraction
    }
    guard digits > 0 else { return nil }
    guard text.byte(at) | 0x20 == UInt8(ascii: "e") else { return }
    at &+= 1
    let isNegative = text.byte(at) == UInt8(ascii: "-")
    if isNegative || text.byte(at) == UInt8(ascii: "+") { at &+= 1 }
    var digit = text.byte(at) &- UInt8(ascii: "0")
    guard digit <= 9 else { return nil }
    var written = 0
    while digit <= 9 {
      // A line is at most 64 KiB: with a larger exponent, every number is 0 or infinite.
      if written < 1_000_000 { written = written &* 10 &+ Int(digit) }
      at &+= 1
      digit = text.byte(at) &- UInt8(ascii: "0")
    }
    exponent = isNegative ? exponent &- written : exponent &+ written
  }

  /// Scans a number as programs write it: no plus sign, a digit before the point, an exponent of one or two
  /// digits. Moves `at` to its end; nil for every other text, and `at` is then undefined.
  @inline(__always)
  static func plain(
    _ text: borrowing RawSpan, _ at: inout Int, _ powers: borrowing Span<UInt64>
  ) -> DecimalScan? {
    // Most rates have one digit before the point and eight or more after it. They are scanned here, without
    // a call.
    let word = text.word(at)
    let sign = word & 0xFF == 0x2D ? 1 : 0
    let head = word &>> UInt64(sign &* 8)
    let first = (head & 0xFF) &- 0x30
    let (low, high) = text.words(at &+ sign &+ 2)
    guard first <= 9, head & 0xFF00 == 0x2E00, Self.others(low ^ Self.zeros) == 0 else {
      return DecimalScan(otherPlain: text, &at, powers)
    }
    at &+= sign &+ 10
    // A zero takes up none of the 64 bits.
    var digits = first == 0 ? 8 : 9
    var exponent = -8
    var mantissa = first &* 100_000_000 &+ Self.number(low ^ Self.zeros)
    let others = Self.others(high ^ Self.zeros)
    var rest: UInt64
    if others != 0 {
      let count = others.trailingZeroBitCount >> 3
      mantissa = Self.appending(high ^ Self.zeros, count, to: mantissa, powers)
      at &+= count
      digits &+= count
      exponent &-= count
      // An exponent and the byte after it have up to five bytes.
      rest = count <= 3 ? high &>> UInt64(count &* 8) : text.word(at)
    } else {
      mantissa = mantissa &* 100_000_000 &+ Self.number(high ^ Self.zeros)
      at &+= 8
      let count = 8 &+ Self.run(text, &at, &mantissa, powers)
      digits &+= count
      exponent &-= count
      rest = text.word(at)
    }
    if rest & 0xDF == 0x45 {
      guard let written = Self.shortExponent(rest, &at) ?? Self.plainExponent(rest, &at) else {
        return nil
      }
      exponent &+= written
    }
    return DecimalScan(
      mantissa: mantissa, digits: digits, exponent: exponent, isNegative: sign == 1)
  }

  /// Scans other plain numbers: integers, and those with fewer digits after the point.
  @inline(never)
  private init?(
    otherPlain text: borrowing RawSpan, _ at: inout Int, _ powers: borrowing Span<UInt64>
  ) {
    isNegative = text.byte(at) == UInt8(ascii: "-")
    if isNegative { at &+= 1 }
    digits = Self.run(text, &at, &mantissa, powers)
    guard digits > 0 else { return nil }
    if text.byte(at) == UInt8(ascii: ".") {
      at &+= 1
      let fraction = Self.run(text, &at, &mantissa, powers)
      digits &+= fraction
      exponent = 0 &- fraction
    }
    guard let written = Self.plainExponent(text.word(at), &at) else { return nil }
    exponent &+= written
  }

  /// Skips a number below 10 that `plain` would scan; false for every other text, and `at` is then
  /// undefined.
  @inline(__always)
  static func skipBelowTen(_ text: borrowing RawSpan, _ at: inout Int) -> Bool {
    var word = text.word(at)
    if word & 0xFF == 0x2D {
      word >>= 8
      at &+= 1
    }
    guard (word & 0xFF) &- 0x30 <= 9, word & 0xFF00 == 0x2E00 else { return false }
    at &+= 2
    while true {
      word = text.word(at)
      let others = Self.others(word ^ Self.zeros)
      if others == 0 {
        at &+= 8
        continue
      }
      let count = others.trailingZeroBitCount >> 3
      at &+= count
      let rest = count <= 3 ? word &>> UInt64(count &* 8) : text.word(at)
      guard rest & 0xDF == 0x45 else { return true }
      guard let written = shortExponent(rest, &at) ?? plainExponent(rest, &at) else {
        return false
      }
      return written <= 0
    }
  }

  /// Scans an exponent of one digit without a plus sign at the beginning of a word; nil for another one.
  @inline(__always)
  private static func shortExponent(_ word: UInt64, _ at: inout Int) -> Int? {
    let sign: UInt64 = word & 0xFF00 == 0x2D00 ? 1 : 0
    let tail = word &>> (8 &+ sign &* 8)
    let digit = (tail & 0xFF) &- 0x30
    guard digit <= 9, (tail >> 8 & 0xFF) &- 0x30 > 9 else { return nil }
    at &+= 2 &+ Int(truncatingIfNeeded: sign)
    let value = Int(truncatingIfNeeded: digit)
    return sign == 1 ? 0 &- value : value
  }

  /// Scans an exponent of one or two digits at the beginning of a word, if there is one; nil for another one.
  @inline(never)
  private static func plainExponent(_ word: UInt64, _ at: inout Int) -> Int? {
    guard word & 0xDF == 0x45 else { return 0 }
    let sign = word >> 8 & 0xFF
    let isSigned = sign == 0x2D || sign == 0x2B
    let digits = word >> (isSigned ? 16 : 8)
    let first = (digits & 0xFF) &- 0x30
    let second = (digits >> 8 & 0xFF) &- 0x30
    at &+= isSigned ? 3 : 2
    guard first <= 9 else { return nil }
    var written = first
    if second <= 9 {
      written = written &* 10 &+ second
      at &+= 1
      guard (digits >> 16 & 0xFF) &- 0x30 > 9 else { return nil }
    }
    let value = Int(truncatingIfNeeded: written)
    return sign == 0x2D ? 0 &- value : value
  }

  /// Returns a value with the first bytes of a word, at most 7, appended as digits.
  @inline(__always)
  private static func appending(
    _ word: UInt64, _ count: Int, to value: UInt64, _ powers: borrowing Span<UInt64>
  ) -> UInt64 {
    // Two shifts, since no digit at all would be a shift by 64.
    value &* powers[count] &+ number((word &<< 8) &<< UInt64(56 &- count &* 8))
  }

  /// Appends the digits at `at` to a value, eight at a time, and returns their number.
  @inline(__always)
  private static func run(
    _ text: borrowing RawSpan, _ at: inout Int, _ value: inout UInt64,
    _ powers: borrowing Span<UInt64>
  ) -> Int {
    let start = at
    while true {
      let word = text.word(at) ^ zeros
      let others = others(word)
      if others == 0 {
        value = value &* 100_000_000 &+ number(word)
        at &+= 8
        continue
      }
      let bits = others.trailingZeroBitCount & 0x38
      value = appending(word, bits >> 3, to: value, powers)
      at &+= bits >> 3
      return at &- start
    }
  }

  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// Returns a word whose first set bit is in the first byte above 9.
  @inline(__always)
  private static func others(_ word: UInt64) -> UInt64 {
    ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | word) & 0x8080_8080_8080_8080
  }

  /// Returns the number that eight bytes 0...9 spell, the first one in the lowest byte: neighbors are joined
  /// into pairs, pairs into fours, and fours into eight.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64 {
    let pairs = (digits &* 10) &+ (digits >> 8)
    let lower = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let upper = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (lower &+ upper) >> 32
  }
}
