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
  /// Whether its value is a parameter of the file, a slot, and therefore not layout.
  var isSlotted = false

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

  /// The values at the keyframes.
  var values: [LottieVector] { [first] + segments.flatMap { [$0.from, $0.to] } + [last] }

  /// Returns whether its value changes in a range of frames.
  func moves(in frames: ClosedRange<Double>) -> Bool {
    guard frames.lowerBound < frames.upperBound, !segments.isEmpty || first != last else {
      return false
    }
    let start = value(at: frames.lowerBound)
    return value(at: frames.upperBound) != start
      || segments.contains { segment in
        guard segment.firstFrame < frames.upperBound, segment.lastFrame > frames.lowerBound else {
          return false
        }
        // Until the end of a hold, its `to` is not seen.
        let isHold = segment.easingX == .hold && segment.easingY == .hold
        return segment.from != start && segment.firstFrame >= frames.lowerBound
          || !isHold && (segment.from != segment.to || segment.path != nil)
      }
  }

  /// Returns the range of x in a range of frames, without the overshoot of an easing.
  func extent(in frames: ClosedRange<Double>) -> ClosedRange<Double> {
    var values = [value(at: frames.lowerBound).x, value(at: frames.upperBound).x]
    for segment in segments
    where segment.firstFrame < frames.upperBound && segment.lastFrame > frames.lowerBound {
      if segment.firstFrame >= frames.lowerBound { values.append(segment.from.x) }
      if segment.lastFrame <= frames.upperBound, segment.easingX != .hold {
        values.append(segment.to.x)
      }
    }
    return (values.min() ?? 0)...(values.max() ?? 0)
  }

  /// Returns whether x and y are always the same multiple of those of a vector.
  func isUniform(_ unit: LottieVector) -> Bool {
    func isMultiple(_ value: LottieVector) -> Bool { value.x * unit.y == value.y * unit.x }
    return isMultiple(first) && isMultiple(last)
      && segments.allSatisfy {
        isMultiple($0.from) && isMultiple($0.to) && $0.easingX == $0.easingY
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
