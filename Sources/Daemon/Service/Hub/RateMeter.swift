// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Measures how many samples per second arrive.
package struct RateMeter: Sendable {
  /// Long enough for a steady figure, short enough to show a change.
  private static let window: MotionDuration = .seconds(2)

  private var first: MotionInstant?
  private var latest = MotionInstant.zero
  private var intervals = 0
  private var complete: Double?

  package init() {}

  package mutating func add(at time: MotionInstant) {
    guard let begin = first, time > latest, time - latest < Self.window else {
      self = RateMeter()
      first = time
      latest = time
      return
    }
    intervals += 1
    latest = time
    if latest - begin >= Self.window {
      complete = rate(since: begin)
      first = latest
      intervals = 0
    }
  }

  /// Hz; nil if no sample came within the last two seconds.
  package func hertz(at now: MotionInstant) -> Double? {
    guard let begin = first, now - latest < Self.window else { return nil }
    if let complete { return complete }
    return latest > begin ? rate(since: begin) : nil
  }

  private func rate(since begin: MotionInstant) -> Double {
    Double(intervals) * 1e9 / Double((latest - begin).nanoseconds)
  }
}
