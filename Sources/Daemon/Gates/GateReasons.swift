// SPDX-License-Identifier: Apache-2.0

/// A set of gate reasons.
package struct GateReasons: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ reason: GateReason) {
    // The bits follow the order of the cases, which is the order in GATE.
    let place = GateReason.allCases.firstIndex(of: reason) ?? 0
    self.init(rawValue: 1 << UInt32(place))
  }

  private init(_ reasons: [GateReason]) {
    self = reasons.reduce(into: []) { $0.formUnion(GateReasons($1)) }
  }

  private init(_ kind: GateReason.Kind) {
    self.init(GateReason.allCases.filter { $0.kind == kind })
  }

  package static let reduceMotion = GateReasons(.reduceMotion)
  package static let lowPower = GateReasons([
    .lowPowerProfile, .lowPowerUpower, .lowPowerSysfs, .lowPowerConfig, .lowPowerSet,
  ])
  package static let device = GateReasons(.device)
  package static let inhibit = GateReasons(.inhibit)
  /// The reasons that hide animations from everyone, as well as motion.
  package static let hidingAnimations = GateReasons(.stop)

  /// The names of the reasons, for GATE and STATUS.
  package var names: [String] {
    GateReason.allCases.filter { contains(GateReasons($0)) }.map(\.rawValue)
  }
}
