import ParallaxSystem

/// Asks both buses what the doctor wants to know, all at once, and waits so long and no longer.
/// Starts no service.
final class BusGatherer {
  private static let answerSeconds = 2

  private let loop: EventLoop
  private var deadline: TimerSource?
  private var buses: [Bus] = []
  private var slots: [BusSlot] = []
  /// What has not come yet: each is taken out once.
  private var open: Set<Part> = [.portal, .power, .sensorProxy]
  private var session = DoctorFacts.Session(
    portal: .silent(seconds: answerSeconds), power: .silent(seconds: answerSeconds),
    sensorProxy: .silent(seconds: answerSeconds))

  private enum Part { case portal, power, sensorProxy }

  private init() throws(SystemError) {
    loop = try EventLoop()
    deadline = try loop.timer { [weak self] in self?.open.removeAll() }
  }

  /// - Returns: what was said; nil where this process has no room for a loop.
  static func gather() -> DoctorFacts.Session? {
    do {
      let gatherer = try BusGatherer()
      try gatherer.run()
      return gatherer.session
    } catch {
      return nil
    }
  }

  private func run() throws(SystemError) {
    deadline?.arm(
      atNanoseconds: MonotonicClock.now() + Int64(Self.answerSeconds) * 1_000_000_000)
    try follow(.session, whereNone: { [weak self] in self?.tell(portal: .noBus($0)) }) {
      [weak self] in self?.askPortal($0)
    }
    try follow(
      .system,
      whereNone: { [weak self] in
        self?.tell(power: .noBus($0))
        self?.tell(sensorProxy: .noBus($0))
      }
    ) { [weak self] bus in
      self?.askPower(bus, of: Self.profileDaemons)
      self?.askSensorProxy(bus)
    }
    while !open.isEmpty { try loop.turn(waiting: true) }
    slots.removeAll()
    for bus in buses { bus.close() }
  }

  private func follow(
    _ kind: Bus.Kind, whereNone: @escaping (String) -> Void, ask: @escaping (Bus) -> Void
  ) throws(SystemError) {
    // Its log says why there is no connection.
    let bus = try Bus(loop, kind) { _, text in
      whereNone(String(text.prefix { $0 != ";" }))
    }
    buses.append(bus)
    slots.append(bus.followConnection { if $0 { ask(bus) } })
    bus.open()
  }

  // -- The portal

  private static let portal = "org.freedesktop.portal.Desktop"
  private static let settings = "org.freedesktop.portal.Settings"
  private static let portalPath = "/org/freedesktop/portal/desktop"

  private func askPortal(_ bus: Bus) {
    keep(
      bus.property(Self.portal, Self.portalPath, Self.settings, "version") { [weak self] answer in
        switch answer {
        case .success(.uint32(let version)): self?.askKeys(bus, version: version)
        case .failure(let error) where error.meansAbsence: self?.tell(portal: .absent)
        case .failure(.noAnswer): break
        default: self?.askKeys(bus, version: nil)
        }
      })
  }

  private func askKeys(_ bus: Bus, version: UInt32?) {
    // Version 1 has Read alone, whose variant is nested once more.
    let method = (version ?? 1) >= 2 ? "ReadOne" : "Read"
    func read(_ namespace: String, _ key: String, then: @escaping (BusValue?) -> Void) {
      keep(
        bus.call(
          Self.portal, Self.portalPath, Self.settings, method, [.string(namespace), .string(key)]
        ) { answer in
          then(try? answer.get().next())
        })
    }
    read("org.freedesktop.appearance", "reduced-motion") { [weak self] reduced in
      read("org.gnome.desktop.interface", "enable-animations") { [weak self] animations in
        self?.tell(
          portal: .there(
            version: version, reducedMotion: reduced?.number.map { $0 == 1 },
            animations: animations?.flag))
      }
    }
  }

  // -- Power

  private typealias Peer = (name: String, path: String)

  private static let profileDaemons: [Peer] = [
    ("org.freedesktop.UPower.PowerProfiles", "/org/freedesktop/UPower/PowerProfiles"),
    ("net.hadess.PowerProfiles", "/net/hadess/PowerProfiles"),
  ]

  private func askPower(_ bus: Bus, of peers: [Peer]) {
    guard let peer = peers.first else { return askBattery(bus) }
    keep(
      bus.property(peer.name, peer.path, peer.name, "ActiveProfile") { [weak self] answer in
        switch answer {
        case .success(.string(let profile)): self?.tell(power: .profile(profile))
        case .failure(.noAnswer): break
        default: self?.askPower(bus, of: Array(peers.dropFirst()))
        }
      })
  }

  private func askBattery(_ bus: Bus) {
    keep(
      bus.property(
        "org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice",
        "org.freedesktop.UPower.Device", "WarningLevel"
      ) { [weak self] answer in
        switch answer {
        case .success(.uint32(let level)): self?.tell(power: .upower(warningLevel: level))
        case .failure(.noAnswer): break
        default: self?.tell(power: .absent)
        }
      })
  }

  // -- The position

  private func askSensorProxy(_ bus: Bus) {
    keep(
      bus.property(
        "net.hadess.SensorProxy", "/net/hadess/SensorProxy", "net.hadess.SensorProxy",
        "HasAccelerometer"
      ) { [weak self] answer in
        switch answer {
        case .success(.bool(let has)): self?.tell(sensorProxy: .there(hasAccelerometer: has))
        case .failure(.noAnswer): break
        default: self?.tell(sensorProxy: .absent)
        }
      })
  }

  // -- What is known

  private func keep(_ slot: BusSlot) { slots.append(slot) }

  private func tell(portal: DoctorFacts.Portal) {
    if open.remove(.portal) != nil { session.portal = portal }
  }

  private func tell(power: DoctorFacts.Power) {
    if open.remove(.power) != nil { session.power = power }
  }

  private func tell(sensorProxy: DoctorFacts.SensorProxy) {
    if open.remove(.sensorProxy) != nil { session.sensorProxy = sensorProxy }
  }
}

extension BusValue {
  fileprivate var number: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  fileprivate var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
}

extension BusError {
  /// Whether the answer is that nobody has the name.
  fileprivate var meansAbsence: Bool {
    isRefusal("org.freedesktop.DBus.Error.ServiceUnknown")
      || isRefusal("org.freedesktop.DBus.Error.NameHasNoOwner")
  }
}
