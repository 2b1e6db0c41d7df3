// SPDX-License-Identifier: Apache-2.0

/// A length of time in whole nanoseconds, at most 292 years either way.
///
/// One machine word, where the standard library's `Duration` is two: instants and durations are
/// added for every sample.
@frozen
public struct MotionDuration: Hashable, Comparable, Sendable {
  /// The length; negative where an interval points back in time.
  public var nanoseconds: Int64

  /// Creates a duration of whole nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a duration from seconds, rounded to the nearest nanosecond (half away from zero).
  ///
  /// - Parameter seconds: Finite and below 292 years.
  @inlinable
  package init(seconds: Double) {
    nanoseconds = Int64((seconds * 1e9).rounded())
  }

  /// Creates a duration from the standard library's; beyond ±292 years it saturates.
  package init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    nanoseconds = overflow || overflows ? (seconds < 0 ? .min : .max) : sum
  }

  @inlinable
  package static var zero: MotionDuration { MotionDuration(nanoseconds: 0) }

  @inlinable
  package static func nanoseconds(_ count: Int64) -> MotionDuration {
    MotionDuration(nanoseconds: count)
  }

  @inlinable
  package static func microseconds(_ count: Int64) -> MotionDuration {
    MotionDuration(nanoseconds: count * 1_000)
  }

  @inlinable
  package static func milliseconds(_ count: Int64) -> MotionDuration {
    MotionDuration(nanoseconds: count * 1_000_000)
  }

  @inlinable
  package static func seconds(_ count: Int64) -> MotionDuration {
    MotionDuration(nanoseconds: count * 1_000_000_000)
  }

  /// The length in seconds, rounded to a `Double`.
  @inlinable
  package var seconds: Double { Double(nanoseconds) * 1e-9 }

  @inlinable
  package var magnitude: MotionDuration {
    MotionDuration(nanoseconds: nanoseconds < 0 ? -nanoseconds : nanoseconds)
  }

  /// Whether `left` is shorter than `right`.
  @inlinable
  public static func < (left: MotionDuration, right: MotionDuration) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  @inlinable
  package static func + (left: MotionDuration, right: MotionDuration) -> MotionDuration {
    MotionDuration(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  @inlinable
  package static func - (left: MotionDuration, right: MotionDuration) -> MotionDuration {
    MotionDuration(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  @inlinable
  package static prefix func - (duration: MotionDuration) -> MotionDuration {
    MotionDuration(nanoseconds: -duration.nanoseconds)
  }

  @inlinable
  package static func += (left: inout MotionDuration, right: MotionDuration) {
    left.nanoseconds += right.nanoseconds
  }

  @inlinable
  package static func -= (left: inout MotionDuration, right: MotionDuration) {
    left.nanoseconds -= right.nanoseconds
  }

  @inlinable
  package static func * (duration: MotionDuration, factor: Int64) -> MotionDuration {
    MotionDuration(nanoseconds: duration.nanoseconds * factor)
  }

  @inlinable
  package static func * (factor: Int64, duration: MotionDuration) -> MotionDuration {
    MotionDuration(nanoseconds: factor * duration.nanoseconds)
  }

  /// The quotient, rounded toward zero.
  @inlinable
  package static func / (duration: MotionDuration, divisor: Int64) -> MotionDuration {
    MotionDuration(nanoseconds: duration.nanoseconds / divisor)
  }

  /// How many times `right` fits into `left`, as a fraction.
  @inlinable
  package static func / (left: MotionDuration, right: MotionDuration) -> Double {
    Double(left.nanoseconds) / Double(right.nanoseconds)
  }
}
