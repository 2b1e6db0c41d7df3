// SPDX-License-Identifier: Apache-2.0

/// `steps(n, position)`: progress in n jumps.
///
/// Source: CSS Easing Functions Level 2, "Step easing functions".
public struct StepCurve: Equatable, Sendable {
  /// Where a step curve jumps.
  public enum Position: String, CaseIterable, Sendable {
    /// The first at the start.
    case jumpStart = "jump-start"
    /// The last at the end.
    case jumpEnd = "jump-end"
    /// None at the ends: n - 1 jumps, n at least 2.
    case jumpNone = "jump-none"
    /// At both ends: n + 1 jumps.
    case jumpBoth = "jump-both"
  }

  /// The number of steps, 1...1,000,000; at least 2 for `jumpNone`.
  public let count: Int
  /// The positions of the jumps.
  public let position: Position

  /// Creates a curve.
  ///
  /// - Parameters:
  ///   - count: Number of steps, clamped to 1...1,000,000; at least 2 for ``Position/jumpNone``.
  ///   - position: The positions of the jumps. Default: ``Position/jumpEnd``.
  public init(_ count: Int, _ position: Position = .jumpEnd) {
    self.count = min(max(count, position == .jumpNone ? 2 : 1), 1_000_000)
    self.position = position
  }

  /// Returns the progress at a share of the duration.
  ///
  /// - Parameters:
  ///   - share: 0...1.
  ///   - isBefore: Whether a jump at exactly this share has not happened yet (CSS's "before flag").
  public func value(at share: Double, isBefore: Bool = false) -> Double {
    let place = share * Double(count)
    var step = place.rounded(.down)
    if position == .jumpStart || position == .jumpBoth { step += 1 }
    if isBefore, place == place.rounded(.down) { step -= 1 }
    if share >= 0, step < 0 { step = 0 }
    let jumps: Int =
      switch position {
      case .jumpStart, .jumpEnd: count
      case .jumpNone: count - 1
      case .jumpBoth: count + 1
      }
    if share <= 1, step > Double(jumps) { step = Double(jumps) }
    return step / Double(jumps)
  }
}
