package import ParallaxConfig

/// Everything that speaks for or against motion, and what follows for a user. Precedence for
/// reduce-motion and low-power: SET over configuration over sources.
package struct GateBoard: Equatable, Sendable {
  package var policy = Configuration().gates

  // What SET said; it lasts until the daemon ends.
  package var setReduceMotion = ManualGate.auto
  package var setLowPower = ManualGate.auto
  package var setPaused = false

  /// What sources and the daemon's own state say for everyone: portal, gnome, profile, upower,
  /// sysfs, sleep, inhibit.
  package var global: GateReasons = []
  /// What is wrong with the source of motion, if anything.
  package var device: GateReasons = []
  /// What concerns one uid alone: its agent, its inactive session.
  private var users: [UInt32: GateReasons] = [:]

  package init() {}

  package mutating func setUser(_ uid: UInt32, _ reason: GateReasons, _ applies: Bool) {
    var reasons = users[uid] ?? []
    if applies { reasons.formUnion(reason) } else { reasons.subtract(reason) }
    users[uid] = reasons.isEmpty ? nil : reasons
  }

  /// Whether it matters what the portal says about motion.
  package var asksPortal: Bool { setReduceMotion == .auto && policy.reduceMotion == .auto }

  /// The reasons that hold for everyone.
  package var globalReasons: GateReasons {
    var reasons = global.subtracting(.reduceMotion).subtracting(.lowPower).union(device)
    reasons.formUnion(
      Self.decide(
        set: setReduceMotion, configuration: policy.reduceMotion,
        sources: global.intersection(.reduceMotion), named: .reduceMotionSet, .reduceMotionConfig))
    reasons.formUnion(
      Self.decide(
        set: setLowPower, configuration: policy.lowPower,
        sources: global.intersection(.lowPower), named: .lowPowerSet, .lowPowerConfig))
    if setPaused { reasons.formUnion(GateReasons(.paused)) }
    return reasons
  }

  /// The reasons that hold for `uid` beyond everyone's.
  package func userReasons(_ uid: UInt32) -> GateReasons {
    let reasons = users[uid] ?? []
    // A wish of SET or configuration stands above the agent's, whatever it is.
    return asksPortal ? reasons : reasons.subtracting(.reduceMotion)
  }

  /// The gain that `globalReasons` allow, 0...1.
  package var globalGain: Double { gain(under: globalReasons) }

  /// As `globalGain`, were the source all right: whether it is worth being tried.
  package var globalGainBesidesDevice: Double {
    gain(under: globalReasons.subtracting(.device))
  }

  /// The factor for `uid` beside `globalGain`. Motion that is already reduced for everyone is not
  /// reduced twice.
  package func userGain(_ uid: UInt32) -> Double {
    let reasons = userReasons(uid)
    let already = !globalReasons.isDisjoint(with: .reduceMotion)
    return gain(under: already ? reasons.subtracting(.reduceMotion) : reasons)
  }

  // -- Animations

  /// Whether nobody sees animations: what begins is at its end at once. A source that does not stream
  /// is no reason, nor is reduce motion.
  package var hidesAnimations: Bool { !globalReasons.isDisjoint(with: .stillness) }

  /// Whether `uid` alone does not see them.
  package func hidesAnimations(of uid: UInt32) -> Bool {
    !userReasons(uid).isDisjoint(with: GateReasons(.inactive))
  }

  /// Whether `uid` sees what plays in place of an animation under reduce motion.
  package func reducesMotion(of uid: UInt32) -> Bool {
    !globalReasons.union(userReasons(uid)).isDisjoint(with: .reduceMotion)
  }

  private func gain(under reasons: GateReasons) -> Double {
    if reasons.isEmpty { return 1 }
    return reasons.isSubset(of: .reduceMotion) ? policy.reducedGain : 0
  }

  private static func decide(
    set: ManualGate, configuration: ManualGate, sources: GateReasons,
    named setReason: GateReason, _ configurationReason: GateReason
  ) -> GateReasons {
    switch (set, configuration) {
    case (.on, _): GateReasons(setReason)
    case (.off, _): []
    case (.auto, .on): GateReasons(configurationReason)
    case (.auto, .off): []
    case (.auto, .auto): sources
    }
  }
}
