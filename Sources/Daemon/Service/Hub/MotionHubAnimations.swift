// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxProtocol

/// What the animations see of the hub.
extension MotionHub: AnimationHost {
  var settings: Configuration.Animations { configuration.animations }
  var fadeSeconds: Double { configuration.motion.fadeSeconds }
  var deviceState: DeviceMessage.State { device.state }
  var isWatched: Bool { audience?.isWatched ?? false }

  func currentTime() -> MotionInstant { clock() }

  func hasLayer(_ name: String) -> Bool {
    configuration.layers.layers.contains { $0.name == name } || audience?.hasLayer(name) ?? false
  }

  func animationChanged(
    _ message: AnimationMessage, for user: UserState, at now: MotionInstant
  ) {
    audience?.animationChanged(message, for: user, at: now)
  }

  func report(_ line: String) { log(line) }
}
