// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The instants of frames: g_k = t_0 + k / R, rounded half up to the nanosecond.
///
/// Computed from k each time with integers, without an accumulating error: a daemon that runs for
/// years is on the same grid as a replay.
package struct FrameGrid: Sendable {
  package let origin: MotionInstant
  private let hertz: Double
  // 1e9 / R = numerator / denominator, exactly.
  private let numerator: UInt128
  private let denominator: UInt128

  /// Creates a grid with frame 0 at `origin`.
  ///
  /// - Parameter hertz: in `FrameRate.range`.
  package init(origin: MotionInstant, hertz: Double) {
    self.origin = origin
    self.hertz = hertz
    // A Double is an integer times a power of two: R = significand * 2^exponent.
    let bits = (UInt64(1) << 52) | hertz.significandBitPattern
    let zeros = bits.trailingZeroBitCount
    let exponent = Int(hertz.exponent) - 52 + zeros
    let significand = UInt128(bits >> UInt64(zeros))
    numerator = exponent < 0 ? 1_000_000_000 << UInt128(-exponent) : 1_000_000_000
    denominator = exponent < 0 ? significand : significand << UInt128(exponent)
  }

  package func time(ofFrame index: Int64) -> MotionInstant {
    let twice = 2 * UInt128(index) * numerator
    return origin + MotionDuration(nanoseconds: Int64((twice + denominator) / (2 * denominator)))
  }

  /// Returns the first frame at or after an instant, which must not be before the origin.
  package func firstFrame(atOrAfter instant: MotionInstant) -> Int64 {
    let estimate = Double((instant - origin).nanoseconds) * hertz / 1e9
    var index = max(0, Int64(estimate.rounded(.up)))
    while time(ofFrame: index) < instant { index += 1 }
    while index > 0, time(ofFrame: index - 1) >= instant { index -= 1 }
    return index
  }
}
