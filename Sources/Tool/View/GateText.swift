// SPDX-License-Identifier: Apache-2.0

import ParallaxGates
import ParallaxProtocol

/// The reasons of a gate in words.
enum GateText {
  /// What holds motion back and what ends that.
  static func words(_ reason: String) -> String {
    guard let known = GateReason(rawValue: reason) else { return reason }
    return switch known {
    case .reduceMotionPortal: "reduced motion is on in the desktop's settings"
    case .reduceMotionGnome: "animations are off in GNOME's settings"
    case .reduceMotionAgent: "reduced motion is on in this user's desktop"
    case .reduceMotionConfig: "reduced motion is on in the configuration"
    case .reduceMotionSet: "reduced motion was set by 'parallax set'"
    case .lowPowerProfile: "the power profile is power-saver"
    case .lowPowerUpower: "the battery is low, says UPower"
    case .lowPowerSysfs: "the battery is low"
    case .lowPowerConfig: "low power is on in the configuration"
    case .lowPowerSet: "low power was set by 'parallax set'"
    case .sleep: "the machine is suspended"
    case .paused: "paused; press space to go on"
    case .inhibit: "a program asks for a secret"
    case .inactive: "another user's session is active"
    case .deviceNone: "no gyroscope; see 'parallax doctor'"
    case .deviceBusy: "another program uses the gyroscope"
    case .deviceDenied: "no permission for the gyroscope; see 'parallax doctor'"
    case .deviceLost: "the gyroscope is gone; waiting for it"
    }
  }

  /// One line for the state of the gate.
  static func line(_ gate: GateMessage) -> String {
    let reasons = gate.reasons.map(words).joined(separator: "; ")
    if gate.open { return reasons.isEmpty ? "open" : "reduced: \(reasons)" }
    return reasons.isEmpty ? "closed" : "closed: \(reasons)"
  }
}
