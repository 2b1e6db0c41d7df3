import Glibc

/// CLOCK_MONOTONIC: what the stream's `time` counts, and what timers are armed on.
package enum MonotonicClock {
  /// Nanoseconds since an unspecified start (on Linux the boot, without time asleep).
  package static func now() -> Int64 {
    var time = timespec()
    // Fails for an unknown clock only; this one every Linux has.
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
