// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A length as it is published: whole hundredths of a px.
///
/// Motion is rounded twice, each time half away from zero: to the millionths that replay prints,
/// then by integer arithmetic to hundredths. A published value is therefore always the rounded value
/// of replay's row, even where the second rounding meets a half.
package struct Hundredths: Equatable, Hashable, Sendable {
  /// px times 100.
  package let count: Int64

  package init(count: Int64) {
    self.count = count
  }

  /// Rounds a length in px.
  ///
  /// - Parameter px: NaN counts as 0; beyond 9e12 px it saturates.
  package init(px: Double) {
    self.init(millionths: DecimalText.scaled(px, decimals: 6))
  }

  /// Rounds a length in px times 10^6, as replay prints it.
  package init(millionths: Int64) {
    let (quotient, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
    count = quotient + (rest >= 5_000 ? 1 : rest <= -5_000 ? -1 : 0)
  }

  package var px: Double { Double(count) / 100 }
}
