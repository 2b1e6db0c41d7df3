// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A rotation about an anchor, from a given pose: the offset follows a circle.
struct Pivot {
  private let degrees: Double
  private let anchor: PixelOffset

  /// - Returns: nil for any other change.
  init?(_ change: PoseChange, from start: Pose) {
    switch change {
    case .pivotBy(let degrees, let anchor):
      self.degrees = degrees
      self.anchor = anchor
    case .pivotTo(let degrees, let anchor):
      self.degrees = degrees - start.rotationDegrees
      self.anchor = anchor
    case .moveBy, .moveTo, .rotateBy, .rotateTo, .scaleBy, .scaleTo, .stretchBy, .stretchTo,
      .fadeTo:
      return nil
    }
  }

  func pose(at progress: Double, from start: Pose) -> Pose {
    var pose = start
    pose.rotationDegrees += degrees * progress
    let before = anchor.rotated(byDegrees: start.rotationDegrees)
    let after = anchor.rotated(byDegrees: pose.rotationDegrees)
    pose.offset = pose.offset + before.minus(after)
    return pose
  }

  /// Returns the change of the pose per progress.
  func velocity(at progress: Double, from start: Pose) -> Pose {
    var velocity = Pose.zero
    velocity.rotationDegrees = degrees
    let arm = anchor.rotated(byDegrees: start.rotationDegrees + degrees * progress)
    let radians = degrees * (.pi / 180)
    velocity.offset = PixelOffset(x: arm.y * radians, y: -arm.x * radians)
    return velocity
  }
}
