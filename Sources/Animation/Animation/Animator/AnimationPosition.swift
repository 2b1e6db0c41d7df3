// SPDX-License-Identifier: Apache-2.0

/// Where a motion has ended. The names are those of UIViewAnimatingPosition.
public enum AnimationPosition: String, CaseIterable, Sendable {
  /// Back where it started.
  case start
  /// Where it was when it was ended.
  case current
  /// At its target.
  case end
}

/// When a completion is called. The names are those of SwiftUI's `AnimationCompletionCriteria`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum AnimationCompletionCriteria: Sendable {
  /// When a user sees it as over: a spring has then taken its ``Spring/response``, and only swings or creeps to its rest.
  case logicallyComplete
  /// When nothing moves any more: a spring is at rest.
  case removed
}

/// A call that the state of an animator does not allow. UIKit raises an exception.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum AnimatorError: Error, Equatable, Sendable {
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
  /// It has continued with too many curves, or has too many additions.
  case hasTooManyChanges
}

/// The states of an animator. The names are those of UIViewAnimatingState.
public enum AnimatorPhase: Sendable {
  /// Not started, or ended.
  case inactive
  /// Started: it waits, runs or is paused.
  case active
  /// Stopped where it is, until it is finished.
  case stopped
}
