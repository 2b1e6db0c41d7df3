// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxMotion
package import ParallaxProtocol

/// The gates, and the fades between their gains.
extension MotionHub {
  /// Brings the fades, every subscriber's GATE and the animations up to date with the gates.
  func applyGates(at now: MotionInstant) {
    _ = inputs.consume(.gates)
    reportReasons()
    let gates = gates
    let isInhibited = !gates.globalReasons.isDisjoint(with: .inhibit)
    for user in users {
      move(&user.fade, to: gates.gain(user.uid), atOnce: isInhibited, at: now)
      user.isOpen = isOpen(user.uid)
      if isInhibited { user.gain = 0 }
      let message = gate(for: user.uid)
      if message != user.gate {
        user.gate = message
        audience?.gateChanged(of: user, at: now)
        recorder?.gateChanged(of: user, at: now)
      }
    }
    animations.applyGates(at: now)
    animations.updateAutomaticPlayback(at: now)
  }

  private func reportReasons() {
    guard let changed else { return }
    let gates = gates
    let reasons = gates.globalReasons
    if reasons != lastReportedReasons {
      lastReportedReasons = reasons
      changed(.gate(gain: gates.globalGain, reasons: reasons.names, uid: nil))
    }
    for user in users {
      let own = gates.userReasons(user.uid)
      guard own != user.lastReportedReasons else { continue }
      user.lastReportedReasons = own
      changed(.gate(gain: gates.userGain(user.uid), reasons: own.names, uid: user.uid))
    }
  }

  /// The GATE of a user's subscribers.
  package func gate(for uid: UInt32) -> GateMessage {
    let gates = gates
    let gain = gates.gain(uid)
    return GateMessage(
      open: gain > 0, gain: gain,
      reasons: gates.globalReasons.union(gates.userReasons(uid)).names)
  }

  func isOpen(_ uid: UInt32) -> Bool {
    gates.globalGainBesidesDevice * gates.userGain(uid) > 0
  }

  /// Whether this user's gain is 0 and stays so.
  package func isShut(_ user: UserState) -> Bool {
    user.gain == 0 && target(of: user) == 0
  }

  /// Whether this user's gain is still on its way.
  package func isFading(_ user: UserState) -> Bool {
    guard showsMotion else { return user.gain != 0 }
    return user.fade.isMoving || user.gain != target(of: user)
  }

  /// The gain that this user has, or is moving to.
  private func target(of user: UserState) -> Double {
    showsMotion ? user.fade.target : 0
  }

  private func move(
    _ fade: inout GainFade, to gain: Double, atOnce: Bool, at now: MotionInstant
  ) {
    // With no subscriber, or before anything was shown, there is nothing to fade out.
    let isUnseen = sourceState.state == .idle || (engine.latest == nil && gain < fade.target)
    if atOnce || isUnseen { fade.jump(to: gain) } else { fade.aim(at: gain, at: now) }
  }

  /// Sets every gain without a fade, before the first subscriber sees motion.
  func settleGains() {
    for user in users {
      user.fade.jump(to: gates.globalGainBesidesDevice * gates.userGain(user.uid))
    }
  }
}
