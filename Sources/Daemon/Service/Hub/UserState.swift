// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxGates
import ParallaxMotion
package import ParallaxProtocol

/// The state that the subscribers of one user share. It lives as long as one of them is connected.
///
/// Each part has its own writer: the gate follows the gates; the `Audience` gives the screen, the gain and the
/// frame; the `AnimationDirector` updates the animations; the groups of subscribers count themselves.
package final class UserState {
  package let uid: UInt32
  /// The number of connections that hold it.
  package internal(set) var connections = 0
  /// The last GATE that its subscribers were sent.
  package private(set) var gate: GateMessage
  /// Whether the gate is open for it, regardless of the source.
  package private(set) var isOpen: Bool
  /// The reasons for this user alone that the journal received last.
  private var reportedReasons: GateReasons = []
  var gain: UserGain
  /// Its own screen if an agent reports its orientation; nil: the common one.
  var screen: MotionEngine.Screen?
  /// The frame that it sees; nil before the first one.
  var frame: UserFrame?
  /// Which frames it sees.
  var cadence: UserCadence
  /// Its subscribers, counted by their state.
  var counts = SubscriberCounts()
  /// How it sees the animations.
  var animations: AnimationView

  init(
    uid: UInt32, gates: GateBoard, gain: UserGain, animations: AnimationView, quota: FrameQuota
  ) {
    self.uid = uid
    gate = gates.message(for: uid)
    isOpen = gates.isOpen(for: uid)
    self.gain = gain
    self.animations = animations
    cadence = UserCadence(quota: quota)
  }

  /// Follows the gates.
  ///
  /// - Parameters:
  ///   - isIdle: Whether the source is off without subscribers, so that no one sees a fade.
  ///   - hasFrame: Whether a frame was shown, without which there is nothing to fade out.
  /// - Returns: Whether its subscribers need another GATE.
  func follow(
    _ gates: GateBoard, isIdle: Bool, hasFrame: Bool, at now: MotionInstant
  ) -> Bool {
    let target = gates.gain(uid)
    let isInhibited = gates.isInhibited
    let isUnseen = isIdle || (!hasFrame && target < gain.fadeTarget)
    gain.move(to: target, atOnce: isInhibited || isUnseen, at: now)
    if isInhibited { gain.close() }
    isOpen = gates.isOpen(for: uid)
    let message = gates.message(for: uid)
    guard message != gate else { return false }
    gate = message
    return true
  }

  /// Returns the reasons for this user alone if they have changed since the last call.
  func changedReasons(_ gates: GateBoard) -> GateReasons? {
    let reasons = gates.userReasons(uid)
    guard reasons != reportedReasons else { return nil }
    reportedReasons = reasons
    return reasons
  }

  /// Whether a subscriber was not sent the newest version of the animations.
  var lacksAnimations: Bool { counts.lacks(animations.version) }

  /// Whether a frame without motion is shown although it is not due: the one at the end of motion, which is
  /// sent always, or one that ends an animation, or moves one that is held, if the quota admits it.
  func endsMotion(in frame: FrameStamp, pace: FramePace) -> Bool {
    guard gain.isShut, !animations.isMoving else { return false }
    if counts.moving > 0 { return true }
    return lacksAnimations && cadence.admitsOutOfTurn(time: frame.time, pace: pace)
  }
}

/// The gain of one user's motion: that of the gate, for everyone and for this user together, while motion
/// streams. One fade, because the product of two that cross is neither of their ends.
struct UserGain {
  /// Whether motion streams.
  var isOn: Bool
  /// At the newest frame.
  private(set) var value: Double
  private var fade: GainFade

  init(_ gain: Double, isOn: Bool, fadeSeconds: Double) {
    self.isOn = isOn
    value = isOn ? gain : 0
    fade = GainFade(gain: gain, fadeSeconds: fadeSeconds)
  }

  /// The gate's gain, or the one that its fade moves to.
  var fadeTarget: Double { fade.target }

  /// The gain that it has, or is moving to.
  private var target: Double { isOn ? fade.target : 0 }

  /// Whether it is 0 and stays so.
  var isShut: Bool { value == 0 && target == 0 }

  /// Whether it is still on its way.
  var isFading: Bool { isOn ? fade.isMoving || value != target : value != 0 }

  mutating func advance(to time: MotionInstant) {
    let gain = fade.gain(at: time)
    value = isOn ? gain : 0
  }

  mutating func move(to gain: Double, atOnce: Bool, at now: MotionInstant) {
    if atOnce { fade.jump(to: gain) } else { fade.aim(at: gain, at: now) }
  }

  /// Shows no more motion, without waiting for a frame.
  mutating func close() { value = 0 }

  mutating func setFade(seconds: Double) { fade.setFade(seconds: seconds) }
}

extension GateBoard {
  /// Whether INHIBIT holds, which closes the gate without a fade.
  var isInhibited: Bool { !globalReasons.isDisjoint(with: .inhibit) }

  /// Returns the gain for `uid` if the source streamed.
  func gainBesidesDevice(_ uid: UInt32) -> Double { globalGainBesidesDevice * userGain(uid) }

  /// Returns whether the gate is open for `uid`, regardless of the source.
  func isOpen(for uid: UInt32) -> Bool { gainBesidesDevice(uid) > 0 }

  /// Returns the GATE of a user's subscribers.
  package func message(for uid: UInt32) -> GateMessage {
    let gain = gain(uid)
    return GateMessage(
      open: gain > 0, gain: gain, reasons: globalReasons.union(userReasons(uid)).names)
  }
}

/// The subscribers of a user by their state, kept as it changes.
package struct SubscriberCounts: Sendable {
  /// Those that want frames.
  package private(set) var enabled = 0
  /// Of these, those that do not show (0, 0).
  package var moving = 0
  /// Of the enabled ones, those that get frames between those on the grid.
  package var fine = 0
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
