import ParallaxMotion

/// A part of an animation with what is known of it beforehand.
struct TimelineNode: Sendable {
  enum Kind: Sendable {
    /// Changes the pose itself.
    case leaf(TimelineLeaf)
    /// `links[first..<first + count]`, in the order of their starts.
    case sequence(first: Int, count: Int)
    case parallel(first: Int, count: Int)
    case repeated(child: Int)
    case autoreversed(child: Int)
    case speed(child: Int, factor: Double)
  }

  var kind: Kind
  var durationSeconds: Double
  var effect: PoseMap
  var channels: PoseChannels
}

/// A child and when it begins, within its parent.
struct TimelineLink: Sendable {
  var node: Int
  var startSeconds: Double
  /// In a sequence: what the children before have made of the pose.
  var before: PoseMap
}

/// What changes the pose, forward or backward in time.
enum TimelineLeaf: Sendable {
  case delay
  case step(AnimationStep.Change, Curve, isReversed: Bool)
  case keyframes([Keyframes.Frame], isReversed: Bool)
  case track(PoseTrackReference, isReversed: Bool)

  /// - Parameter share: of the duration, in 0..<1.
  func pose(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    switch self {
    case .delay: return start
    case .step(let change, let curve, let isReversed):
      let progress = curve.value(
        at: isReversed ? 1 - share : share, durationSeconds: durationSeconds)
      return change.map(progress: progress, end: isReversed ? curve.endValue : nil).apply(start)
    case .keyframes(let frames, let isReversed):
      return frames.pose(at: isReversed ? 1 - share : share, from: start)
    case .track(let reference, let isReversed):
      return start + reference.difference(at: share, durationSeconds, isReversed: isReversed)
    }
  }

  /// - Parameter share: of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    switch self {
    case .delay: return .zero
    case .step(let change, let curve, let isReversed):
      let slope = curve.velocity(
        at: isReversed ? 1 - share : share, durationSeconds: durationSeconds)
      // A step's pose is linear in its progress.
      let whole = change.map(progress: 1, end: nil).apply(start) - start
      return whole * (isReversed ? -slope : slope)
    case .keyframes(let frames, let isReversed):
      let slope = frames.slope(at: isReversed ? 1 - share : share, from: start)
      return slope * ((isReversed ? -1 : 1) / durationSeconds)
    case .track(let reference, let isReversed):
      let seconds = (isReversed ? 1 - share : share) * durationSeconds
      return reference.track.velocity(at: seconds) * (isReversed ? -1 : 1)
    }
  }

  /// What the whole of it does.
  func effect(_ durationSeconds: Double) -> PoseMap {
    switch self {
    case .delay: return .identity
    case .step(let change, let curve, let isReversed):
      return isReversed
        ? change.map(progress: curve.startValue, end: curve.endValue)
        : change.map(progress: curve.endValue, end: nil)
    case .keyframes(let frames, let isReversed):
      return frames.effect(at: isReversed ? 0 : 1)
    case .track(let reference, let isReversed):
      return PoseMap(
        factor: PoseMap.identity.factor,
        term: reference.difference(at: 1, durationSeconds, isReversed: isReversed))
    }
  }
}

extension PoseTrackReference {
  /// Backward it goes from its end to its start, beginning where the pose is.
  fileprivate func difference(
    at share: Double, _ durationSeconds: Double, isReversed: Bool
  ) -> Pose {
    guard isReversed else { return track.difference(at: share * durationSeconds) }
    return track.difference(at: (1 - share) * durationSeconds)
      - track.difference(at: durationSeconds)
  }
}

extension AnimationStep.Change {
  var channels: PoseChannels {
    switch self {
    case .moveBy, .moveTo: .offset
    case .rotateBy, .rotateTo: .rotation
    case .scaleBy, .scaleTo: .scale
    case .fadeTo: .opacity
    }
  }

  /// The pose at a progress as a map of the pose at the start.
  ///
  /// - Parameter end: nil: forward. Backward, the progress where the forward way ends: what only adds
  ///   begins at the start and goes the other way; what has a target begins there.
  func map(progress: Double, end: Double?) -> PoseMap {
    var map = PoseMap.identity
    let way = progress - (end ?? 0)
    switch self {
    case .moveBy(let px): map.term.offset = PixelOffset(x: px.x * way, y: px.y * way)
    case .moveTo(let px):
      map.factor.offset = PixelOffset(x: 1 - progress, y: 1 - progress)
      map.term.offset = PixelOffset(x: px.x * progress, y: px.y * progress)
    case .rotateBy(let degrees): map.term.rotationDegrees = degrees * way
    case .rotateTo(let degrees):
      map.factor.rotationDegrees = 1 - progress
      map.term.rotationDegrees = degrees * progress
    case .scaleBy(let factor): map.factor.scale = 1 + (factor - 1) * way
    case .scaleTo(let scale):
      map.factor.scale = 1 - progress
      map.term.scale = scale * progress
    case .fadeTo(let opacity):
      map.factor.opacity = 1 - progress
      map.term.opacity = opacity * progress
    }
    return map
  }
}
