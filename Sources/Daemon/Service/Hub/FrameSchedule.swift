// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// When the hub takes samples and publishes frames. Pure.
struct FrameSchedule {
  var pace: FramePace
  /// The frames that the last sample completes.
  var burst = FrameBurst()
  /// When to take the events that the last turn left in the source; nil if it took all.
  var backlogDue: MotionInstant?
  /// No frame is published before: see `rest`.
  private(set) var restEnd = MotionInstant.distantPast
  /// When the last sample came, or its last frame was published.
  var lastSample = MotionInstant.zero
  private var lastTick = MotionInstant.zero

  /// The time that a frame may take without a rest, whatever its period.
  private static let maxUnrestedTime: MotionDuration = .milliseconds(2)

  init(pace: FramePace) {
    self.pace = pace
  }

  /// Starts with another source.
  mutating func begin(pace: FramePace, at now: MotionInstant) {
    self.pace = pace
    burst.end()
    lastSample = now
  }

  /// How late a frame may be and still be shown although a newer one may follow: two periods. No
  /// subscriber gets more than 60 frames per second, so that shorter periods do not count.
  var maxLateness: MotionDuration {
    max(pace.period(2), MotionDuration(seconds: 2 / Cadence.capHertz))
  }

  /// When the next frame without a sample is due, as long as something moves that needs none.
  var tickDue: MotionInstant {
    lastTick >= lastSample ? lastTick + pace.period(1) : lastSample + pace.period(1.5)
  }

  mutating func tick(at now: MotionInstant) { lastTick = now }

  /// Plans a rest after a frame that took more than half of its period, so that control requests, signals
  /// and new clients are served although the next frame is due already: frames get four fifths of the
  /// time.
  ///
  /// - Parameters:
  ///   - begin: When the turn of the event loop began.
  ///   - end: When the frame had been sent.
  mutating func rest(from begin: MotionInstant, to end: MotionInstant) {
    let spent = end - begin
    if spent > max(Self.maxUnrestedTime, pace.period(0.5)) { restEnd = end + spent / 4 }
  }
}
