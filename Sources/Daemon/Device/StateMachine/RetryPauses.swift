// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Pauses between the attempts to open a device that fails: none after the first failure, then 1, 2,
/// 4, 8, 16 and finally 30 s.
struct RetryPauses: Equatable, Sendable {
  /// The longest pause. A device that is missing, busy or not permitted is tried again after as long.
  static let maxDuration: MotionDuration = .seconds(30)
  /// A device that has streamed for this long starts again without failures.
  static let forgivingSpan: MotionDuration = .seconds(10)

  /// Counted up to the longest pause.
  private var failures: Int64 = 0
  private static let maxFailures: Int64 = 6

  /// The pause after the next failure.
  var next: MotionDuration {
    failures == 0 ? .zero : min(.seconds(1 << (failures - 1)), Self.maxDuration)
  }

  mutating func countFailure() {
    failures = min(failures + 1, Self.maxFailures)
  }

  mutating func reset() {
    failures = 0
  }
}
