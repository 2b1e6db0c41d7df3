// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxGates
import ParallaxProtocol

/// What the animations need of the daemon around them. Implemented by `MotionHub`.
protocol AnimationHost: AnyObject {
  var gates: GateBoard { get }
  var users: [UserState] { get }
  /// `[animations]` of the configuration.
  var settings: Configuration.Animations { get }
  var fadeSeconds: Double { get }
  var deviceState: DeviceMessage.State { get }
  /// Whether a subscriber watches.
  var isWatched: Bool { get }
  /// CLOCK_MONOTONIC, for what begins when a document has arrived.
  func currentTime() -> MotionInstant
  /// Whether the configuration or a subscriber has a layer of that name.
  func hasLayer(_ name: String) -> Bool
  /// Sends an ANIMATION to the subscribers of a user.
  func animationChanged(_ message: AnimationMessage, for user: UserState, at now: MotionInstant)
  /// Logs a warning for the operator.
  func report(_ line: String)
}
