// SPDX-License-Identifier: Apache-2.0

/// A property over the frames: its value at any frame, in any order, without allocation.
struct LottieMotionTrack: Sendable {
  /// The motion from one keyframe to the next.
  struct Segment: Sendable {
    var firstFrame: Double
    /// After `firstFrame`.
    var lastFrame: Double
    var from: LottieVector
    var to: LottieVector
    var easingX: LottieEasing
    var easingY: LottieEasing
    /// The index in `paths`; nil for a straight line.
    var path: Int?
  }

  /// In the order of time; empty if the value never changes.
  private let segments: [Segment]
  private let paths: [SpatialPath]
  private let first: LottieVector
  private let last: LottieVector

  /// Creates a constant track.
  init(_ value: LottieVector) {
    segments = []
    paths = []
    first = value
    last = value
  }

  /// - Parameter last: The value of the last keyframe.
  init(_ segments: [Segment], paths: [SpatialPath], first: LottieVector, last: LottieVector) {
    self.segments = segments
    self.paths = paths
    self.first = first
    self.last = last
  }

  /// Whether its value changes.
  var moves: Bool {
    first != last || segments.contains { $0.from != first || $0.to != first || $0.path != nil }
  }

  /// Whether x and y are always the same.
  var isUniform: Bool {
    first.x == first.y && last.x == last.y
      && segments.allSatisfy {
        $0.from.x == $0.from.y && $0.to.x == $0.to.y && $0.easingX == $0.easingY
      }
  }

  /// Returns the value at a frame: before the first keyframe the first value, after the last the
  /// last.
  func value(at frame: Double) -> LottieVector {
    guard let segment = segment(at: frame) else { return edge(frame) }
    let share = (frame - segment.firstFrame) / (segment.lastFrame - segment.firstFrame)
    let progress = segment.easingX.value(at: share)
    if let path = segment.path { return paths[path].position(at: progress) }
    let delta = segment.to - segment.from
    return LottieVector(
      x: segment.from.x + delta.x * progress,
      y: segment.from.y + delta.y * segment.easingY.value(at: share))
  }

  /// Returns the change of the value per frame; zero where it is constant or jumps.
  func slope(at frame: Double) -> LottieVector {
    guard let segment = segment(at: frame) else { return .zero }
    let frames = segment.lastFrame - segment.firstFrame
    let share = (frame - segment.firstFrame) / frames
    let slope = segment.easingX.slope(at: share) / frames
    if let path = segment.path {
      return paths[path].slope(at: segment.easingX.value(at: share)) * slope
    }
    let delta = segment.to - segment.from
    return LottieVector(
      x: delta.x * slope, y: delta.y * segment.easingY.slope(at: share) / frames)
  }

  private func edge(_ frame: Double) -> LottieVector {
    segments.isEmpty || frame >= segments[0].firstFrame ? last : first
  }

  /// Returns the last segment that has started; nil before the first and after the last one.
  private func segment(at frame: Double) -> Segment? {
    guard let start = segments.first, let end = segments.last, frame >= start.firstFrame,
      frame < end.lastFrame
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
