// SPDX-License-Identifier: Apache-2.0

/// How animations compute with a pose, whose channels change separately.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public enum _PoseModel: _AnimationModel {
  public typealias Change = PoseChange
  public typealias Map = _PoseMap
  public typealias Track = _PoseTrack

  public static var rest: Pose { .rest }
  public static func clamped(_ pose: Pose, to bound: Double) -> Pose { pose.clamped(to: bound) }
  // A change affects some channels. `by` of all of them is a closure, `to` are keyframes.
  public static func change(by pose: Pose) -> PoseChange? { nil }
  public static func change(to pose: Pose) -> PoseChange? { nil }

  public static func clamped(_ change: PoseChange) -> PoseChange { change.clamped }
  public static func channels(of change: PoseChange) -> PoseChannels { change.channels }
  public static func targets(of change: PoseChange) -> PoseChannels { change.targets }
  public static func way(of change: PoseChange) -> Pose? { change.longestWay }

  public static func map(of change: PoseChange, at progress: Double) -> _PoseMap {
    change.map(progress: progress)
  }

  public static func value(
    of change: PoseChange, at progress: Double, from start: Pose
  ) -> Pose {
    if let pivot = Pivot(change, from: start) { return pivot.pose(at: progress, from: start) }
    return change.map(progress: progress).apply(start)
  }

  public static func slope(
    of change: PoseChange, at progress: () -> Double, from start: Pose
  ) -> Pose {
    if let pivot = Pivot(change, from: start) {
      return pivot.velocity(at: progress(), from: start)
    }
    // The pose of any other step is linear in its progress.
    return change.map(progress: 1).apply(start) - start
  }

  public static func restSeconds(
    of spring: Spring, distance: Pose, velocity: Pose, restDistance: Double
  ) -> Double {
    spring.restSeconds(distance: distance, velocity: velocity)
  }

  public static func settled(
    distance: Pose, velocity: Pose, on spring: Spring
  ) -> (distance: Pose, velocity: Pose) {
    var motion = (distance: distance, velocity: velocity)
    for channel in PoseChannel.allCases {
      let (distance, velocity) = (distance[channel], velocity[channel])
      guard distance != 0 || velocity != 0 else { continue }
      guard !spring.isMoving(distance, velocity, within: channel.restLimit) else { continue }
      motion.distance[channel] = 0
      motion.velocity[channel] = 0
    }
    return motion
  }

  public static func replacing(_ pose: Pose, byFinite other: Pose) -> Pose {
    pose.combined(with: other) { $1.isFinite ? $1 : $0 }
  }
}
