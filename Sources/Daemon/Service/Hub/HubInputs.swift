// SPDX-License-Identifier: Apache-2.0

package import ParallaxConfig
package import ParallaxGates

/// What other parts of the daemon decide about the hub: who may see motion, how the screens are
/// turned, and what SET put over the configuration. Changed through `MotionHub.update`.
package struct HubInputs: Sendable {
  package var gates = GateBoard() { didSet { changes.insert(.gates) } }
  package var orientations = OrientationBoard() { didSet { changes.insert(.orientations) } }
  package var overrides = SettingOverrides() { didSet { changes.insert(.overrides) } }

  /// What was assigned since the hub last looked.
  private var changes: Changes = []

  struct Changes: OptionSet, Sendable {
    let rawValue: UInt8

    static let gates = Changes(rawValue: 1)
    static let orientations = Changes(rawValue: 2)
    static let overrides = Changes(rawValue: 4)
  }

  package init() {}

  /// Whether that was assigned since the last call.
  mutating func consume(_ change: Changes) -> Bool { changes.remove(change) != nil }
}
