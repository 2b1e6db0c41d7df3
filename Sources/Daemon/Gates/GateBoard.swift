// SPDX-License-Identifier: Apache-2.0

package import ParallaxConfig
import ParallaxProtocol

/// All gate reasons, and the gain that they give each user. Precedence for reduce-motion and low-power:
/// SET, then the configuration, then the sources.
package struct GateBoard: Equatable, Sendable {
  package var policy = Configuration().gates

  // The values of SET, which last until the daemon ends.
  package var setReduceMotion = ManualGate.auto
  package var setLowPower = ManualGate.auto
  package var setPaused = false

  /// The reasons of the sources and of the daemon's own state, for everyone: portal, gnome, profile,
  /// upower, sysfs, sleep, inhibit.
  package var global: GateReasons = []
  /// Why the source of motion does not stream, if there is an error.
  package var device: GateReasons = []
  /// The reasons for single users: an agent's report, an inactive session.
  private var users: [UInt32: GateReasons] = [:]

  package init() {}

  package mutating func setUser(_ uid: UInt32, _ reason: GateReasons, _ applies: Bool) {
    var reasons = users[uid] ?? []
    if applies { reasons.formUnion(reason) } else { reasons.subtract(reason) }
    users[uid] = reasons.isEmpty ? nil : reasons
  }

  /// Whether the portal's setting has an effect.
  package var asksPortal: Bool { setReduceMotion == .auto && policy.reduceMotion == .auto }

  /// The reasons that apply to everyone.
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

  /// Returns the reasons that apply to `uid` alone.
  package func userReasons(_ uid: UInt32) -> GateReasons {
    let reasons = users[uid] ?? []
    // SET and the configuration override an agent in both directions.
    return asksPortal ? reasons : reasons.subtracting(.reduceMotion)
  }

  /// The gain under `globalReasons`, 0...1.
  package var globalGain: Double { gain(under: globalReasons) }

  /// The gain under `globalReasons` if the source streamed: whether to try to start it.
  package var globalGainBesidesDevice: Double {
    gain(under: globalReasons.subtracting(.device))
  }

  /// Returns the factor for `uid` on top of `globalGain`. Motion that is already reduced for everyone is
  /// not reduced twice.
  package func userGain(_ uid: UInt32) -> Double {
    let reasons = userReasons(uid)
    let isReduced = !globalReasons.isDisjoint(with: .reduceMotion)
    return gain(under: isReduced ? reasons.subtracting(.reduceMotion) : reasons)
  }

  /// Returns the gain for `uid`: the product of both, 0...1.
  package func gain(_ uid: UInt32) -> Double { globalGain * userGain(uid) }

  // MARK: - Animations

  /// Whether animations are hidden from everyone, so that new ones jump to their end. Neither reduced
  /// motion nor a source that does not stream hides them.
  package var hidesAnimations: Bool { !globalReasons.isDisjoint(with: .hidingAnimations) }

  /// Returns whether animations are hidden from `uid` alone.
  package func hidesAnimations(of uid: UInt32) -> Bool {
    !userReasons(uid).isDisjoint(with: GateReasons(.inactive))
  }

  /// Returns whether `uid` sees the alternatives for reduced motion.
  package func reducesMotion(of uid: UInt32) -> Bool {
    !globalReasons.union(userReasons(uid)).isDisjoint(with: .reduceMotion)
  }

  private func gain(under reasons: GateReasons) -> Double {
    policy.gain(isClosed: !reasons.isSubset(of: .reduceMotion), isReduced: !reasons.isEmpty)
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
