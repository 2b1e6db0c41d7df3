import CSystemd

/// CLOCK_MONOTONIC: what the stream's `time` counts, and what timers are armed on.
package enum MonotonicClock {
  /// Nanoseconds since an unspecified start (on Linux the boot, without time asleep).
  package static func now() -> Int64 { parallax_monotonic_nanoseconds() }
}
