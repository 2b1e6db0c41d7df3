// SPDX-License-Identifier: Apache-2.0

/// A reason why motion is held back, in the words of a GATE line and in their order there.
package enum GateReason: String, CaseIterable, Equatable, Hashable, Sendable {
  case reduceMotionPortal = "reduce-motion:portal"
  case reduceMotionGnome = "reduce-motion:gnome"
  case reduceMotionAgent = "reduce-motion:agent"
  case reduceMotionConfig = "reduce-motion:config"
  case reduceMotionSet = "reduce-motion:set"
  case lowPowerProfile = "low-power:profile"
  case lowPowerUpower = "low-power:upower"
  case lowPowerSysfs = "low-power:sysfs"
  case lowPowerConfig = "low-power:config"
  case lowPowerSet = "low-power:set"
  case sleep
  case paused
  case inhibit
  case inactive
  case deviceNone = "device:none"
  case deviceBusy = "device:busy"
  case deviceDenied = "device:denied"
  case deviceLost = "device:lost"

  /// What a reason is about.
  package enum Kind: Equatable, Sendable {
    /// Motion is reduced as the configuration says; animations play in their reduced form.
    case reduceMotion
    /// Everything stops: a low battery, suspend, a paused or inhibited daemon.
    case stop
    /// Everything stops for a user whose sessions are in the background.
    case inactiveUser
    /// The device gives no motion; animations play.
    case device
  }

  package var kind: Kind {
    switch self {
    case .reduceMotionPortal, .reduceMotionGnome, .reduceMotionAgent, .reduceMotionConfig,
      .reduceMotionSet:
      .reduceMotion
    case .lowPowerProfile, .lowPowerUpower, .lowPowerSysfs, .lowPowerConfig, .lowPowerSet,
      .sleep, .paused, .inhibit:
      .stop
    case .inactive: .inactiveUser
    case .deviceNone, .deviceBusy, .deviceDenied, .deviceLost: .device
    }
  }
}
