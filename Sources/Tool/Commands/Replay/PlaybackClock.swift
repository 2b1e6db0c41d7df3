// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// Delays frames until they are due, for `--realtime`.
struct PlaybackClock {
  /// 2 is twice as fast as recorded.
  let speed: Double
  private var start: MotionInstant?

  static let speedRange = 1e-3...1e6

  init(speed: Double) {
    self.speed = speed
  }

  /// Returns when a frame is due, `time` after the first one.
  mutating func wait(until time: MotionDuration) {
    let start = start ?? MonotonicClock.now()
    self.start = start
    let due =
      start + MotionDuration(nanoseconds: Int64((Double(time.nanoseconds) / speed).rounded()))
    var request = timespec(
      tv_sec: Int(due.nanoseconds / 1_000_000_000), tv_nsec: Int(due.nanoseconds % 1_000_000_000))
    // To an absolute time, so that signals and the work between frames cause no drift.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &request, nil) == EINTR {}
  }
}
