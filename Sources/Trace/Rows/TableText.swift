// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

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
  /// Appends `t,x,y` lines, or `t,x,y,vx,vy` if the frames have velocities: seconds from the origin with 9
  /// decimals, numbers with 6. Most rows are written eight digits at a time.
  ///
  /// - Parameters:
  ///   - rows: The indices of the frames.
  ///   - gain: The factor of offsets and velocities.
  package mutating func append(
    _ frames: borrowing FrameColumns, _ rows: Range<Int>, from origin: MotionInstant, gain: Double,
    _ whole: inout WholeSeconds
  ) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      reserve((rows.upperBound - row) * Self.maxFastRow)
      row = appendFastRows(frames, row..<rows.upperBound, origin, gain, &whole)
      guard row < rows.upperBound else { return }
      append(seconds: frames.times[row] - origin)
      append(frames.x[row] * gain)
      append(frames.y[row] * gain)
      if frames.hasVelocities {
        append(frames.vx[row] * gain)
        append(frames.vy[row] * gain)
      }
      append(byte: UInt8(ascii: "\n"))
      row += 1
    }
  }

  private mutating func append(_ value: Double) {
    append(byte: UInt8(ascii: ","))
    append(value, fixedDecimals: 6)
  }

  /// 8 digits of seconds, 11 characters to the comma, four times `-12.345678` and what follows it; the last
  /// store is up to 8 bytes longer than its text.
  private static let maxFastRow = 8 + 11 + 4 * 11 + 8

  /// Appends rows up to the first that has to be written in another way, and returns its index.
  @inline(never)
  private mutating func appendFastRows(
    _ frames: borrowing FrameColumns, _ rows: Range<Int>, _ origin: MotionInstant, _ gain: Double,
    _ whole: inout WholeSeconds
  ) -> Int {
    let times = frames.times.span
    let xs = frames.x.span
    let ys = frames.y.span
    let vxs = frames.vx.span
    let vys = frames.vy.span
    let hasVelocities = frames.hasVelocities
    let afterY = hasVelocities ? UInt8(ascii: ",") : UInt8(ascii: "\n")
    return withSpareBytes { (spare: inout MutableRawSpan) -> (used: Int, result: Int) in
      var at = 0
      var seconds = whole
      defer { whole = seconds }
      for index in rows {
        let begin = at
        let x = xs[index] * gain
        let y = ys[index] * gain
        let microX = microUnits(x)
        let microY = microUnits(y)
        let nanoseconds = UInt64(bitPattern: times[index].nanoseconds &- origin.nanoseconds)
        if nanoseconds &- seconds.start >= 1_000_000_000 { seconds.move(to: nanoseconds) }
        guard max(microX, microY) != .max, seconds.length > 0 else { return (begin, index) }
        spare.storeBytes(of: seconds.digits.littleEndian, toByteOffset: at, as: UInt64.self)
        at &+= seconds.length
        let fraction = nanoseconds &- seconds.start
        let head = fraction / 100_000_000
        let tail = eightDigits(fraction &- head &* 100_000_000)
        // ".d" and the first six of the eight digits, then the last two and a comma.
        let point = 0x302E | head << 8 | tail << 16
        spare.storeBytes(of: point.littleEndian, toByteOffset: at, as: UInt64.self)
        let end = UInt32(truncatingIfNeeded: tail >> 48 | 0x2C_0000)
        spare.storeBytes(of: end.littleEndian, toByteOffset: at &+ 8, as: UInt32.self)
        at &+= 11
        storeMicroUnits(microX, of: x, before: UInt8(ascii: ","), to: &spare, &at)
        storeMicroUnits(microY, of: y, before: afterY, to: &spare, &at)
        guard hasVelocities else { continue }
        let (vx, vy) = (vxs[index] * gain, vys[index] * gain)
        let (microVX, microVY) = (microUnits(vx), microUnits(vy))
        guard max(microVX, microVY) != .max else { return (begin, index) }
        storeMicroUnits(microVX, of: vx, before: UInt8(ascii: ","), to: &spare, &at)
        storeMicroUnits(microVY, of: vy, before: UInt8(ascii: "\n"), to: &spare, &at)
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
