// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// CLOCK_MONOTONIC: the clock of the stream's `time` and of every timer.
package enum MonotonicClock {
  /// Returns the present time. On Linux it counts from boot and stops during suspend.
  package static func now() -> MotionInstant {
    MotionInstant(nanoseconds: parallax_monotonic_nanoseconds())
  }
}
