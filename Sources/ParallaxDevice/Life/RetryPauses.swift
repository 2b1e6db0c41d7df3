/// How long to leave a device that fails alone before it is opened anew: not at all the first time,
/// then 1, 2, 4, 8, 16 and from there on 30 s.
struct RetryPauses: Equatable, Sendable {
  /// The longest pause, and how often a device that is missing, busy or closed is looked for.
  static let longestNanoseconds: Int64 = 30_000_000_000
  /// A device that has streamed for so long failed for the first time when it fails next.
  static let forgivingNanoseconds: Int64 = 10_000_000_000

  private var failures: Int64 = 0

  mutating func reset() {
    failures = 0
  }

  /// The pause behind a failure that happened now.
  mutating func next() -> Int64 {
    guard failures > 0 else {
      failures = 1
      return 0
    }
    let pause: Int64 = 1_000_000_000 << (failures - 1)
    guard pause < Self.longestNanoseconds else { return Self.longestNanoseconds }
    failures += 1
    return pause
  }
}
