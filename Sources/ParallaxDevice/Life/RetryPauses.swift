/// How far apart the attempts at a device that fails lie: the second follows the first failure at
/// once, the others after 1, 2, 4, 8, 16 and from there on 30 s.
struct RetryPauses: Equatable, Sendable {
  /// The longest pause, and how often a device that is missing, busy or closed is looked for.
  static let longestNanoseconds: Int64 = 30_000_000_000
  /// A device that has streamed for so long fails for the first time when it fails next.
  static let forgivingNanoseconds: Int64 = 10_000_000_000

  /// Counted no further than where the pause is the longest.
  private var failures: Int64 = 0
  private static let mostFailures: Int64 = 6

  /// The pause behind the failure that comes next.
  var nextNanoseconds: Int64 {
    failures == 0 ? 0 : min(1_000_000_000 << (failures - 1), Self.longestNanoseconds)
  }

  mutating func countFailure() {
    failures = min(failures + 1, Self.mostFailures)
  }

  mutating func reset() {
    failures = 0
  }
}
