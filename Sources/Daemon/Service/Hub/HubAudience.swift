// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxProtocol

/// The subscribers, as the hub sees them. Implemented by `StreamService`.
package protocol HubAudience: AnyObject {
  var demand: SourceStateMachine.Demand { get }
  /// Whether a subscriber sees something move without a sample: a fade, a blend, an animation.
  var needsTicks: Bool { get }
  /// Whether anyone watches.
  var isWatched: Bool { get }
  /// Whether a subscriber has a layer of that name.
  func hasLayer(_ name: String) -> Bool
  func animationChanged(_ message: AnimationMessage, for user: UserState, at now: MotionInstant)
  func publish(_ frame: FrameStamp, at now: MotionInstant)
  func deviceChanged(at now: MotionInstant)
  func gateChanged(of user: UserState, at now: MotionInstant)
  func settingsChanged(at now: MotionInstant)
}

/// The recordings and the agents, as the hub sees them. Implemented by `ControlService`.
package protocol HubRecorder: AnyObject {
  /// What the recordings together need.
  var demand: SourceStateMachine.Demand { get }
  func deviceChanged(at now: MotionInstant)
  func orientationsChanged(at now: MotionInstant)
  func sourceWasReplaced(at now: MotionInstant)
  func gateChanged(of user: UserState, at now: MotionInstant)
  func sampleKept(_ sample: SampleMessage, at now: MotionInstant)
}

/// Decides again what the configuration decides for single users. Implemented by `AccessMonitor`.
package protocol HubConfigurationObserver: AnyObject {
  /// Changes `inputs` in place: it must not read the hub's gates or orientations meanwhile.
  func configurationDidChange(_ inputs: inout HubInputs)
}
