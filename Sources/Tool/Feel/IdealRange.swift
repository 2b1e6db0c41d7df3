// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

import ParallaxMotion

/// How an ideal picture meets the ends of its range: in rate mode it stops there, in tilt mode it slows down
/// before them.
///
/// This is a second implementation, independent of the pipeline's, which it measures.
struct IdealRange: Sendable {
  /// px.
  let lowest: SIMD2<Double>
  let highest: SIMD2<Double>
  let isSoft: Bool

  init(lowest: SIMD2<Double>, highest: SIMD2<Double>, isSoft: Bool) {
    self.lowest = lowest
    self.highest = highest
    self.isSoft = isSoft
  }

  init(_ settings: MotionSettings) {
    self.init(
      lowest: SIMD2(settings.rangeX.low, settings.rangeY.low),
      highest: SIMD2(settings.rangeX.high, settings.rangeY.high), isSoft: settings.mode == .tilt)
  }

  /// The largest offset of any axis.
  var reach: Double { max(highest.max(), -lowest.min()) }

  /// Returns where an offset is shown, px.
  func shown(_ offset: SIMD2<Double>) -> SIMD2<Double> {
    guard isSoft else { return offset.clamped(lowerBound: lowest, upperBound: highest) }
    return SIMD2(
      Self.soft(offset.x, lowest.x, highest.x), Self.soft(offset.y, lowest.y, highest.y))
  }

  private static func soft(_ offset: Double, _ low: Double, _ high: Double) -> Double {
    let end = offset < 0 ? low : high
    guard end != 0 else { return 0 }
    let share = offset / end
    return share < 0.7 ? offset : end * (0.7 + 0.3 * tanh((share - 0.7) / 0.3))
  }
}
