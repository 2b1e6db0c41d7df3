import ParallaxMotion
package import ParallaxWire

/// Who gets how much of the motion.
extension MotionHub {
  // -- Gates

  /// The gate's reasons changed, or may have.
  package func gatesChanged(atNanoseconds now: Int64) {
    tellChanges()
    let isInhibited = !gates.globalReasons.isDisjoint(with: .inhibit)
    move(&globalFade, to: gates.globalGain, atOnce: isInhibited, atNanoseconds: now)
    for user in users {
      move(&user.fade, to: gates.userGain(user.uid), atOnce: false, atNanoseconds: now)
      user.isOpen = isOpen(user.uid)
      if isInhibited { user.gain = 0 }
      let message = gate(for: user.uid)
      if message != user.gate {
        user.gate = message
        audience?.gateChanged(of: user, atNanoseconds: now)
      }
    }
    animations.gatesChanged(atNanoseconds: now)
    animations.occasionsChanged(atNanoseconds: now)
  }

  private func tellChanges() {
    guard let changed else { return }
    let reasons = gates.globalReasons
    if reasons != toldReasons {
      toldReasons = reasons
      changed(.gate(gain: gates.globalGain, reasons: reasons.names, uid: nil))
    }
    for user in users {
      let own = gates.userReasons(user.uid)
      guard own != user.toldReasons else { continue }
      user.toldReasons = own
      changed(.gate(gain: gates.userGain(user.uid), reasons: own.names, uid: user.uid))
    }
  }

  /// What a receiver of this uid is told.
  package func gate(for uid: UInt32) -> GateMessage {
    let gain = gates.globalGain * gates.userGain(uid)
    return GateMessage(
      open: gain > 0, gain: gain,
      reasons: gates.globalReasons.union(gates.userReasons(uid)).names)
  }

  func isOpen(_ uid: UInt32) -> Bool {
    gates.globalGainBesidesDevice * gates.userGain(uid) > 0
  }

  /// Whether this user's gain is at 0 and will stay there.
  package func isShut(_ user: UserState) -> Bool {
    user.gain == 0 && target(of: user) == 0
  }

  /// Whether this user's gain has not yet come to its end.
  package func isFading(_ user: UserState) -> Bool {
    guard showsMotion else { return user.gain != 0 }
    return globalFade.isMoving || user.fade.isMoving || user.gain != target(of: user)
  }

  /// Where this user's gain is or is going to.
  private func target(of user: UserState) -> Double {
    showsMotion ? globalFade.target * user.fade.target : 0
  }

  func move(
    _ fade: inout GainFade, to gain: Double, atOnce: Bool, atNanoseconds now: Int64
  ) {
    // Where nobody is there, or nothing was shown yet, there is nothing to fade out.
    let isUnseen = sourceSwitch.state == .idle || (engine.latest == nil && gain < fade.target)
    if atOnce || isUnseen { fade.jump(to: gain) } else { fade.aim(at: gain, atNanoseconds: now) }
  }

  func settleGains() {
    globalFade.jump(to: gates.globalGainBesidesDevice)
    for user in users { user.fade.jump(to: gates.userGain(user.uid)) }
  }

  // -- Users

  /// The state that the receivers of a uid share; give it back by `leave`.
  package func enter(uid: UInt32) -> UserState {
    if let user = users.first(where: { $0.uid == uid }) {
      user.connections += 1
      return user
    }
    userEnters(uid)
    let factor = gates.userGain(uid)
    var global = globalFade
    let user = UserState(
      uid: uid, isOpen: isOpen(uid),
      fade: GainFade(gain: factor, fadeSeconds: configuration.motion.fadeSeconds),
      gate: gate(for: uid),
      gain: showsMotion
        ? factor
          * (engine.latest.map { global.gain(atNanoseconds: $0.timeNanoseconds) } ?? global.target)
        : 0,
      animations: animations.view(for: uid, atNanoseconds: clock()))
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
    userLeft(user.uid)
  }
}
