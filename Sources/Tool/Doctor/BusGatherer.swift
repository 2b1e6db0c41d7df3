// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop

/// Asks both buses at once and waits for at most `answerSeconds`. Starts no service.
final class BusGatherer {
  private static let answerSeconds = 2

  private let loop: EventLoop
  private var deadline: TimerSource?
  private var buses: [Bus] = []
  private var slots: [BusSlot] = []
  /// The parts that have no answer yet.
  private var missing: Set<Part> = [.portal, .power, .sensorProxy]
  private var session = DoctorFacts.Session(
    portal: .silent(seconds: answerSeconds), power: .silent(seconds: answerSeconds),
    sensorProxy: .silent(seconds: answerSeconds))

  private enum Part { case portal, power, sensorProxy }

  private init() throws(SystemError) {
    loop = try EventLoop()
    deadline = try loop.timer { [weak self] in self?.missing.removeAll() }
  }

  static func gather() -> DoctorFacts.Session {
    do {
      let gatherer = try BusGatherer()
      try gatherer.run()
      return gatherer.session
    } catch {
      // No event loop, as without descriptors.
      let why = "\(error)"
      return DoctorFacts.Session(
        portal: .noBus(why), power: .noBus(why), sensorProxy: .noBus(why))
    }
  }

  private func run() throws(SystemError) {
    deadline?.arm(at: MonotonicClock.now() + .seconds(Int64(Self.answerSeconds)))
    try follow(.session, ifAbsent: { [weak self] in self?.set(portal: .noBus($0)) }) {
      [weak self] in self?.askPortal($0)
    }
    try follow(
      .system,
      ifAbsent: { [weak self] in
        self?.set(power: .noBus($0))
        self?.set(sensorProxy: .noBus($0))
      }
    ) { [weak self] bus in
      self?.askPower(bus, of: Self.profileDaemons)
      self?.askSensorProxy(bus)
    }
    while !missing.isEmpty { try loop.turn(waiting: true) }
    slots.removeAll()
    for bus in buses { bus.close() }
  }

  private func follow(
    _ kind: Bus.Kind, ifAbsent: @escaping (String) -> Void, ask: @escaping (Bus) -> Void
  ) throws(SystemError) {
    // The bus logs why there is no connection.
    let bus = try Bus(loop, kind) { _, text in
      ifAbsent(String(text.prefix { $0 != ";" }))
    }
    buses.append(bus)
    slots.append(bus.followConnection { if $0 { ask(bus) } })
    bus.open()
  }

  // MARK: - The portal

  private static let portal = "org.freedesktop.portal.Desktop"
  private static let settings = "org.freedesktop.portal.Settings"
  private static let portalPath = "/org/freedesktop/portal/desktop"

  private func askPortal(_ bus: Bus) {
    keep(
      bus.property(Self.portal, Self.portalPath, Self.settings, "version") { [weak self] answer in
        switch answer {
        case .success(.uint32(let version)): self?.askKeys(bus, version: version)
        case .failure(let error) where error.meansAbsence: self?.set(portal: .absent)
        case .failure(.noAnswer): break
        default: self?.askKeys(bus, version: nil)
        }
      })
  }

  private func askKeys(_ bus: Bus, version: UInt32?) {
    // Version 1 has only Read, whose result is nested in one more variant.
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
        self?.set(
          portal: .there(
            version: version, reducedMotion: reduced?.number.map { $0 == 1 },
            animations: animations?.flag))
      }
    }
  }

  // MARK: - Power

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
        case .success(.string(let profile)): self?.set(power: .profile(profile))
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
        case .success(.uint32(let level)): self?.set(power: .upower(warningLevel: level))
        case .failure(.noAnswer): break
        default: self?.set(power: .absent)
        }
      })
  }

  // MARK: - Orientation

  private func askSensorProxy(_ bus: Bus) {
    keep(
      bus.property(
        "net.hadess.SensorProxy", "/net/hadess/SensorProxy", "net.hadess.SensorProxy",
        "HasAccelerometer"
      ) { [weak self] answer in
        switch answer {
        case .success(.bool(let has)): self?.set(sensorProxy: .there(hasAccelerometer: has))
        case .failure(.noAnswer): break
        default: self?.set(sensorProxy: .absent)
        }
      })
  }

  // MARK: - Answers

  private func keep(_ slot: BusSlot) { slots.append(slot) }

  private func set(portal: DoctorFacts.Portal) {
    if missing.remove(.portal) != nil { session.portal = portal }
  }

  private func set(power: DoctorFacts.Power) {
    if missing.remove(.power) != nil { session.power = power }
  }

  private func set(sensorProxy: DoctorFacts.SensorProxy) {
    if missing.remove(.sensorProxy) != nil { session.sensorProxy = sensorProxy }
  }
}

extension BusValue {
  fileprivate var number: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  fileprivate var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
}

extension BusError {
  /// Whether no program has the name.
  fileprivate var meansAbsence: Bool {
    hasName("org.freedesktop.DBus.Error.ServiceUnknown")
      || hasName("org.freedesktop.DBus.Error.NameHasNoOwner")
  }
}
