// SPDX-License-Identifier: Apache-2.0

/// Decimal numbers as text, by integer arithmetic: the same bytes on every machine, without a locale or
/// an allocation.
package enum DecimalText {
  /// Returns `value` times 10^decimals, rounded to an integer, half away from zero.
  ///
  /// The product is exact: the result rounds the decimal expansion of `value`, not a product that was
  /// already rounded.
  ///
  /// - Parameter decimals: 0...9.
  /// - Returns: 0 for NaN; the nearest `Int64` beyond its range.
  package static func scaled(_ value: Double, decimals: Int) -> Int64 {
    let power = powerOfTen(decimals)
    let product = value.magnitude * Double(power)
    guard product < 0x1p52 else { return scaledExactly(value, power: power) }
    // Below 2^52 the remainder is exact and a multiple of the product's last bit, so the product's own
    // rounding matters only at a half.
    let whole = Int64(product)
    let rest = product - Double(whole)
    if rest == 0.5 { return scaledExactly(value, power: power) }
    let rounded = rest > 0.5 ? whole + 1 : whole
    return value < 0 ? -rounded : rounded
  }

  private static func scaledExactly(_ value: Double, power: UInt64) -> Int64 {
    guard !value.isNaN else { return 0 }
    let limit = value < 0 ? Int64.min : Int64.max
    guard value.magnitude < 0x1p63 else { return limit }
    guard value.isNormal else { return 0 }
    // value = mantissa x 2^shift with mantissa below 2^53, so the product stays below 2^83.
    let product = UInt128(value.significandBitPattern | (1 << 52)) * UInt128(power)
    let shift = Int(value.exponent) - 52
    let rounded: UInt128
    if shift >= 0 {
      rounded = product << UInt128(shift)
    } else if shift > -100 {
      rounded = (product + (1 << UInt128(-shift - 1))) >> UInt128(-shift)
    } else {
      rounded = 0
    }
    guard rounded <= UInt128(Int64.max) else { return limit }
    return value < 0 ? -Int64(rounded) : Int64(rounded)
  }

  /// Returns 10^exponent for 0...9; 10^9 above, 1 below.
  @inlinable
  package static func powerOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
    case ...0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    default: 1_000_000_000
    }
  }
}

/// "00" to "99", two characters per number.
private let digitPairs: StaticString = """
  0001020304050607080910111213141516171819\
  2021222324252627282930313233343536373839\
  4041424344454647484950515253545556575859\
  6061626364656667686970717273747576777879\
  8081828384858687888990919293949596979899
  """

extension OutputBuffer {
  package mutating func append(unsigned value: UInt64) {
    reserve(20)
    used += writeDigits(value, to: base + used)
  }

  package mutating func append(integer value: Int64) {
    reserve(20)
    if value < 0 {
      append(byte: UInt8(ascii: "-"))
    }
    used += writeDigits(value.magnitude, to: base + used)
  }

  /// Appends an instant in seconds with all 9 decimals: `12.345678901`.
  package mutating func append(seconds instant: MotionInstant) {
    append(scaled: instant.nanoseconds, fixedDecimals: 9)
  }

  /// Appends a duration in seconds with all 9 decimals.
  package mutating func append(seconds duration: MotionDuration) {
    append(scaled: duration.nanoseconds, fixedDecimals: 9)
  }

  /// Appends a number with exactly that many decimals (0...9), rounded half away from zero, zero
  /// without a sign: `-0.500000`.
  ///
  /// Clamps to ±2^63 / 10^decimals. NaN, which no stage produces, becomes 0.
  package mutating func append(_ value: Double, fixedDecimals decimals: Int) {
    append(scaled: DecimalText.scaled(value, decimals: decimals), fixedDecimals: decimals)
  }

  /// Appends `value` / 10^decimals with exactly that many decimals (0...9): 150, 2 -> `1.50`.
  package mutating func append(scaled value: Int64, fixedDecimals decimals: Int) {
    // Specialized code without a division for the two cases in every row.
    switch decimals {
    case 6: append(scaled: value, power: 1_000_000, decimals: 6)
    case 9: append(scaled: value, power: 1_000_000_000, decimals: 9)
    default:
      let decimals = min(max(decimals, 0), 9)
      append(scaled: value, power: DecimalText.powerOfTen(decimals), decimals: decimals)
    }
  }

  @inline(__always)
  private mutating func append(scaled value: Int64, power: UInt64, decimals: Int) {
    reserve(32)
    let magnitude = value.magnitude
    var target = base + used
    if value < 0 {
      target[0] = UInt8(ascii: "-")
      target += 1
    }
    let whole = magnitude / power
    target += writeDigits(whole, to: target)
    if decimals > 0 {
      target[0] = UInt8(ascii: ".")
      writeFixed(magnitude - whole * power, width: decimals, to: target + 1)
      target += 1 + decimals
    }
    used = target - base
  }

  /// Appends `value` / 10^decimals (0...9) without trailing zeros: 150, 2 -> `1.5`; -50, 2 -> `-0.5`;
  /// 300, 2 -> `3`.
  package mutating func append(scaled value: Int64, trimmedDecimals decimals: Int) {
    append(scaled: value, fixedDecimals: decimals)
    guard decimals > 0 else { return }
    while base[used - 1] == UInt8(ascii: "0") {
      used -= 1
    }
    if base[used - 1] == UInt8(ascii: ".") {
      used -= 1
    }
  }

  /// Appends the shortest text that reads back as the same number; JSON if the number is finite. May
  /// allocate: for recordings, not for frames.
  package mutating func append(shortest value: Double) {
    append(text: value.description)
  }
}

/// Writes a number without leading zeros; returns the number of characters (1...20).
@inline(__always)
private func writeDigits(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
  if value < 10 {
    target.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    return 1
  }
  let width = digitCount(value)
  writeFixed(value, width: width, to: target)
  return width
}

@inline(never)
private func digitCount(_ value: UInt64) -> Int {
  var count = 1
  var bound: UInt64 = 10
  while value >= bound {
    count += 1
    let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
    if overflow { break }
    bound = next
  }
  return count
}

/// Writes the last `width` digits of a number, with leading zeros.
@inline(__always)
private func writeFixed(_ value: UInt64, width: Int, to target: UnsafeMutablePointer<UInt8>) {
  let pairs = digitPairs.utf8Start
  var rest = value
  var at = width
  while at >= 2 {
    let quotient = rest / 100
    let pair = pairs + Int(truncatingIfNeeded: (rest &- quotient &* 100) &* 2)
    at &-= 2
    target[at] = pair[0]
    target[at &+ 1] = pair[1]
    rest = quotient
  }
  if at == 1 {
    target[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
  }
}
