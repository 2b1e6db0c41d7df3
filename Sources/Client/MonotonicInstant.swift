// SPDX-License-Identifier: Apache-2.0

@_exported public import ParallaxBase

/// A point in time on CLOCK_MONOTONIC, the clock of every OFFSET's `time`.
///
/// Wayland's presentation times and GLib's `g_get_monotonic_time` use the same clock, so a frame
/// clock's time needs no conversion:
///
///     let instant = MonotonicInstant(microseconds: frameClock.frameTime)
///     let offset = stream.offset(at: instant)
public typealias MonotonicInstant = MotionInstant

extension MotionInstant {
  /// The current time on CLOCK_MONOTONIC.
  public static var now: MonotonicInstant { MonotonicClock.now() }
}
