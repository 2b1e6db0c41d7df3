// SPDX-License-Identifier: Apache-2.0

/// The whole seconds of the last row's time as text, which hundreds of rows have in common.
package struct WholeSeconds: Sendable {
  /// In nanoseconds. No time is in the second that this begins, before the first row.
  fileprivate var start: UInt64 = .max / 2
  /// The digits, the first one in the lowest byte.
  fileprivate var digits: UInt64 = 0
  fileprivate var length = 0

  package init() {}

  /// Moves to the second of a time; `length` is 0 if it has more than eight digits.
  @inline(never)
  fileprivate mutating func move(to nanoseconds: UInt64) {
    let seconds = nanoseconds / 1_000_000_000
    guard seconds < 100_000_000 else {
      length = 0
      return
    }
    start = seconds * 1_000_000_000
    let eight = eightDigits(seconds)
    let zeros = min((eight ^ 0x3030_3030_3030_3030).trailingZeroBitCount, 56) & 0x38
    digits = eight >> UInt64(zeros)
    length = 8 - zeros / 8
  }
}

extension OutputBuffer {
  /// Appends `t,x,y` lines: seconds from the origin with 9 decimals, numbers with 6. They are the bytes that
  /// `append(seconds:)` and `append(_:fixedDecimals:)` write, eight digits at a time.
  ///
  /// - Parameters:
  ///   - count: The number of rows; the arrays have at least as many elements.
  ///   - gain: The factor of x and y.
  package mutating func appendRows(
    _ count: Int, times: [MotionInstant], from origin: MotionInstant, x: [Double], y: [Double],
    gain: Double, _ whole: inout WholeSeconds
  ) {
    var row = 0
    while row < count {
      reserve((count - row) * Self.maxFastRow)
      row = appendFastRows(row..<count, times, origin, x, y, gain, &whole)
      guard row < count else { return }
      append(seconds: times[row] - origin)
      append(byte: UInt8(ascii: ","))
      append(x[row] * gain, fixedDecimals: 6)
      append(byte: UInt8(ascii: ","))
      append(y[row] * gain, fixedDecimals: 6)
      append(byte: UInt8(ascii: "\n"))
      row += 1
    }
  }

  /// 8 digits of seconds, 11 characters to the comma, twice `-12.345678` and what follows it; the last
  /// store is up to 8 bytes longer than its text.
  private static let maxFastRow = 8 + 11 + 2 * 11 + 8

  /// Appends rows up to the first that has to be written in another way, and returns its index.
  @inline(never)
  private mutating func appendFastRows(
    _ rows: Range<Int>, _ times: [MotionInstant], _ origin: MotionInstant, _ xs: [Double],
    _ ys: [Double], _ gain: Double, _ whole: inout WholeSeconds
  ) -> Int {
    let times = times.span.extracting(rows)
    let xs = xs.span.extracting(rows)
    let ys = ys.span.extracting(rows)
    return withSpareBytes { (spare: inout MutableRawSpan) -> (used: Int, result: Int) in
      var at = 0
      var seconds = whole
      defer { whole = seconds }
      for index in times.indices {
        let x = xs[index] * gain
        let y = ys[index] * gain
        let microX = microUnits(x)
        let microY = microUnits(y)
        let nanoseconds = UInt64(bitPattern: times[index].nanoseconds &- origin.nanoseconds)
        if nanoseconds &- seconds.start >= 1_000_000_000 { seconds.move(to: nanoseconds) }
        guard max(microX, microY) != .max, seconds.length > 0 else {
          return (at, rows.lowerBound + index)
        }
        spare.storeBytes(of: seconds.digits.littleEndian, toByteOffset: at, as: UInt64.self)
        at &+= seconds.length
        let fraction = nanoseconds &- seconds.start
        let head = fraction / 100_000_000
        let tail = eightDigits(fraction &- head &* 100_000_000)
        // ".d" and the first six of the eight digits, then the last two and a comma.
        let begin = 0x302E | head << 8 | tail << 16
        spare.storeBytes(of: begin.littleEndian, toByteOffset: at, as: UInt64.self)
        let end = UInt32(truncatingIfNeeded: tail >> 48 | 0x2C_0000)
        spare.storeBytes(of: end.littleEndian, toByteOffset: at &+ 8, as: UInt32.self)
        at &+= 11
        storeMicroUnits(microX, of: x, before: UInt8(ascii: ","), to: &spare, &at)
        storeMicroUnits(microY, of: y, before: UInt8(ascii: "\n"), to: &spare, &at)
      }
      return (at, rows.upperBound)
    }
  }
}

/// Returns |value| in millionths, rounded half away from zero; `.max` for 100 and more, for NaN, and for an
/// apparent tie, which only the exact product decides.
@inline(__always)
private func microUnits(_ value: Double) -> UInt64 {
  let product = value.magnitude * 1e6
  // The sum has no bits below 1: it is rounded, to even at a tie.
  let sum = product + 0x1p52
  let difference = (product - (sum - 0x1p52)).magnitude
  return product < 99_999_999 && difference != 0.5 ? sum.bitPattern & 0xF_FFFF_FFFF_FFFF : .max
}

/// Stores `-12.345678` and one more character.
@inline(__always)
private func storeMicroUnits(
  _ micro: UInt64, of value: Double, before next: UInt8, to spare: inout MutableRawSpan,
  _ at: inout Int
) {
  let digits = eightDigits(micro)
  let isShort: UInt64 = digits & 0xFF == 0x30 ? 1 : 0
  let isNegative = micro == 0 ? 0 : value.bitPattern >> 63
  let whole = (digits & 0xFFFF | 0x2E_0000) >> (isShort &* 8)
  let head = whole << (isNegative &* 8) | isNegative &* 0x2D
  spare.storeBytes(
    of: UInt32(truncatingIfNeeded: head).littleEndian, toByteOffset: at, as: UInt32.self)
  at &+= Int(truncatingIfNeeded: 3 &- isShort &+ isNegative)
  let fraction = digits >> 16 | UInt64(next) << 48
  spare.storeBytes(of: fraction.littleEndian, toByteOffset: at, as: UInt64.self)
  at &+= 7
}

/// Returns a number below 10^8 as eight characters, the first in the lowest byte: two fours, four pairs,
/// eight digits. The divisions by 10,000, 100 and 10 are exact products with their inverses.
@inline(__always)
private func eightDigits(_ value: UInt64) -> UInt64 {
  let upper = (value &* 109_951_163) >> 40
  let fours = upper | (value &- upper &* 10_000) << 32
  let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007F_0000_007F
  let pairs = hundreds | (fours &- hundreds &* 100) << 16
  let tens = ((pairs &* 103) >> 10) & 0x000F_000F_000F_000F
  return (tens | (pairs &- tens &* 10) << 8) | 0x3030_3030_3030_3030
}
