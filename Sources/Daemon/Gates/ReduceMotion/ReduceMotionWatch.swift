// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxLoop

/// Follows the portal on the session bus. Ends when it is dropped.
package final class ReduceMotionWatch {
  /// Everything known; pass it to the next watch to keep the verdict over a pause.
  package private(set) var state: ReduceMotionState

  private let bus: Bus
  private let timing: BusQuestion.Timing
  private let changed: (ReduceMotionState) -> Void
  private var name: BusSlot?
  private var settings: [PortalSetting] = []
  /// Whether the portal has appeared on this connection.
  private var wasPresent = false

  /// - Parameters:
  ///   - bus: the session bus; the caller opens and closes it.
  ///   - state: the state of an earlier watch.
  ///   - changed: called at every change of `verdict`, `isHeld` or `isSilent`.
  package init(
    _ bus: Bus, remembering state: ReduceMotionState = ReduceMotionState(),
    timing: BusQuestion.Timing = BusQuestion.Timing(),
    changed: @escaping (ReduceMotionState) -> Void
  ) {
    self.bus = bus
    self.state = state
    self.timing = timing
    self.changed = changed
    self.state.portalLost()
    name = bus.followOwner(of: "org.freedesktop.portal.Desktop") { [weak self] in
      self?.ownerChanged($0)
    }
  }

  private func ownerChanged(_ owner: String?) {
    settings = []
    if let owner {
      wasPresent = true
      update { $0.portalReplaced() }
      settings = [
        PortalSetting(
          bus, owner: owner, namespace: "org.freedesktop.appearance", key: "reduced-motion",
          timing: timing
        ) { [weak self] reading in
          self?.update { $0.reducedMotion = Self.reducedMotion(reading) }
        },
        PortalSetting(
          bus, owner: owner, namespace: "org.gnome.desktop.interface", key: "enable-animations",
          timing: timing
        ) { [weak self] reading in
          self?.update { $0.animations = Self.animations(reading) }
        },
      ]
    } else if !bus.isConnected {
      wasPresent = false
      update { $0.portalLost() }
    } else if wasPresent {
      update { $0.portalLost() }
    } else {
      update { $0.portalAbsent() }
    }
  }

  /// 1 reduces motion; other numbers have no meaning yet and do not. A value of another type has
  /// none either, and leaves what was known.
  static func reducedMotion(_ reading: PortalSetting.Reading) -> ReduceMotionState.Key {
    switch reading {
    case .value(.uint32(let number)): .value(number == 1)
    case .absent: .absent
    case .silent: .silent
    case .value: .unknown
    }
  }

  static func animations(_ reading: PortalSetting.Reading) -> ReduceMotionState.Key {
    switch reading {
    case .value(.bool(let areOn)): .value(areOn)
    case .absent: .absent
    case .silent: .silent
    case .value: .unknown
    }
  }

  private func update(_ change: (inout ReduceMotionState) -> Void) {
    let old = (state.verdict, state.isHeld, state.isSilent)
    change(&state)
    if old != (state.verdict, state.isHeld, state.isSilent) { changed(state) }
  }
}
