// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// The difference that ended runs have left on a layer.
struct RetainedPose: Sendable {
  /// nil: the sum of several animations, merged because there were too many.
  let id: String?
  let layer: String?
  var difference: Pose
  var channels: PoseChannels
}

/// A difference that eases to zero.
struct FadingPose: Sendable {
  let layer: String?
  let difference: Pose
  let channels: PoseChannels
  /// The start of the fade. Before it, the difference is constant.
  let since: MotionInstant
  let duration: MotionDuration

  var end: MotionInstant { since + duration }

  func difference(at now: MotionInstant) -> Pose {
    if now <= since { return difference }
    if now >= end { return .zero }
    let share = (now - since) / duration
    return difference * (1 - CubicBezier.easeInOut.value(at: share))
  }
}

/// The animated pose of a layer.
package struct StageLayer: Equatable, Sendable {
  /// nil: the pose of animations that move all layers alike.
  package let name: String?
  package internal(set) var pose: Pose
  /// The channels that are animated or retained; the others are at rest.
  package internal(set) var channels: PoseChannels
}
