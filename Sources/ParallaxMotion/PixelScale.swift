/// Pixels per unit of driving motion, per screen axis (after the remap): px per rad/s in rate mode,
/// px per rad in tilt mode. Negative values mirror the axis.
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
  /// The largest magnitude of a scale: 10^6 px per rad/s. Beyond it everything is clamped anyway.
  package static let limit = 1e6

  /// Parses `S` or `SX,SY`.
  package init(parsing text: String) throws(SettingError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { SettingText.number($0) }
    guard (1...2).contains(parts.count), numbers.count == parts.count,
      numbers.allSatisfy({ $0.magnitude <= Self.limit })
    else {
      throw SettingError(
        "'\(text)' is no scale; write one number of px, or one per screen axis as 10,14 "
          + "(at most 1000000)")
    }
    self.init(x: numbers[0], y: numbers[numbers.count - 1])
  }
}

/// The range that motion never leaves on one screen axis, px.
package struct PixelRange: Equatable, Sendable {
  package let low: Double
  package let high: Double

  /// -5...5 px: the range of the original effect.
  package static let standard = PixelRange(uncheckedLow: -5, high: 5)
  package static let limit = 1e6

  private init(uncheckedLow low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// The range has to hold 0 (the offset of a device at rest) and more than 0.
  package init(low: Double, high: Double) throws(SettingError) {
    guard low <= 0, 0 <= high, low < high, low >= -Self.limit, high <= Self.limit else {
      throw SettingError(
        "the range \(SettingText.text(low)):\(SettingText.text(high)) must hold 0 and end above where it begins, as in -5:5 "
          + "(at most 1000000 px)")
    }
    self.init(uncheckedLow: low, high: high)
  }

  /// Parses `LO:HI`.
  package init(parsing text: String) throws(SettingError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let low = SettingText.number(parts[0]),
      let high = SettingText.number(parts[1])
    else { throw SettingError("'\(text)' is no range; write LO:HI in px, as in -5:5") }
    try self.init(low: low, high: high)
  }

  /// max(|low|, high): the farthest that motion gets from 0.
  package var reach: Double { max(-low, high) }

  @inlinable
  package func clamp(_ value: Double) -> Double {
    // A NaN cannot come from finite input here; should one ever, it must not reach a screen.
    value.isNaN ? 0 : min(max(value, low), high)
  }

  /// The share of the range: 1 at `high`, -1 at `low`, 0 where the bound is 0.
  @inlinable
  package func normalized(_ value: Double) -> Double {
    if value > 0 { return high > 0 ? value / high : 0 }
    return low < 0 ? value / -low : 0
  }
}
