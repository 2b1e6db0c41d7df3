// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Pixels per unit of driving motion on each screen axis (after the remap): px per rad/s in rate
/// mode, px per rad in tilt mode. A negative value mirrors the axis.
package struct PixelScale: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// 5 px per rad/s: the strength of the original reader of CMMotionManager.
  package static let rateDefault = PixelScale(x: 5, y: 5)
  /// 14.3 px per rad, so that a tilt of 20 degrees (0.349 rad) reaches 5 px.
  package static let tiltDefault = PixelScale(x: 14.3, y: 14.3)
  /// The largest magnitude of a scale. Beyond it every motion is clamped anyway.
  package static let limit = 1e6

  /// Parses `S` or `SX,SY`.
  package init(parsing text: String) throws(SettingError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { SettingText.number($0) }
    guard (1...2).contains(parts.count), numbers.count == parts.count,
      numbers.allSatisfy({ $0.magnitude <= Self.limit })
    else {
      throw SettingError(
        "invalid scale '\(text)'; write a number of px, or one per screen axis as in 10,14 "
          + "(at most 1000000)")
    }
    self.init(x: numbers[0], y: numbers[numbers.count - 1])
  }

  /// The text that parses to this scale: `5` if both axes have the same, else `10,14`.
  package var text: String {
    x == y ? SettingText.text(x) : "\(SettingText.text(x)),\(SettingText.text(y))"
  }
}

/// The limits of motion on one screen axis, px.
package struct PixelRange: Equatable, Sendable {
  package let low: Double
  package let high: Double

  /// -5...5 px, the range of the original effect.
  package static let standard = PixelRange(uncheckedLow: -5, high: 5)
  package static let limit = 1e6

  private init(uncheckedLow low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Creates a range, which must include 0 (the offset of a device at rest) and not be empty.
  package init(low: Double, high: Double) throws(SettingError) {
    guard low <= 0, 0 <= high, low < high, low >= -Self.limit, high <= Self.limit else {
      throw SettingError(
        "the range \(SettingText.text(low)):\(SettingText.text(high)) must include 0, and its end "
          + "must be above its start, as in -5:5 (at most 1000000 px)")
    }
    self.init(uncheckedLow: low, high: high)
  }

  /// Parses `LO:HI`.
  package init(parsing text: String) throws(SettingError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if let end = SettingText.number(text), end != 0, end.magnitude <= Self.limit {
      let reach = SettingText.text(end.magnitude)
      throw SettingError(
        "invalid range '\(text)'; a range needs two ends; did you mean -\(reach):\(reach)?")
    }
    guard parts.count == 2, let low = SettingText.number(parts[0]),
      let high = SettingText.number(parts[1])
    else { throw SettingError("invalid range '\(text)'; write LO:HI in px, as in -5:5") }
    try self.init(low: low, high: high)
  }

  /// The text that parses to this range.
  package var text: String { "\(SettingText.text(low)):\(SettingText.text(high))" }

  /// max(|low|, high), the largest offset.
  package var reach: Double { max(-low, high) }

  @inlinable
  package func clamp(_ value: Double) -> Double {
    // Finite input gives no NaN here; should one ever occur, it must not reach a screen.
    value.isNaN ? 0 : min(max(value, low), high)
  }

  /// The share of the range up to which a soft end changes nothing.
  private static let softShare = 0.7

  /// Returns where a value is shown if the ends are soft: beyond 0.7 of the range it goes ever less far, and does
  /// not reach the end. A picture that stops suddenly looks stuck.
  func softened(_ value: Double) -> Double {
    let end = value < 0 ? low : high
    guard end != 0, !value.isNaN else { return 0 }
    let beyond = value / end - Self.softShare
    guard beyond > 0 else { return value }
    let rest = 1 - Self.softShare
    return end * (Self.softShare + rest * tanh(beyond / rest))
  }

  /// Returns the share of the range: 1 at `high`, -1 at `low`, 0 if that bound is 0.
  @inlinable
  package func normalized(_ value: Double) -> Double {
    if value > 0 { return high > 0 ? value / high : 0 }
    return low < 0 ? value / -low : 0
  }
}
