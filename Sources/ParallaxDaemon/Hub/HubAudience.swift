// SPDX-License-Identifier: Apache-2.0

package import ParallaxTime
package import ParallaxWire

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
  func settingsChanged()
}

/// The recordings and the agents, as the hub sees them. Implemented by `ControlService`.
package protocol HubRecorder: AnyObject {
  var isRecording: Bool { get }
  func deviceChanged(at now: MotionInstant)
  func orientationsChanged(at now: MotionInstant)
  func sourceWasReplaced(at now: MotionInstant)
  func sampleKept(_ sample: SampleMessage, at now: MotionInstant)
}

/// Decides what holds for single users, and looks again when one of them comes or goes. Implemented
/// by `SessionGate`.
///
/// A call changes `inputs` in place: it must not read the hub's gates or orientations meanwhile.
package protocol HubUserObserver: AnyObject {
  /// Before the first connection of a user is served.
  func userWillEnter(_ uid: UInt32, _ inputs: inout HubInputs)
  /// After the last connection of a user has closed.
  func userDidLeave(_ uid: UInt32, _ inputs: inout HubInputs)
  func configurationDidChange(_ inputs: inout HubInputs)
}
