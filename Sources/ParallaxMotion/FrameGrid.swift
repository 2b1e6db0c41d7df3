/// The instants of frames: g_k = t_0 + k / R, rounded half up to the nanosecond.
///
/// Computed from k each time with integers, so that nothing accumulates: a daemon that runs for years
/// is on the same grid as a replay.
package struct FrameGrid: Sendable {
  package let originNanoseconds: Int64
  private let hertz: Double
  // 1e9 / R = numerator / denominator, exactly.
  private let numerator: UInt128
  private let denominator: UInt128

  /// - Parameter hertz: in `FrameRate.range`.
  package init(originNanoseconds: Int64, hertz: Double) {
    self.originNanoseconds = originNanoseconds
    self.hertz = hertz
    // A Double is an integer times a power of two: R = significand * 2^exponent.
    let bits = (UInt64(1) << 52) | hertz.significandBitPattern
    let zeros = bits.trailingZeroBitCount
    let exponent = Int(hertz.exponent) - 52 + zeros
    let significand = UInt128(bits >> UInt64(zeros))
    numerator = exponent < 0 ? 1_000_000_000 << UInt128(-exponent) : 1_000_000_000
    denominator = exponent < 0 ? significand : significand << UInt128(exponent)
  }

  package func time(ofFrame index: Int64) -> Int64 {
    let twice = 2 * UInt128(index) * numerator
    return originNanoseconds + Int64((twice + denominator) / (2 * denominator))
  }

  /// The first frame at or after an instant that is not before the origin.
  package func firstFrame(atOrAfter timeNanoseconds: Int64) -> Int64 {
    let estimate = Double(timeNanoseconds - originNanoseconds) * hertz / 1e9
    var index = max(0, Int64(estimate.rounded(.up)))
    while time(ofFrame: index) < timeNanoseconds { index += 1 }
    while index > 0, time(ofFrame: index - 1) >= timeNanoseconds { index -= 1 }
    return index
  }
}
