/// Why motion is held back, in the words of the stream's GATE line.
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
}

/// A set of reasons. Listed always in the order of `GateReason`.
package struct GateReasons: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ reasons: GateReason...) {
    self.init(
      rawValue: GateReason.allCases.enumerated().reduce(0) { bits, item in
        reasons.contains(item.element) ? bits | 1 << UInt32(item.offset) : bits
      })
  }

  package static let reduceMotion = GateReasons(
    .reduceMotionPortal, .reduceMotionGnome, .reduceMotionAgent, .reduceMotionConfig,
    .reduceMotionSet)
  package static let lowPower = GateReasons(
    .lowPowerProfile, .lowPowerUpower, .lowPowerSysfs, .lowPowerConfig, .lowPowerSet)
  package static let device = GateReasons(.deviceNone, .deviceBusy, .deviceDenied, .deviceLost)
  package static let inhibit = GateReasons(.inhibit)

  /// The reasons' names, for GATE and STATUS.
  package var names: [String] {
    GateReason.allCases.enumerated().filter { rawValue & 1 << UInt32($0.offset) != 0 }
      .map(\.element.rawValue)
  }
}
