// SPDX-License-Identifier: Apache-2.0

package import ParallaxGates
import ParallaxMotion
package import ParallaxProtocol

/// The state that the subscribers of one user share: the gate's gain for the user, and the user's own
/// screen if an agent reports its orientation. It lives as long as one of them is connected.
package final class UserState {
  package let uid: UInt32
  /// The number of connections that hold it.
  package var connections = 0
  /// The last GATE that its subscribers were sent.
  package internal(set) var gate: GateMessage
  /// Whether the gate is open for it, regardless of the source.
  package internal(set) var isOpen: Bool
  /// From one gain of the gate, for everyone and for this user together, to the next. One fade, because
  /// the product of two that cross is neither of their ends.
  package internal(set) var fade: GainFade
  /// nil: the common screen.
  package internal(set) var screen: MotionEngine.Screen?
  /// Which frames it sees.
  package var cadence: UserCadence
  /// The frame that it sees; nil before the first one.
  package internal(set) var frame: UserFrame?
  /// The gate's gain at the newest frame.
  package internal(set) var gain: Double
  /// How it sees the animations.
  var animations: AnimationView
  /// Its subscribers, counted by their state.
  var counts = SubscriberCounts()
  /// The reasons for this user alone that `MotionHub.changed` received last.
  var lastReportedReasons: GateReasons = []

  init(
    uid: UInt32, isOpen: Bool, fade: GainFade, gate: GateMessage, gain: Double,
    animations: AnimationView, quota: FrameQuota
  ) {
    cadence = UserCadence(quota: quota)
    self.animations = animations
    self.isOpen = isOpen
    self.uid = uid
    self.fade = fade
    self.gate = gate
    self.gain = gain
  }
}

/// The subscribers of a user by their state, kept as it changes.
package struct SubscriberCounts: Sendable {
  /// Those that want frames.
  package private(set) var enabled = 0
  /// Of these, those that do not show (0, 0).
  package var moving = 0
  /// Of the enabled ones, those that were sent version `version` of the animations.
  private var current = 0
  private var version: UInt64 = 0

  /// Returns whether a subscriber has not been sent that version.
  func lacks(_ version: UInt64) -> Bool {
    enabled > (version == self.version ? current : 0)
  }

  /// Takes note that a subscriber wants frames, and what it was sent.
  mutating func add(_ subscriber: SubscriberHistory, of newest: UInt64) {
    count(subscriber, of: newest, by: 1)
  }

  mutating func remove(_ subscriber: SubscriberHistory, of newest: UInt64) {
    count(subscriber, of: newest, by: -1)
  }

  private mutating func count(_ subscriber: SubscriberHistory, of newest: UInt64, by change: Int) {
    enabled += change
    if !subscriber.isAtRest { moving += change }
    restart(newest)
    if subscriber.seenVersion == newest { current += change }
  }

  /// Takes note that enabled subscribers are sent the newest version.
  mutating func see(_ seen: inout UInt64, newest: UInt64, subscribers: Int) {
    guard seen != newest else { return }
    restart(newest)
    seen = newest
    current += subscribers
  }

  private mutating func restart(_ newest: UInt64) {
    guard version != newest else { return }
    version = newest
    current = 0
  }
}
