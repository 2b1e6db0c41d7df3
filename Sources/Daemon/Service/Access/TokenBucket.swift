// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Limits a rate and lets bursts pass: tokens come at a steady rate up to a maximum, and each event takes
/// some.
package struct TokenBucket: Equatable, Sendable {
  private let perSecond: Double
  private let burst: Double
  private var tokens: Double
  private var latest = MotionInstant.distantPast

  /// Creates a full bucket.
  ///
  /// - Parameters:
  ///   - perSecond: tokens that come per second.
  ///   - burst: the most tokens that it holds.
  package init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
  }

  /// Takes that many tokens if it has them, and returns whether it did.
  package mutating func take(_ count: Double, at now: MotionInstant) -> Bool {
    fill(until: now)
    guard tokens >= count else { return false }
    tokens -= count
    return true
  }

  package func isFull(at now: MotionInstant) -> Bool {
    var copy = self
    copy.fill(until: now)
    return copy.tokens >= burst
  }

  private mutating func fill(until now: MotionInstant) {
    guard now > latest else { return }
    if latest > .distantPast {
      tokens = min(burst, tokens + (now - latest).seconds * perSecond)
    }
    latest = now
  }
}
