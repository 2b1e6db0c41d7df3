import ParallaxGates
package import ParallaxSystem

/// Brings what the machine and the person say to the gate: low power, reduced motion, sleep. It asks
/// from the first subscriber to the last; in between nothing of the buses wakes the daemon.
package final class GateWatch {
  private let loop: EventLoop
  private let hub: MotionHub
  private let powerSupplies: String
  private let clock: () -> Int64
  private let log: (Log.Level, String) -> Void
  private let systemBus: Bus
  private let sessionBus: Bus

  private var lowPower: LowPowerWatch?
  private var sleep: SleepWatch?
  private var reduceMotion: ReduceMotionWatch?
  /// What the portal said before everybody left.
  private var remembered = ReduceMotionState()

  /// - Parameters:
  ///   - systemBus: open while somebody is there; others may use it meanwhile.
  ///   - sessionBus: open while it matters what the portal says.
  ///   - powerSupplies: the kernel's, or a test's.
  package init(
    _ loop: EventLoop, hub: MotionHub, systemBus: Bus, sessionBus: Bus,
    powerSupplies: String = Battery.folder, clock: @escaping () -> Int64,
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

  /// Looks who is to be asked now. To be called whenever anything may have happened.
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

  // -- The system bus

  private func beginSystem() {
    lowPower = LowPowerWatch(loop, bus: systemBus, folder: powerSupplies) {
      [weak self] source in
      self?.set(source.map { GateReasons($0.reason) } ?? [], within: .lowPower)
    }
    sleep = SleepWatch(systemBus) { [weak self] isAsleep in
      guard let self else { return }
      // What the device was set to is lost in sleep.
      if !isAsleep { hub.restartSensor(atNanoseconds: clock()) }
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

  // -- The session bus

  private func beginPortal() {
    let watch = ReduceMotionWatch(sessionBus, remembering: remembered) { [weak self] in
      self?.take($0)
    }
    reduceMotion = watch
    sessionBus.open()
    take(watch.state)
  }

  private func endPortal() {
    if let reduceMotion { remembered = reduceMotion.state }
    reduceMotion = nil
    sessionBus.close()
    set([], within: .reduceMotion)
  }

  private func take(_ state: ReduceMotionState) {
    if state.isHeld, !sessionBus.isConnected {
      log(.notice, "the portal cannot be read; motion stays reduced, as it said last")
    }
    set(state.verdict.map { GateReasons($0.reason) } ?? [], within: .reduceMotion)
  }

  // -- The gate

  private func set(_ reasons: GateReasons, within kind: GateReasons) {
    let all = hub.gates.global.subtracting(kind).union(reasons)
    guard all != hub.gates.global else { return }
    hub.gates.global = all
    let now = clock()
    hub.gatesChanged(atNanoseconds: now)
    hub.demandChanged(atNanoseconds: now)
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
