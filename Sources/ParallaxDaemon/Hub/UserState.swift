package import ParallaxMotion
package import ParallaxWire

/// What the receivers of one uid have in common: the gate's second factor, and a screen of their
/// own where their agent says how it is turned. Lives as long as one of them is connected.
package final class UserState {
  package let uid: UInt32
  /// How many connections hold it.
  package var connections = 0
  /// The last GATE, as every receiver of this uid knows it.
  package internal(set) var gate: GateMessage
  /// Whether motion may flow to it, as far as that does not depend on the source.
  package internal(set) var isOpen: Bool
  package internal(set) var fade: GainFade
  /// nil: everybody's.
  package internal(set) var screen: MotionEngine.Screen?
  /// Both factors at the newest frame.
  package internal(set) var gain: Double
  /// What of the animations it sees.
  var animations: AnimationView
  /// The reasons for this uid alone that `MotionHub.changed` was told last.
  var toldReasons: GateReasons = []

  init(
    uid: UInt32, isOpen: Bool, fade: GainFade, gate: GateMessage, gain: Double,
    animations: AnimationView
  ) {
    self.animations = animations
    self.isOpen = isOpen
    self.uid = uid
    self.fade = fade
    self.gate = gate
    self.gain = gain
  }
}
