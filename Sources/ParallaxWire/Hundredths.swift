import ParallaxMotion

/// A length as it is published: whole hundredths of a px.
///
/// Motion is rounded twice, each time half away from zero: to the millionths that replay prints, then
/// by integer arithmetic to hundredths. So a published value is always what one gets by rounding
/// replay's row, and the two never differ by a hundredth where the second rounding meets a half.
package struct Hundredths: Equatable, Hashable, Sendable {
  /// px times 100.
  package let count: Int64

  package static let zero = Hundredths(count: 0)

  package init(count: Int64) {
    self.count = count
  }

  /// - Parameter px: a length in px; NaN counts as 0, what exceeds 9e12 px as that.
  package init(px: Double) {
    self.init(millionths: DecimalText.scaled(px, decimals: 6))
  }

  /// - Parameter millionths: px times 10^6, as replay prints them.
  package init(millionths: Int64) {
    let (quotient, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
    count = quotient + (rest >= 5_000 ? 1 : rest <= -5_000 ? -1 : 0)
  }

  package var px: Double { Double(count) / 100 }
}
