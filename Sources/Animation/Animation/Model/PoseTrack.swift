// SPDX-License-Identifier: Apache-2.0

/// Keyframes of a pose: a lane for each channel, with the keyframes that set it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public struct _PoseTrack: _KeyframeTrack {
  private struct ChannelLane {
    var channel: PoseChannel
    var lane: KeyframeLane<Double>
    /// Whether the scale downward has the same keyframes.
    var isMirrored = false
  }

  private var lanes: [ChannelLane] = []
  public let channels: PoseChannels

  public init(_ frames: [Keyframes.Frame]) {
    var channels: PoseChannels = frames.reduce(into: []) { $0.formUnion($1.channels) }
    let hasAxes = frames.contains {
      $0.channels.contains(.scale) && $0.pose.scale != $0.pose.scaleY
    }
    channels.remove(PoseChannels(.scaleY))
    if hasAxes { channels.formUnion(.scales) }
    self.channels = channels
    let frames = frames.inOrder()
    for channel in PoseChannel.allCases where channels.contains(PoseChannels(channel)) {
      let own: PoseChannels = channel == .scaleY ? .scale : PoseChannels(channel)
      let stops = frames.filter { $0.channels.contains(own) }.map {
        KeyframeLane.Stop(
          share: $0.share, value: $0.pose[channel].clamped(to: .poseBound), curve: $0.curve)
      }
      lanes.append(
        ChannelLane(
          channel: channel, lane: KeyframeLane(stops), isMirrored: channel == .scale && !hasAxes))
    }
  }

  public func value(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    var pose = start
    for index in lanes.indices {
      let channel = lanes[index].channel
      let place = lanes[index].lane.place(at: share, durationSeconds)
      pose[channel] = place.value(from: start[channel])
      if lanes[index].isMirrored { pose.scaleY = place.value(from: start.scaleY) }
    }
    return pose
  }

  public func velocity(at share: Double, _ durationSeconds: Double, from start: Pose) -> Pose {
    var velocity = Pose.zero
    for index in lanes.indices {
      let channel = lanes[index].channel
      let pace = lanes[index].lane.pace(at: share, durationSeconds)
      velocity[channel] = pace.difference(from: start[channel])
      if lanes[index].isMirrored { velocity.scaleY = pace.difference(from: start.scaleY) }
    }
    return velocity
  }

  public var begin: _PoseMap { map { $0.lane.begin } }
  public var effect: _PoseMap { map { $0.lane.end } }

  private func map(_ target: (ChannelLane) -> Double?) -> _PoseMap {
    var map = _PoseMap.identity
    for lane in lanes {
      guard let value = target(lane) else { continue }
      map.factor[lane.channel] = 0
      map.term[lane.channel] = value
      if lane.isMirrored {
        map.factor.scaleY = 0
        map.term.scaleY = value
      }
    }
    return map
  }
}
