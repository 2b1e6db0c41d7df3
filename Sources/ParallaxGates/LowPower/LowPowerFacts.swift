package import ParallaxSystem

/// Who says that power is low.
package enum LowPowerSource: Equatable, Sendable, CaseIterable {
  /// The profile daemon: somebody, or a low battery, chose to save power.
  case profile
  /// UPower: the battery is low.
  case upower
  /// The kernel: the battery is low.
  case sysfs
}

/// All that is known about power, and what follows. As GNOME's settings daemon decides it: the profile
/// daemon alone where there is one, else UPower, else the kernel. On battery is not low.
package struct LowPowerFacts: Equatable, Sendable {
  /// `ActiveProfile` under the name that power-profiles-daemon has since 0.20.
  package var profile = FollowedProperty.State.pending
  /// The same under the name that it had before, and has still.
  package var formerProfile = FollowedProperty.State.pending
  /// `WarningLevel` of UPower's display device.
  package var warningLevel = FollowedProperty.State.pending
  /// There is no bus to ask.
  package var isBusGone = false
  package var batteries: [Battery] = []

  package init() {}

  /// The profile that saves power, as power-profiles-daemon calls it.
  private static let powerSaver = BusValue.string("power-saver")
  /// UPower's levels: 0 unknown, 1 none, 2 discharging (of a UPS), 3 low, 4 critical, 5 action.
  private static let lowLevel: UInt32 = 3

  /// Whether nobody on the bus knows about power, so that the kernel is asked.
  package var needsBatteries: Bool {
    [profile, formerProfile, warningLevel].allSatisfy { isMissing($0) }
  }

  /// nil: power is not low, or nobody knows.
  package var verdict: LowPowerSource? {
    if !isMissing(profile) || !isMissing(formerProfile) {
      // Of two names the one that has a value.
      let active = hasValue(profile) ? profile : formerProfile
      return active == .value(Self.powerSaver) ? .profile : nil
    }
    if !isMissing(warningLevel) {
      guard case .value(.uint32(let level)) = warningLevel else { return nil }
      return level >= Self.lowLevel ? .upower : nil
    }
    return batteries.contains { $0.isLow } ? .sysfs : nil
  }

  private func isMissing(_ state: FollowedProperty.State) -> Bool {
    state == .absent || (state == .pending && isBusGone)
  }

  private func hasValue(_ state: FollowedProperty.State) -> Bool {
    if case .value = state { true } else { false }
  }
}
