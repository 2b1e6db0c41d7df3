import Glibc

/// A point in time on CLOCK_MONOTONIC, the clock of every OFFSET's `time`.
///
/// It is also the clock of Wayland's presentation times and of GLib's `g_get_monotonic_time`, so
/// that a frame clock's time can be used as it is:
///
///     let instant = MonotonicInstant(microseconds: frameClock.frameTime)
///     let offset = stream.offset(at: instant)
public struct MonotonicInstant: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds of CLOCK_MONOTONIC.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates an instant from microseconds of CLOCK_MONOTONIC, the unit of frame clocks.
  public init(microseconds: Int64) {
    let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1_000)
    nanoseconds = overflow ? (microseconds < 0 ? .min : .max) : product
  }

  /// The present.
  public static var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The instant that much later.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds &+ duration.wholeNanoseconds)
  }

  /// How much later `other` is.
  public func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds &- nanoseconds)
  }

  /// Whether `left` is before `right`.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Duration {
  /// What lies beyond 292 years is cut there.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
