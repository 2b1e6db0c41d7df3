// SPDX-License-Identifier: Apache-2.0

package import ParallaxTime

/// The pauses between attempts to connect to a bus: 1, 2, 4, 8, 16, then always 30 s.
package struct BusRetry: Equatable, Sendable {
  /// A connection that lasts this long resets the pauses.
  package static let resetAge: MotionDuration = .seconds(10)
  private static let maxPause: MotionDuration = .seconds(30)

  package let firstPause: MotionDuration
  private var failures: Int64 = 0

  /// - Parameter firstPause: the pause after the first failure.
  package init(firstPause: MotionDuration = .seconds(1)) {
    self.firstPause = firstPause
  }

  /// Counts a failure and returns the pause after it.
  package mutating func nextPause() -> MotionDuration {
    let pause = min(firstPause * (1 << failures), Self.maxPause)
    if pause < Self.maxPause { failures += 1 }
    return pause
  }

  /// Handles the end of a connection that lasted for `duration`.
  package mutating func connectionEnded(after duration: MotionDuration) {
    if duration >= Self.resetAge { failures = 0 }
  }
}
