/// Why motion is held back, in the words of the stream's GATE line and in their order there.
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

/// A set of reasons.
package struct GateReasons: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ reason: GateReason) {
    // A reason's bit is its place in the list: GATE shows them in that order.
    let place = GateReason.allCases.firstIndex(of: reason) ?? 0
    self.init(rawValue: 1 << UInt32(place))
  }

  private init(_ reasons: [GateReason]) {
    self = reasons.reduce(into: []) { $0.formUnion(GateReasons($1)) }
  }

  package static let reduceMotion = GateReasons([
    .reduceMotionPortal, .reduceMotionGnome, .reduceMotionAgent, .reduceMotionConfig,
    .reduceMotionSet,
  ])
  package static let lowPower = GateReasons([
    .lowPowerProfile, .lowPowerUpower, .lowPowerSysfs, .lowPowerConfig, .lowPowerSet,
  ])
  package static let device = GateReasons([.deviceNone, .deviceBusy, .deviceDenied, .deviceLost])
  package static let inhibit = GateReasons(.inhibit)
  /// Under these nothing is drawn, animations neither.
  package static let stillness = GateReasons([
    .lowPowerProfile, .lowPowerUpower, .lowPowerSysfs, .lowPowerConfig, .lowPowerSet, .sleep,
    .paused, .inhibit,
  ])

  /// The reasons' names, for GATE and STATUS.
  package var names: [String] {
    GateReason.allCases.filter { contains(GateReasons($0)) }.map(\.rawValue)
  }
}
