// SPDX-License-Identifier: Apache-2.0

/// The content of one addition to an animator.
enum AnimatorContent: Sendable {
  /// One change, timed by the animator's curve, which may overshoot.
  case change(PoseChange)
  /// An animation with its own steps and curves, fitted into the animator's duration as a whole.
  case timeline(Timeline<Pose>)

  /// Returns the duration in seconds for an animator without a given duration.
  func naturalSeconds(_ curve: Curve?) -> Double {
    switch self {
    case .change(let change): (curve ?? .ease).naturalSeconds(for: change)
    case .timeline(let timeline): timeline.durationSeconds
    }
  }

  /// Returns the curve for an animator without a given curve: `linear` for an animation, which has
  /// its own curves, `ease` for a change.
  func curve(_ given: Curve?) -> Curve {
    if let given { return given }
    if case .change = self { return .ease }
    return .linear
  }

  func pose(progress: Double, from start: Pose) -> Pose {
    switch self {
    case .change(let change): change.map(progress: progress).apply(start)
    case .timeline(let timeline):
      timeline.pose(at: max(0, progress) * timeline.durationSeconds, from: start)
    }
  }

  /// Returns the change of the pose per unit of progress.
  func slope(progress: Double, from start: Pose) -> Pose {
    switch self {
    case .change(let change): return change.map(progress: 1).apply(start) - start
    case .timeline(let timeline):
      // Outside its duration an animation does not move.
      return timeline.velocity(at: progress * timeline.durationSeconds, from: start)
        * timeline.durationSeconds
    }
  }
}

/// One animation of a started animator.
struct AnimatorPart: Sendable {
  enum Timing: Sendable {
    /// Fitted into the animator's duration.
    case fitted(AnimatorProgress)
    /// At its own speed, from a place of the animator, because there is no duration to fit it into.
    case natural(begin: Double)
  }

  let content: AnimatorContent
  /// The target of all animations that started before.
  let start: Pose
  /// The target including this one.
  let end: Pose
  var timing: Timing

  init(_ content: AnimatorContent, from start: Pose, timing: Timing) {
    self.content = content
    self.start = start
    self.timing = timing
    end =
      switch content {
      case .change: content.pose(progress: 1, from: start)
      case .timeline(let timeline): timeline.end(from: start)
      }
  }

  /// Returns the distance from `end` at a place of the animator.
  func difference(at place: Double) -> Pose { pose(at: place) - end }

  private func pose(at place: Double) -> Pose {
    switch (timing, content) {
    case (.fitted(let progress), _):
      guard progress.hasBegun(at: place) else { return start }
      return content.pose(progress: progress.progress(at: place), from: start)
    case (.natural(let begin), .timeline(let timeline)):
      return timeline.pose(at: place - begin, from: start)
    case (.natural, .change): return end
    }
  }

  /// The place at which a user sees it as over.
  var logicalEnd: Double {
    switch (timing, content) {
    case (.fitted(let progress), .timeline(let timeline)) where progress.isLinear:
      // The animation has its own curves.
      progress.place(ofShare: timeline.logicalSeconds / timeline.durationSeconds)
    case (.fitted(let progress), _): progress.logicalEnd
    case (.natural(let begin), .timeline(let timeline)): begin + timeline.logicalSeconds
    case (.natural(let begin), .change): begin
    }
  }

  /// Returns the change of the pose per second on the animator's axis.
  func slope(at place: Double) -> Pose {
    switch (timing, content) {
    case (.fitted(let progress), _):
      return content.slope(progress: progress.progress(at: place), from: start)
        * progress.slope(at: place)
    case (.natural(let begin), .timeline(let timeline)):
      return timeline.velocity(at: place - begin, from: start)
    case (.natural, .change): return .zero
    }
  }

  /// Replaces the curve from a place on; see `AnimatorProgress`.
  mutating func replaceCurve(
    from place: Double, isReversed: Bool, curve: Curve, rate: Double
  ) {
    guard case .fitted(var progress) = timing else { return }
    progress.replaceCurve(from: place, isReversed: isReversed, curve: curve, rate: rate)
    timing = .fitted(progress)
  }
}
