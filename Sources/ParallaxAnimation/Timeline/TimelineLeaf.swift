import ParallaxMotion

/// What changes the pose.
enum TimelineLeaf: Sendable {
  case delay
  case step(AnimationStep.Change, Curve)
  case keyframes(KeyframeCourse)
  case track(PoseTrackReference)

  /// - Parameter share: of the duration, in 0..<1.
  func pose(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    switch self {
    case .delay: return start
    case .step(let change, let curve):
      return change.map(progress: curve.value(at: share, durationSeconds: durationSeconds))
        .apply(start)
    case .keyframes(let course): return course.pose(at: share, durationSeconds, from: start)
    case .track(let reference):
      return start + reference.difference(at: share * durationSeconds)
    }
  }

  /// - Parameter share: of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    switch self {
    case .delay: return .zero
    case .step(let change, let curve):
      // A step's pose is linear in its progress.
      let whole = change.map(progress: 1).apply(start) - start
      return whole * curve.velocity(at: share, durationSeconds: durationSeconds)
    case .keyframes(let course): return course.velocity(at: share, durationSeconds, from: start)
    case .track(let reference):
      return reference.track.velocity(at: share * durationSeconds).held(within: .poseBound)
    }
  }

  /// What it does at once when it begins. A jump of `steps` at the start is none of it: played
  /// backward, it is made at the very end.
  func begin(_ durationSeconds: Double) -> PoseMap {
    guard durationSeconds > 0 else { return .identity }
    switch self {
    case .delay, .step(_, .steps): return .identity
    case .step(let change, let curve):
      return change.map(progress: curve.value(at: 0, durationSeconds: durationSeconds))
    case .keyframes(let course): return course.begin
    case .track(let reference): return reference.effect(at: 0)
    }
  }

  /// What the whole of it does.
  func effect(_ durationSeconds: Double) -> PoseMap {
    switch self {
    case .delay: return .identity
    case .step(let change, let curve): return change.map(progress: curve.endValue)
    case .keyframes(let course): return course.effect
    case .track(let reference): return reference.effect(at: durationSeconds)
    }
  }

  var channels: PoseChannels {
    switch self {
    case .delay: []
    case .step(let change, _): change.channels
    case .keyframes(let course): course.channels
    case .track(let reference): reference.track.channels
    }
  }

  /// Those that go to a value wherever they began.
  var targets: PoseChannels {
    switch self {
    case .delay, .track: []
    case .step(let change, _): change.isTarget ? change.channels : []
    case .keyframes(let course): course.channels
    }
  }
}

extension PoseTrackReference {
  fileprivate func difference(at seconds: Double) -> Pose {
    track.difference(at: seconds).held(within: .poseBound)
  }

  fileprivate func effect(at seconds: Double) -> PoseMap {
    PoseMap(factor: PoseMap.identity.factor, term: difference(at: seconds))
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

  var isTarget: Bool {
    switch self {
    case .moveBy, .rotateBy, .scaleBy: false
    case .moveTo, .rotateTo, .scaleTo, .fadeTo: true
    }
  }

  /// With numbers that can be computed with.
  var held: Self {
    func px(_ px: PixelOffset) -> PixelOffset {
      PixelOffset(x: px.x.held(within: .poseBound), y: px.y.held(within: .poseBound))
    }
    return switch self {
    case .moveBy(let offset): .moveBy(px(offset))
    case .moveTo(let offset): .moveTo(px(offset))
    case .rotateBy(let degrees): .rotateBy(degrees.held(within: .poseBound))
    case .rotateTo(let degrees): .rotateTo(degrees.held(within: .poseBound))
    case .scaleBy(let factor): .scaleBy(factor.held(within: .poseBound))
    case .scaleTo(let scale): .scaleTo(scale.held(within: .poseBound))
    case .fadeTo(let opacity): .fadeTo(opacity.held(within: .poseBound))
    }
  }

  /// The pose at a progress as a map of the pose at the start.
  func map(progress: Double) -> PoseMap {
    var map = PoseMap.identity
    switch self {
    case .moveBy(let px): map.term.offset = PixelOffset(x: px.x * progress, y: px.y * progress)
    case .moveTo(let px):
      map.factor.offset = PixelOffset(x: 1 - progress, y: 1 - progress)
      map.term.offset = PixelOffset(x: px.x * progress, y: px.y * progress)
    case .rotateBy(let degrees): map.term.rotationDegrees = degrees * progress
    case .rotateTo(let degrees):
      map.factor.rotationDegrees = 1 - progress
      map.term.rotationDegrees = degrees * progress
    case .scaleBy(let factor): map.factor.scale = 1 + (factor - 1) * progress
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
