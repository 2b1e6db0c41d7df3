/// The course through keyframes, channel by channel.
extension [Keyframes.Frame] {
  var channels: PoseChannels { reduce(into: []) { $0.formUnion($1.channels) } }

  func pose(at share: Double, from start: Pose) -> Pose {
    effect(at: share).apply(start)
  }

  /// The pose's change per share of the duration.
  func slope(at share: Double, from start: Pose) -> Pose {
    var slope = Pose.zero
    for channel in PoseChannel.allCases {
      guard let stretch = stretch(channel, at: share), stretch.width > 0 else { continue }
      let from = stretch.from ?? start[channel]
      let to = stretch.to ?? start[channel]
      slope[channel] =
        (to - from) / stretch.width * stretch.curve.velocity(at: stretch.share, durationSeconds: 1)
    }
    return slope
  }

  /// The pose at a share as a map of the pose at the start.
  func effect(at share: Double) -> PoseMap {
    var map = PoseMap.identity
    for channel in PoseChannel.allCases {
      guard let stretch = stretch(channel, at: share) else { continue }
      let progress =
        stretch.width > 0
        ? stretch.curve.value(at: stretch.share, durationSeconds: 1) : 1
      // From the pose at the start, or to it, where no keyframe stands at that end.
      var factor = 0.0
      var term = 0.0
      if let from = stretch.from { term += from * (1 - progress) } else { factor += 1 - progress }
      if let to = stretch.to { term += to * progress } else { factor += progress }
      map.factor[channel] = factor
      map.term[channel] = term
    }
    return map
  }

  private struct Stretch {
    /// nil: the pose at the start.
    var from: Double?
    var to: Double?
    /// Of the duration.
    var width: Double
    /// Within the stretch, 0...1.
    var share: Double
    var curve: Curve
  }

  /// Between which keyframes a channel is; nil where none names it.
  private func stretch(_ channel: PoseChannel, at share: Double) -> Stretch? {
    var before: Int?
    var after: Int?
    for (index, frame) in enumerated() where frame.channels.contains(PoseChannels(channel)) {
      // Of several at one share the last counts from there on.
      if frame.share <= share { before = index } else if after == nil { after = index }
    }
    if before == nil, after == nil { return nil }
    let begin = before.map { self[$0].share } ?? 0
    let end = after.map { self[$0].share } ?? 1
    let from = before.map { self[$0].pose[channel] }
    let to = after.map { self[$0].pose[channel] }
    if before != nil, after == nil, begin >= 1 {
      return Stretch(from: from, to: from, width: 0, share: 1, curve: .linear)
    }
    return Stretch(
      from: from, to: to, width: end - begin,
      share: end > begin ? (share - begin) / (end - begin) : 1,
      curve: after.map { self[$0].curve } ?? .linear)
  }
}
