// SPDX-License-Identifier: Apache-2.0

package import ParallaxLoop

/// What reports that power is low.
package enum LowPowerSource: Equatable, Sendable, CaseIterable {
  /// The profile daemon: the user or a low battery selected the power-saver profile.
  case profile
  /// UPower: the battery is low.
  case upower
  /// The kernel: the battery is low.
  case sysfs
}

/// Everything known about power, and the verdict.
///
/// Decides as GNOME's settings daemon does: by the profile daemon alone if it runs, else by UPower,
/// else by the kernel. A service that does not answer counts as absent until it does. Running on battery
/// alone is not low power.
package struct LowPowerState: Equatable, Sendable {
  /// `ActiveProfile` under the name that power-profiles-daemon has since 0.20.
  package var profile = FollowedProperty.State.pending
  /// The same property under the older name, which newer versions also own.
  package var formerProfile = FollowedProperty.State.pending
  /// `WarningLevel` of UPower's display device.
  package var warningLevel = FollowedProperty.State.pending
  /// Whether the bus is not connected.
  package var isBusGone = false
  package var batteries: [Battery] = []

  package init() {}

  /// The profile that saves power, as power-profiles-daemon calls it.
  private static let powerSaver = BusValue.string("power-saver")
  /// UPower's levels: 0 unknown, 1 none, 2 discharging (of a UPS), 3 low, 4 critical, 5 action.
  private static let lowLevel: UInt32 = 3

  /// Whether no service on the bus knows about power, and `batteries` decides.
  package var needsBatteries: Bool {
    [profile, formerProfile, warningLevel].allSatisfy { isMissing($0) }
  }

  /// What reports low power; nil if power is not low or not known.
  package var verdict: LowPowerSource? {
    if !isMissing(profile) || !isMissing(formerProfile) {
      let active = hasValue(profile) ? profile : formerProfile
      return active == .value(Self.powerSaver) ? .profile : nil
    }
    if !isMissing(warningLevel) {
      guard case .value(.uint32(let level)) = warningLevel else { return nil }
      return level >= Self.lowLevel ? .upower : nil
    }
    return batteries.contains { $0.isLow } ? .sysfs : nil
  }

  /// Whether the service that decides has been asked and may still answer. Until then an earlier verdict
  /// holds.
  package var isPending: Bool {
    func isAsked(_ state: FollowedProperty.State) -> Bool {
      state == .unknown || (state == .pending && !isBusGone)
    }
    if hasValue(profile) || hasValue(formerProfile) { return false }
    if isAsked(profile) || isAsked(formerProfile) { return true }
    return isAsked(warningLevel)
  }

  private func isMissing(_ state: FollowedProperty.State) -> Bool {
    state == .absent || state == .silent || (state == .pending && isBusGone)
  }

  private func hasValue(_ state: FollowedProperty.State) -> Bool {
    if case .value = state { true } else { false }
  }
}
