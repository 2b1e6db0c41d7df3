/// How far apart the attempts at a bus lie: 1, 2, 4, 8, 16 and from there on 30 s.
package struct BusRetry: Equatable, Sendable {
  /// A connection that lasted so long was a good one: the next loss is the first.
  package static let forgivingNanoseconds: Int64 = 10_000_000_000
  private static let longestNanoseconds: Int64 = 30_000_000_000

  package let firstNanoseconds: Int64
  private var failures: Int64 = 0

  /// - Parameter firstNanoseconds: the pause behind the first failure, default 1 s.
  package init(firstNanoseconds: Int64 = 1_000_000_000) {
    self.firstNanoseconds = firstNanoseconds
  }

  /// The pause behind a failure, counted.
  package mutating func pause() -> Int64 {
    let pause = min(firstNanoseconds << failures, Self.longestNanoseconds)
    if pause < Self.longestNanoseconds { failures += 1 }
    return pause
  }

  package mutating func connectionEnded(afterNanoseconds duration: Int64) {
    if duration >= Self.forgivingNanoseconds { failures = 0 }
  }
}
