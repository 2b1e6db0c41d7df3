// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The pauses between attempts to connect to a bus: 1, 2, 4, 8, 16, then always 30 s.
package struct BusRetry: Equatable, Sendable {
  /// A connection that lasts this long resets the pauses.
  package static let resetAge: MotionDuration = .seconds(10)

  private var backoff: Backoff

  /// - Parameter firstPause: the pause after the first failure.
  package init(firstPause: MotionDuration = .seconds(1)) {
    backoff = Backoff(first: firstPause, longest: .seconds(30))
  }

  package var firstPause: MotionDuration { backoff.first }

  /// Counts a failure and returns the pause after it.
  package mutating func nextPause() -> MotionDuration { backoff.next() }

  /// Handles the end of a connection that lasted for `duration`.
  package mutating func connectionEnded(after duration: MotionDuration) {
    if duration >= Self.resetAge { backoff.reset() }
  }
}
