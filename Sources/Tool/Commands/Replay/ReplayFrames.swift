// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A frame of a replay.
struct ReplayFrame: Equatable, Sendable {
  /// Since the first sample.
  var time: MotionDuration
  var offset: PixelOffset
  /// Whether a gap precedes.
  var startsSegment = false
}

/// Collects the frames of a part of a replay, up to one more than a page may have.
struct ReplayFrames: Sendable {
  private let span: RecordingSpan
  private(set) var frames: [ReplayFrame] = []
  private var begin: MotionInstant?
  private var startsSegment = false

  init(span: RecordingSpan) {
    self.span = span
  }

  /// Adds a sample that counts.
  mutating func add(sampleAt time: MotionInstant, startsSegment starts: Bool) {
    if begin == nil { begin = time } else if starts { startsSegment = true }
  }

  /// Adds a frame.
  mutating func add(_ offset: PixelOffset, at time: MotionInstant) {
    guard let begin, span.contains(time - begin), frames.count <= MotionPage.maxFrames else {
      return
    }
    frames.append(
      ReplayFrame(
        time: time - begin, offset: offset, startsSegment: startsSegment && !frames.isEmpty))
    startsSegment = false
  }
}
