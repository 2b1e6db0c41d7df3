/// One property over the frames: its value at any frame, asked in any order, without allocating.
struct LottieCourse: Sendable {
  /// From one keyframe to the next.
  struct Segment: Sendable {
    var firstFrame: Double
    /// Behind `firstFrame`.
    var lastFrame: Double
    var from: LottieVector
    var to: LottieVector
    var easingX: LottieEasing
    var easingY: LottieEasing
    /// Into `paths`; nil: the straight line.
    var path: Int?
  }

  /// In the order of time; none where the value never changes.
  private let segments: [Segment]
  private let paths: [SpatialPath]
  private let first: LottieVector
  private let last: LottieVector

  /// A value for all times.
  init(_ value: LottieVector) {
    segments = []
    paths = []
    first = value
    last = value
  }

  /// - Parameter last: the last keyframe's value.
  init(_ segments: [Segment], paths: [SpatialPath], first: LottieVector, last: LottieVector) {
    self.segments = segments
    self.paths = paths
    self.first = first
    self.last = last
  }

  /// Whether it has keyframes that say different things.
  var moves: Bool {
    first != last || segments.contains { $0.from != first || $0.to != first || $0.path != nil }
  }

  /// Before the first keyframe it stands at the first value, behind the last at the last.
  func value(at frame: Double) -> LottieVector {
    guard let segment = segment(at: frame) else { return edge(frame) }
    let share = (frame - segment.firstFrame) / (segment.lastFrame - segment.firstFrame)
    let progress = segment.easingX.value(at: share)
    if let path = segment.path { return paths[path].position(at: progress) }
    let way = segment.to - segment.from
    return LottieVector(
      x: segment.from.x + way.x * progress,
      y: segment.from.y + way.y * segment.easingY.value(at: share))
  }

  /// The value's change per frame; zero where it stands or jumps.
  func slope(at frame: Double) -> LottieVector {
    guard let segment = segment(at: frame) else { return .zero }
    let frames = segment.lastFrame - segment.firstFrame
    let share = (frame - segment.firstFrame) / frames
    let slope = segment.easingX.slope(at: share) / frames
    if let path = segment.path {
      return paths[path].slope(at: segment.easingX.value(at: share)) * slope
    }
    let way = segment.to - segment.from
    return LottieVector(
      x: way.x * slope, y: way.y * segment.easingY.slope(at: share) / frames)
  }

  private func edge(_ frame: Double) -> LottieVector {
    segments.isEmpty || frame >= segments[0].firstFrame ? last : first
  }

  /// nil before the first and behind the last. Keyframes follow one another, so the last segment that
  /// has begun is the one. Indices, not `first` and `last`: without optimisation those allocate.
  private func segment(at frame: Double) -> Segment? {
    guard !segments.isEmpty, frame >= segments[0].firstFrame,
      frame < segments[segments.count - 1].lastFrame
    else { return nil }
    var low = 0
    var high = segments.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if segments[middle].firstFrame <= frame { low = middle } else { high = middle }
    }
    return segments[low]
  }
}
