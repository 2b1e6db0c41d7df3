// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts that fail: each twice as long as the one before, up to a longest one.
package struct Backoff: Equatable, Sendable {
  package let first: MotionDuration
  package let longest: MotionDuration
  private var failures: Int64 = 0

  /// - Parameters:
  ///   - first: The pause after the first failure. Default 1 s.
  ///   - longest: Default 60 s.
  package init(first: MotionDuration = .seconds(1), longest: MotionDuration = .seconds(60)) {
    self.first = first
    self.longest = longest
  }

  /// Counts a failure and returns the pause after it.
  package mutating func next() -> MotionDuration {
    let pause = min(first * (1 << failures), longest)
    if pause < longest { failures += 1 }
    return pause
  }

  /// Starts again with the first pause.
  package mutating func reset() {
    failures = 0
  }
}
