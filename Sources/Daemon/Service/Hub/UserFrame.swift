// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// The frame that a user sees: the last one that its `UserCadence` let through, on every screen that one
/// of its subscribers may have. Subscribers are shown nothing of the frames in between.
package struct UserFrame: Sendable {
  package private(set) var stamp: FrameStamp
  /// On the user's own screen, or the common one; before the gate's gain.
  private var motion: ScreenMotion
  /// On the shared screens, by quarter turns.
  private var turned = (
    ScreenMotion.zero, ScreenMotion.zero, ScreenMotion.zero, ScreenMotion.zero
  )

  package init(stamp: FrameStamp, motion: ScreenMotion) {
    self.stamp = stamp
    self.motion = motion
  }

  /// The motion for a subscriber.
  ///
  /// - Parameter own: The orientation that it stated; nil for the user's.
  package subscript(own: Orientation?) -> ScreenMotion {
    get {
      switch own {
      case nil: motion
      case .normal: turned.0
      case .leftUp: turned.1
      case .bottomUp: turned.2
      case .rightUp: turned.3
      }
    }
    set {
      switch own {
      case nil: motion = newValue
      case .normal: turned.0 = newValue
      case .leftUp: turned.1 = newValue
      case .bottomUp: turned.2 = newValue
      case .rightUp: turned.3 = newValue
      }
    }
  }

  /// Applies ranges that have changed.
  mutating func clamp(to settings: MotionSettings) {
    for own in [nil] + Orientation.allCases {
      let offset = self[own].offset
      self[own].offset = PixelOffset(
        x: settings.rangeX.clamp(offset.x), y: settings.rangeY.clamp(offset.y))
    }
  }
}
