/// What one addition to an animator moves.
enum AnimatorContent: Sendable {
  /// One change, paced by the animator's curve, which may overshoot.
  case change(AnimationStep.Change)
  /// An animation with steps and curves of its own, as a whole fitted into the animator's time.
  case timeline(Timeline)

  /// s that it takes where the animator has no duration of its own.
  func naturalSeconds(_ curve: Curve?) -> Double {
    switch self {
    case .change: (curve ?? .ease).naturalSeconds
    case .timeline(let timeline): timeline.durationSeconds
    }
  }

  /// Where the animator has no curve of its own: an animation has its curves, a change eases.
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

  /// The pose's change per unit of progress.
  func slope(progress: Double, from start: Pose) -> Pose {
    switch self {
    case .change(let change): return change.map(progress: 1).apply(start) - start
    case .timeline(let timeline):
      // Outside its time an animation stands.
      return timeline.velocity(at: progress * timeline.durationSeconds, from: start)
        * timeline.durationSeconds
    }
  }
}

/// One animation of an animator that has begun.
struct AnimatorPart: Sendable {
  enum Timing: Sendable {
    /// Fitted into the animator's time.
    case paced(AnimatorPacing)
    /// Nothing to fit it into: at its own speed, from where it begins in the animator's time.
    case natural(begin: Double)
  }

  let content: AnimatorContent
  /// Where all that had begun before will have gone.
  let start: Pose
  /// Where it will have gone itself.
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

  /// What it adds to where all will have gone, at a place of the animator.
  func difference(at place: Double) -> Pose { pose(at: place) - end }

  private func pose(at place: Double) -> Pose {
    switch (timing, content) {
    case (.paced(let pacing), _):
      guard pacing.hasBegun(at: place) else { return start }
      return content.pose(progress: pacing.progress(at: place), from: start)
    case (.natural(let begin), .timeline(let timeline)):
      return timeline.pose(at: place - begin, from: start)
    case (.natural, .change): return end
    }
  }

  /// The pose's change per s of the animator's time.
  func slope(at place: Double) -> Pose {
    switch (timing, content) {
    case (.paced(let pacing), _):
      return content.slope(progress: pacing.progress(at: place), from: start)
        * pacing.slope(at: place)
    case (.natural(let begin), .timeline(let timeline)):
      return timeline.velocity(at: place - begin, from: start)
    case (.natural, .change): return .zero
    }
  }

  mutating func pace(from place: Double, isReversed: Bool, curve: Curve, rate: Double) {
    guard case .paced(var pacing) = timing else { return }
    pacing.pace(from: place, isReversed: isReversed, curve: curve, rate: rate)
    timing = .paced(pacing)
  }
}
