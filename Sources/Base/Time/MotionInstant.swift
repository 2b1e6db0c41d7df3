// SPDX-License-Identifier: Apache-2.0

/// A point in time, in nanoseconds since the zero of a clock.
///
/// Everything that parallaxd publishes is on CLOCK_MONOTONIC, which is also the clock of Wayland's
/// presentation times and of GLib's `g_get_monotonic_time`. Samples of a trace or of a foreign clock
/// are on the source's own clock until they are mapped: only differences of such instants mean
/// anything. Epoch nanoseconds fit without loss.
@frozen
public struct MotionInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds since the clock's zero.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates an instant from microseconds, the unit of frame clocks; beyond ±292 years it saturates.
  public init(microseconds: Int64) {
    let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1_000)
    nanoseconds = overflow ? (microseconds < 0 ? .min : .max) : product
  }

  /// The clock's zero.
  @inlinable
  package static var zero: MotionInstant { MotionInstant(nanoseconds: 0) }

  /// Before every other instant.
  @inlinable
  package static var distantPast: MotionInstant { MotionInstant(nanoseconds: .min) }

  /// After every other instant.
  @inlinable
  package static var distantFuture: MotionInstant { MotionInstant(nanoseconds: .max) }

  /// The farthest from the clock's zero that a sample may be, 73 years: no clock shows more, and
  /// every difference and sum of two such times fits in an instant.
  @inlinable
  package static var maxAdmissible: MotionInstant { MotionInstant(nanoseconds: 1 << 61) }

  /// Whether a sample may have this time; see `maxAdmissible`.
  @inlinable
  package var isAdmissible: Bool { nanoseconds.magnitude <= 1 << 61 }

  /// Seconds since the clock's zero, rounded to a `Double`.
  @inlinable
  package var seconds: Double { Double(nanoseconds) * 1e-9 }

  /// Whether `left` is before `right`.
  @inlinable
  public static func < (left: MotionInstant, right: MotionInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  @inlinable
  package static func + (instant: MotionInstant, duration: MotionDuration) -> MotionInstant {
    MotionInstant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
  }

  @inlinable
  package static func - (instant: MotionInstant, duration: MotionDuration) -> MotionInstant {
    MotionInstant(nanoseconds: instant.nanoseconds - duration.nanoseconds)
  }

  /// How much later `left` is than `right`; negative if it is earlier.
  @inlinable
  package static func - (left: MotionInstant, right: MotionInstant) -> MotionDuration {
    MotionDuration(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  @inlinable
  package static func += (instant: inout MotionInstant, duration: MotionDuration) {
    instant.nanoseconds += duration.nanoseconds
  }

  @inlinable
  package static func -= (instant: inout MotionInstant, duration: MotionDuration) {
    instant.nanoseconds -= duration.nanoseconds
  }

  /// Returns the instant that much later; it saturates at the ends of the clock, where `+` traps.
  @inlinable
  package func addingSaturated(_ duration: MotionDuration) -> MotionInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    guard overflow else { return MotionInstant(nanoseconds: sum) }
    return duration < .zero ? .distantPast : .distantFuture
  }

  /// The earlier of two instants of which either may be missing.
  @inlinable
  package static func earlier(
    _ left: MotionInstant?, _ right: MotionInstant?
  ) -> MotionInstant? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }
}

extension MotionInstant: InstantProtocol {
  /// Returns the instant that much later; it saturates at the ends of the clock.
  public func advanced(by duration: Duration) -> MotionInstant {
    addingSaturated(MotionDuration(duration))
  }

  /// Returns how much later `other` is; negative if it is earlier.
  public func duration(to other: MotionInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }
}

// For programs that use the library, whose durations are those of the standard library. Inside this
// package, the operators with `MotionDuration` come first.
extension MotionInstant {
  /// Returns the instant that much later; it saturates at the ends of the clock.
  @_disfavoredOverload
  public static func + (instant: MotionInstant, duration: Duration) -> MotionInstant {
    instant.advanced(by: duration)
  }

  /// Returns the instant that much earlier; it saturates at the ends of the clock.
  @_disfavoredOverload
  public static func - (instant: MotionInstant, duration: Duration) -> MotionInstant {
    instant.advanced(by: .zero - duration)
  }

  /// Returns how much later `left` is than `right`; negative if it is earlier.
  @_disfavoredOverload
  public static func - (left: MotionInstant, right: MotionInstant) -> Duration {
    right.duration(to: left)
  }

  /// Moves the instant that much later; it saturates at the ends of the clock.
  @_disfavoredOverload
  public static func += (instant: inout MotionInstant, duration: Duration) {
    instant = instant.advanced(by: duration)
  }
}
