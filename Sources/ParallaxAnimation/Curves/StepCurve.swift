/// `steps(n, position)`: progress in n jumps.
///
/// Source: CSS Easing Functions Level 2, "Step easing functions".
package struct StepCurve: Equatable, Sendable {
  /// Where the jumps are.
  package enum Position: String, CaseIterable, Sendable {
    /// The first at the start.
    case jumpStart = "jump-start"
    /// The last at the end.
    case jumpEnd = "jump-end"
    /// None at the ends: n - 1 jumps, n at least 2.
    case jumpNone = "jump-none"
    /// At both ends: n + 1 jumps.
    case jumpBoth = "jump-both"
  }

  /// 1 or more; 2 or more for `jumpNone`.
  package let count: Int
  package let position: Position

  package init(_ count: Int, _ position: Position = .jumpEnd) {
    self.count = count
    self.position = position
  }

  /// - Parameter isBefore: the moment counts as just before the start: a jump there has not been made.
  package func value(at share: Double, isBefore: Bool = false) -> Double {
    var step = (share * Double(count)).rounded(.down)
    if position == .jumpStart || position == .jumpBoth { step += 1 }
    if isBefore, (share * Double(count)).truncatingRemainder(dividingBy: 1) == 0 { step -= 1 }
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
