// SPDX-License-Identifier: Apache-2.0

/// Where a motion has ended. The names are those of UIViewAnimatingPosition.
package enum AnimationPosition: String, CaseIterable, Sendable {
  /// Back where it started.
  case start
  /// Where it was when it was ended.
  case current
  /// At its target.
  case end
}

/// A call that the state of an animator does not allow. UIKit raises an exception.
package enum AnimatorError: Error, Equatable, Sendable {
  /// The animator has not started.
  case isInactive
  /// Scrubbing and continuing require a paused animator.
  case isNotPaused
  /// The animator is stopped, and only `finish(at:)` is allowed.
  case isStopped
  /// `finish(at:)` requires a stopped animator.
  case isNotStopped
  /// An animation that repeats forever has no fraction and fits into no duration.
  case isEndless
}
