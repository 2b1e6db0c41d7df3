package import ParallaxSystem

/// Follows the portal on the session bus, as long as it is held.
package final class ReduceMotionWatch {
  /// What is known; give it to the next watch, so that what was said holds over a pause.
  package private(set) var state: ReduceMotionState

  private let bus: Bus
  private let changed: (ReduceMotionState) -> Void
  private var name: BusSlot?
  private var settings: [PortalSetting] = []
  /// Whether the portal was seen on this connection.
  private var wasThere = false

  /// - Parameters:
  ///   - bus: the session bus; opened and closed by others.
  ///   - state: what was known before.
  ///   - changed: called at every change of the verdict, or of whether it is held.
  package init(
    _ bus: Bus, remembering state: ReduceMotionState = ReduceMotionState(),
    changed: @escaping (ReduceMotionState) -> Void
  ) {
    self.bus = bus
    self.state = state
    self.changed = changed
    self.state.portalIsGone()
    name = bus.followOwner(of: "org.freedesktop.portal.Desktop") { [weak self] in
      self?.ownerChanged($0)
    }
  }

  private func ownerChanged(_ owner: String?) {
    settings = []
    if let owner {
      wasThere = true
      learn { $0.portalIsGone() }
      settings = [
        PortalSetting(
          bus, owner: owner, namespace: "org.freedesktop.appearance", key: "reduced-motion"
        ) { [weak self] reading in
          self?.learn { $0.reducedMotion = Self.reducedMotion(reading) }
        },
        PortalSetting(
          bus, owner: owner, namespace: "org.gnome.desktop.interface", key: "enable-animations"
        ) { [weak self] reading in
          self?.learn { $0.animations = Self.animations(reading) }
        },
      ]
    } else if !bus.isConnected {
      wasThere = false
      learn { $0.portalIsGone() }
    } else if wasThere {
      learn { $0.portalIsGone() }
    } else {
      learn { $0.busHasNoPortal() }
    }
  }

  /// 1 is reduce; numbers that mean nothing yet are no wish. Another type is no answer.
  static func reducedMotion(_ reading: PortalSetting.Reading) -> ReduceMotionState.Key {
    switch reading {
    case .value(.uint32(let number)): .value(number == 1)
    case .absent: .absent
    case .value, .unreadable: .unknown
    }
  }

  static func animations(_ reading: PortalSetting.Reading) -> ReduceMotionState.Key {
    switch reading {
    case .value(.bool(let areOn)): .value(areOn)
    case .absent: .absent
    case .value, .unreadable: .unknown
    }
  }

  private func learn(_ change: (inout ReduceMotionState) -> Void) {
    let old = (state.verdict, state.isHeld)
    change(&state)
    if old != (state.verdict, state.isHeld) { changed(state) }
  }
}
