/// Where something that moved has ended. The names are those of UIViewAnimatingPosition.
package enum AnimationPosition: String, CaseIterable, Sendable {
  /// As it was before it began.
  case start
  /// Where it was when it was told to end.
  case current
  /// Where it was to go.
  case end
}

/// What an animator refuses. UIKit raises an exception there.
package enum AnimatorError: Error, Equatable, Sendable {
  /// Nothing has begun that could be stopped.
  case isInactive
  /// Scrubbing and continuing want it paused first.
  case isNotPaused
  /// Stopped for good: `finish(at:)` alone leads on.
  case isStopped
  /// `finish(at:)` comes behind `stop()`.
  case isNotStopped
  /// What repeats forever has no fraction, and does not fit into a time.
  case isEndless
}

/// A time so many seconds behind another; nil where it lies beyond all time.
func instant(_ start: Int64, plusSeconds seconds: Double) -> Int64? {
  let nanoseconds = (seconds * 1e9).rounded()
  guard nanoseconds < 9e18 else { return nil }
  let (sum, overflow) = start.addingReportingOverflow(Int64(max(0, nanoseconds)))
  return overflow ? nil : sum
}

/// s from one time to a later one; 0 to an earlier one.
func seconds(from start: Int64, to end: Int64) -> Double {
  guard end > start else { return 0 }
  let (difference, overflow) = end.subtractingReportingOverflow(start)
  return overflow ? .infinity : Double(difference) * 1e-9
}
