// SPDX-License-Identifier: Apache-2.0

import ParallaxTime

/// Spreads the frames that one sample completes.
///
/// A sample after a pause shorter than a gap completes every frame of that pause at once, up to R / 2
/// of them: more than may wait for a subscriber, so that even the quickest reader would lose some.
/// The first few are published at once and the others at four times the pace, before the samples
/// that follow.
struct FrameBurst: Sendable {
  /// Frames published without a wait, far below what may wait for a subscriber.
  private static let immediateCount = 4
  private static let speed: Int64 = 4

  private var published: Int?
  private var nextTime = MotionInstant.zero

  /// When the next frame may be published; nil if none is left.
  var due: MotionInstant? { published == nil ? nil : nextTime }

  /// Starts after a sample that may have completed frames.
  mutating func begin(at now: MotionInstant) {
    published = 0
    nextTime = now
  }

  /// Counts a frame that was published.
  mutating func count(at now: MotionInstant, period: MotionDuration) {
    let count = (published ?? 0) + 1
    published = count
    nextTime = count < Self.immediateCount ? now : now + period / Self.speed
  }

  /// Ends when no frame is left.
  mutating func end() {
    published = nil
  }
}
