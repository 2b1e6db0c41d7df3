/// The course through keyframes: for each channel the stretches between those that name it.
struct KeyframeCourse: Sendable {
  /// From one keyframe to the next; shares of the duration.
  private struct Stretch {
    var begin: Double
    /// Behind `begin`.
    var end: Double
    /// nil: the pose at the start.
    var from: Double?
    var to: Double?
    var curve: Curve
  }

  private struct Lane {
    var channel: PoseChannel
    /// `stretches[first..<first + count]`: one or more, from 0 to 1 without a gap.
    var first: Int
    var count: Int
    /// What it leaves; nil: the pose at the start.
    var end: Double?
  }

  private var stretches: [Stretch] = []
  private var lanes: [Lane] = []
  let channels: PoseChannels

  init(_ frames: [Keyframes.Frame]) {
    channels = frames.reduce(into: []) { $0.formUnion($1.channels) }
    for channel in PoseChannel.allCases where channels.contains(PoseChannels(channel)) {
      add(channel, frames.filter { $0.channels.contains(PoseChannels(channel)) })
    }
  }

  private mutating func add(_ channel: PoseChannel, _ frames: [Keyframes.Frame]) {
    let first = stretches.count
    var (place, value): (Double, Double?) = (0, nil)
    for frame in frames {
      // Not before the one in front of it. Of several at one place the first is gone to, and the last
      // counts from there on.
      let share = min(max(place, frame.share), 1)
      let next = frame.pose[channel].held(within: .poseBound)
      if share > place {
        stretches.append(
          Stretch(begin: place, end: share, from: value, to: next, curve: frame.curve))
      }
      (place, value) = (share, next)
    }
    if place < 1 {
      stretches.append(Stretch(begin: place, end: 1, from: value, to: nil, curve: .linear))
    }
    lanes.append(
      Lane(
        channel: channel, first: first, count: stretches.count - first,
        end: place < 1 ? nil : value))
  }

  /// - Parameter share: of the duration, in 0..<1.
  func pose(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    var pose = start
    var index = 0
    while index < lanes.count {
      let channel = lanes[index].channel
      let stretch = stretches[running(lanes[index], at: share)]
      let width = stretch.end - stretch.begin
      let progress = stretch.curve.value(
        at: (share - stretch.begin) / width, durationSeconds: width * durationSeconds)
      let (from, to) = (stretch.from ?? start[channel], stretch.to ?? start[channel])
      pose[channel] = from + (to - from) * progress
      index += 1
    }
    return pose
  }

  /// - Parameter share: of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    var velocity = Pose.zero
    var index = 0
    while index < lanes.count {
      let channel = lanes[index].channel
      let stretch = stretches[running(lanes[index], at: share)]
      let width = stretch.end - stretch.begin
      let slope = stretch.curve.velocity(
        at: (share - stretch.begin) / width, durationSeconds: width * durationSeconds)
      velocity[channel] =
        ((stretch.to ?? start[channel]) - (stretch.from ?? start[channel])) * slope
      index += 1
    }
    return velocity
  }

  /// What it does at once when it begins: go to the keyframes at 0.
  var begin: PoseMap { map { stretches[$0.first].from } }

  /// What the whole of it does.
  var effect: PoseMap { map(\.end) }

  private func map(_ value: (Lane) -> Double?) -> PoseMap {
    var map = PoseMap.identity
    for lane in lanes {
      guard let value = value(lane) else { continue }
      map.factor[lane.channel] = 0
      map.term[lane.channel] = value
    }
    return map
  }

  /// The last stretch that has begun.
  private func running(_ lane: Lane, at share: Double) -> Int {
    var low = lane.first
    var high = lane.first + lane.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if stretches[middle].begin <= share { low = middle } else { high = middle }
    }
    return low
  }
}
