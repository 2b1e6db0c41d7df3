// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

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
  /// When the samples that waited for the last burst were due: a wait for it is not lateness.
  private(set) var lastEnd = MotionInstant.zero

  /// When the next frame is due; nil if none is left.
  var due: MotionInstant? { published == nil ? nil : nextTime }

  /// Starts after a sample that may have completed frames.
  ///
  /// - Parameter due: When the sample was due.
  mutating func begin(due: MotionInstant) {
    published = 0
    nextTime = due
  }

  /// Counts a frame that was published or skipped.
  mutating func count(period: MotionDuration) {
    let count = (published ?? 0) + 1
    published = count
    if count >= Self.immediateCount { nextTime += period / Self.speed }
  }

  /// Ends when no frame is left.
  mutating func end() {
    published = nil
    lastEnd = nextTime
  }
}
