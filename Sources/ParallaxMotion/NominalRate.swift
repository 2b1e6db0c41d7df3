/// The rate of a source that does not state one: the median of the first 16 intervals between kept
/// samples. The median, since a recording's first intervals hold dropouts and jitter.
package struct NominalRate: Sendable {
  package static let intervalCount = 16

  private var rule: TimeRule
  private var lastKept: Int64?
  private var intervalsNanoseconds: [Int64] = []

  package init(frameRate: FrameRate) {
    rule = TimeRule(frameRate: frameRate)
    intervalsNanoseconds.reserveCapacity(Self.intervalCount)
  }

  /// Whether further samples change nothing.
  package var isComplete: Bool { intervalsNanoseconds.count >= Self.intervalCount }

  package mutating func add(_ sample: GyroSample) {
    guard !isComplete, sample.rateRadPerSec.isFinite else { return }
    switch rule.admit(sample.timeNanoseconds) {
    case .kept(let time, _), .rebased(let time):
      if let last = lastKept { intervalsNanoseconds.append(time - last) }
      lastKept = time
    case .duplicate, .backwards, .outOfRange: break
    }
  }

  /// Hz; nil before two samples were kept.
  package var hertz: Double? {
    guard !intervalsNanoseconds.isEmpty else { return nil }
    let sorted = intervalsNanoseconds.sorted()
    let middle = sorted.count / 2
    let median =
      sorted.count.isMultiple(of: 2)
      ? (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2 : Double(sorted[middle])
    return 1e9 / median
  }
}
