// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// The clock of a recording and its only wait. Tests replace both and never sleep.
protocol RecordingClock {
  /// The present on CLOCK_MONOTONIC.
  var now: MotionInstant { get }
  /// Waits until a descriptor is ready, a signal arrives or `deadline` has come, and fills in
  /// `revents`.
  ///
  /// - Parameter deadline: nil waits without a limit; the past does not wait.
  func poll(_ entries: inout [pollfd], until deadline: MotionInstant?)
}

/// CLOCK_MONOTONIC and poll(2).
struct SystemRecordingClock: RecordingClock {

  var now: MotionInstant { MonotonicClock.now() }

  func poll(_ entries: inout [pollfd], until deadline: MotionInstant?) {
    var milliseconds: Int32 = -1
    if let deadline {
      let now = now
      // Rounded up, so that the deadline has come when this returns.
      milliseconds =
        deadline <= now ? 0 : Int32(clamping: ((deadline - now).nanoseconds + 999_999) / 1_000_000)
    }
    _ = Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
  }
}
