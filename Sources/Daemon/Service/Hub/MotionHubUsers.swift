// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxMotion

/// Users, and the screens they see motion on.
extension MotionHub {
  // MARK: - Users

  /// Returns the state that the subscribers of a user share. `leave` gives it back.
  package func enter(uid: UInt32) -> UserState {
    if let user = users.first(where: { $0.uid == uid }) {
      user.connections += 1
      return user
    }
    let gain = gates.gain(uid)
    let user = UserState(
      uid: uid, isOpen: isOpen(uid),
      fade: GainFade(gain: gain, fadeSeconds: configuration.motion.fadeSeconds),
      gate: gate(for: uid),
      gain: showsMotion ? gain : 0,
      animations: animations.view(for: uid, at: clock()),
      quota: formerQuotas.removeValue(forKey: uid) ?? FrameQuota())
    user.connections = 1
    user.screen = orientations.own(uid).map { engine.addScreen($0.orientation) }
    users.append(user)
    return user
  }

  package func leave(_ user: UserState) {
    user.connections -= 1
    guard user.connections == 0 else { return }
    if let screen = user.screen { engine.remove(screen) }
    users.removeAll { $0 === user }
    keepQuota(of: user)
  }

  /// Keeps a quota that is not idle yet, and discards those that are by now.
  private func keepQuota(of user: UserState) {
    guard let newest = engine.latest?.time else { return }
    formerQuotas = formerQuotas.filter { !$0.value.isIdle(at: newest) }
    guard !user.cadence.quota.isIdle(at: newest) else { return }
    formerQuotas[user.uid] = user.cadence.quota
  }

  // MARK: - Screens

  /// Turns every screen to the orientation that now holds for it.
  func turnScreens(at now: MotionInstant) {
    _ = inputs.consume(.orientations)
    let orientations = orientations
    let common = orientations.common.orientation
    engine.turn(.common, to: common, at: now)
    for user in users {
      let own = orientations.own(user.uid)
      if own != nil, user.screen == nil { user.screen = engine.addScreen(like: .common) }
      // A user without an orientation keeps the screen, turned like the common one, so that nothing
      // jumps.
      if let screen = user.screen {
        engine.turn(screen, to: own?.orientation ?? common, at: now)
      }
    }
    recorder?.orientationsChanged(at: now)
  }

  /// Whether iio-sensor-proxy should be asked for the orientation: motion streams, nothing with
  /// precedence decides, and the proxy's accelerometer is not in the device that streams.
  package var asksSensorProxy: Bool {
    device.state == .streaming && sourceState.isRunning && orientations.set == nil
      && orientations.configured == nil && !hasAccelerometer
  }

  /// Provides a screen for a subscriber with its own orientation. `leaveScreen` gives it back.
  func enterScreen(_ orientation: Orientation) {
    sharedScreens.enter(orientation) { engine.addScreen(orientation) }
  }

  func leaveScreen(_ orientation: Orientation) {
    if let screen = sharedScreens.leave(orientation) { engine.remove(screen) }
  }
}
