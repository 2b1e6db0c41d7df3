// SPDX-License-Identifier: Apache-2.0

/// The motion through keyframes: for each channel, the segments between the keyframes that set it.
struct KeyframeTrack: Sendable {
  /// The motion from one keyframe to the next. Times are shares of the duration.
  private struct Segment {
    var begin: Double
    /// After `begin`.
    var end: Double
    /// nil: the pose at the start.
    var from: Double?
    var to: Double?
    var curve: Curve
  }

  private struct Lane {
    var channel: PoseChannel
    /// `segments[first..<first + count]`: at least one, covering 0 to 1 without a gap.
    var first: Int
    var count: Int
    /// The value at the end; nil: the pose at the start.
    var end: Double?
    /// Whether the scale downward has the same keyframes.
    var isMirrored = false
  }

  private var segments: [Segment] = []
  private var lanes: [Lane] = []
  let channels: PoseChannels

  init(_ frames: [Keyframes.Frame]) {
    var channels: PoseChannels = frames.reduce(into: []) { $0.formUnion($1.channels) }
    let hasAxes = frames.contains {
      $0.channels.contains(.scale) && $0.pose.scale != $0.pose.scaleY
    }
    channels.remove(PoseChannels(.scaleY))
    if hasAxes { channels.formUnion(.scales) }
    self.channels = channels
    // In the order of their shares; those with the same share keep theirs. NaN counts as 0.
    let frames = frames.sorted { ($0.share > 0 ? $0.share : 0) < ($1.share > 0 ? $1.share : 0) }
    for channel in PoseChannel.allCases where channels.contains(PoseChannels(channel)) {
      let own: PoseChannels = channel == .scaleY ? .scale : PoseChannels(channel)
      add(channel, frames.filter { $0.channels.contains(own) })
    }
    if !hasAxes, let lane = lanes.firstIndex(where: { $0.channel == .scale }) {
      lanes[lane].isMirrored = true
    }
  }

  private mutating func add(_ channel: PoseChannel, _ frames: [Keyframes.Frame]) {
    let first = segments.count
    var (place, value): (Double, Double?) = (0, nil)
    for frame in frames {
      // Of several at one place, the motion goes to the first and continues from the last.
      let share = frame.share > 0 ? min(frame.share, 1) : 0
      let next = frame.pose[channel].clamped(to: .poseBound)
      if share > place {
        segments.append(
          Segment(begin: place, end: share, from: value, to: next, curve: frame.curve))
      }
      (place, value) = (share, next)
    }
    if place < 1 {
      segments.append(Segment(begin: place, end: 1, from: value, to: nil, curve: .linear))
    }
    lanes.append(
      Lane(
        channel: channel, first: first, count: segments.count - first,
        end: place < 1 ? nil : value))
  }

  /// - Parameter share: Share of the duration, in 0..<1.
  func pose(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    var pose = start
    for lane in lanes {
      let channel = lane.channel
      let segment = segments[activeSegment(of: lane, at: share)]
      let width = segment.end - segment.begin
      let progress = segment.curve.value(
        at: (share - segment.begin) / width, durationSeconds: width * durationSeconds)
      let (from, to) = (segment.from ?? start[channel], segment.to ?? start[channel])
      pose[channel] = from + (to - from) * progress
      if lane.isMirrored {
        let (from, to) = (segment.from ?? start.scaleY, segment.to ?? start.scaleY)
        pose.scaleY = from + (to - from) * progress
      }
    }
    return pose
  }

  /// - Parameter share: Share of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    var velocity = Pose.zero
    for lane in lanes {
      let channel = lane.channel
      let segment = segments[activeSegment(of: lane, at: share)]
      let width = segment.end - segment.begin
      let slope = segment.curve.velocity(
        at: (share - segment.begin) / width, durationSeconds: width * durationSeconds)
      velocity[channel] =
        ((segment.to ?? start[channel]) - (segment.from ?? start[channel])) * slope
      if lane.isMirrored {
        velocity.scaleY =
          ((segment.to ?? start.scaleY) - (segment.from ?? start.scaleY)) * slope
      }
    }
    return velocity
  }

  /// The immediate effect at the start: a jump to the keyframes at 0.
  var begin: PoseMap { map { segments[$0.first].from } }

  /// The effect at the end.
  var effect: PoseMap { map(\.end) }

  private func map(_ value: (Lane) -> Double?) -> PoseMap {
    var map = PoseMap.identity
    for lane in lanes {
      guard let value = value(lane) else { continue }
      map.factor[lane.channel] = 0
      map.term[lane.channel] = value
      if lane.isMirrored {
        map.factor.scaleY = 0
        map.term.scaleY = value
      }
    }
    return map
  }

  /// Returns the last segment of a lane that has started.
  private func activeSegment(of lane: Lane, at share: Double) -> Int {
    var low = lane.first
    var high = lane.first + lane.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if segments[middle].begin <= share { low = middle } else { high = middle }
    }
    return low
  }
}
