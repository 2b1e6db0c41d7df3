// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxGates
package import ParallaxLoop
import ParallaxProtocol

/// Watches low power, reduced motion and sleep, and sets the gate reasons. It watches from the first
/// subscriber to the last; without subscribers no bus traffic wakes the daemon.
package final class GateWatch {
  private let loop: EventLoop
  private let hub: MotionHub
  private let powerSupplies: String
  private let clock: () -> MotionInstant
  private let log: (Log.Level, String) -> Void
  private let systemBus: Bus
  private let sessionBus: Bus

  private var lowPower: LowPowerWatch?
  private var sleep: SleepWatch?
  private var reduceMotion: ReduceMotionWatch?
  /// The portal's state when the last subscriber left.
  private var remembered = ReduceMotionState()

  /// - Parameters:
  ///   - systemBus: Open while there are subscribers; shared with other users of the bus.
  ///   - sessionBus: Open while the portal's setting has an effect.
  ///   - powerSupplies: The folder of the kernel's power supplies.
  package init(
    _ loop: EventLoop, hub: MotionHub, systemBus: Bus, sessionBus: Bus,
    powerSupplies: String = Battery.folder, clock: @escaping () -> MotionInstant,
    log: @escaping (Log.Level, String) -> Void
  ) {
    self.loop = loop
    self.hub = hub
    self.systemBus = systemBus
    self.sessionBus = sessionBus
    self.powerSupplies = powerSupplies
    self.clock = clock
    self.log = log
  }

  /// Starts and ends the watches. Call it after every turn of the event loop.
  package func update() {
    let isServing = !hub.isIdle
    if isServing != (sleep != nil) {
      if isServing { beginSystem() } else { endSystem() }
    }
    let asksPortal = isServing && hub.gates.asksPortal
    if asksPortal != (reduceMotion != nil) {
      if asksPortal { beginPortal() } else { endPortal() }
    }
  }

  // MARK: - System bus

  private func beginSystem() {
    lowPower = LowPowerWatch(loop, bus: systemBus, folder: powerSupplies) {
      [weak self] source in
      self?.set(source.map { GateReasons($0.reason) } ?? [], within: .lowPower)
    }
    sleep = SleepWatch(systemBus) { [weak self] isAsleep in
      guard let self else { return }
      // Suspend resets the device's settings.
      if !isAsleep { hub.restartSensor(at: clock()) }
      set(isAsleep ? GateReasons(.sleep) : [], within: GateReasons(.sleep))
    }
    systemBus.open()
  }

  private func endSystem() {
    lowPower = nil
    sleep = nil
    systemBus.close()
    set([], within: GateReasons(.sleep).union(.lowPower))
  }

  // MARK: - Session bus

  private func beginPortal() {
    let watch = ReduceMotionWatch(sessionBus, remembering: remembered) { [weak self] in
      self?.apply($0)
    }
    reduceMotion = watch
    sessionBus.open()
    apply(watch.state)
  }

  private func endPortal() {
    if let reduceMotion { remembered = reduceMotion.state }
    reduceMotion = nil
    sessionBus.close()
    set([], within: .reduceMotion)
  }

  private func apply(_ state: ReduceMotionState) {
    if let note = state.note {
      log(.notice, note)
    } else if state.isHeld, !sessionBus.isConnected {
      log(.notice, "cannot read the portal; motion stays reduced, as it last reported")
    }
    set(state.verdict.map { GateReasons($0.reason) } ?? [], within: .reduceMotion)
  }

  // MARK: - Gate

  private func set(_ reasons: GateReasons, within kind: GateReasons) {
    let all = hub.gates.global.subtracting(kind).union(reasons)
    guard all != hub.gates.global else { return }
    hub.update(at: clock()) { $0.gates.global = all }
  }
}

extension LowPowerSource {
  fileprivate var reason: GateReason {
    switch self {
    case .profile: .lowPowerProfile
    case .upower: .lowPowerUpower
    case .sysfs: .lowPowerSysfs
    }
  }
}

extension ReduceMotionSource {
  fileprivate var reason: GateReason {
    switch self {
    case .portal: .reduceMotionPortal
    case .gnome: .reduceMotionGnome
    }
  }
}
