/// Spreads the frames that one sample brings.
///
/// A sample behind a pause shorter than a gap brings every frame of that pause at once, up to R / 2
/// of them: more than may wait for a receiver, so the quickest reader would lose some. So the first
/// few go at once and the others at four times the pace, with the next samples behind them.
struct FrameBurst: Sendable {
  /// Frames without a wait: far below what may wait for a receiver.
  private static let atOnce = 4
  private static let speed: Int64 = 4

  private var given: Int?
  private var due: Int64 = 0

  /// When the next frame may go; nil where none is left.
  var dueNanoseconds: Int64? { given == nil ? nil : due }

  /// A sample was taken: it may have brought frames.
  mutating func begin(atNanoseconds now: Int64) {
    given = 0
    due = now
  }

  /// A frame was taken out.
  mutating func give(atNanoseconds now: Int64, periodNanoseconds: Int64) {
    let count = (given ?? 0) + 1
    given = count
    due = count < Self.atOnce ? now : now + periodNanoseconds / Self.speed
  }

  /// There are no more.
  mutating func end() {
    given = nil
  }
}
