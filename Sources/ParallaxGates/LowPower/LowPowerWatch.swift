package import ParallaxSystem

/// Follows whoever knows about power, as long as it is held.
package final class LowPowerWatch {
  package private(set) var verdict: LowPowerSource?

  private let loop: EventLoop
  private let folder: String
  private let changed: (LowPowerSource?) -> Void
  private var facts = LowPowerFacts()
  private var connection: BusSlot?
  private var properties: [FollowedProperty] = []
  /// While the kernel is the one to ask: told by its news, and looked at now and then where there
  /// is a battery, since not every driver tells.
  private var monitor: DeviceMonitor?
  private var timer: TimerSource?

  private static let pauseNanoseconds: Int64 = 60_000_000_000

  /// - Parameters:
  ///   - bus: the system bus; opened and closed by others.
  ///   - folder: `Battery.folder`, or a test's.
  ///   - changed: called at every change of `verdict`, which begins as nil.
  package init(
    _ loop: EventLoop, bus: Bus, folder: String = Battery.folder,
    changed: @escaping (LowPowerSource?) -> Void
  ) {
    self.loop = loop
    self.folder = folder
    self.changed = changed
    connection = bus.followConnection { [weak self] isConnected in
      self?.learn { $0.isBusGone = !isConnected }
    }
    properties = [
      FollowedProperty(
        bus, destination: "org.freedesktop.UPower.PowerProfiles",
        path: "/org/freedesktop/UPower/PowerProfiles",
        interface: "org.freedesktop.UPower.PowerProfiles", name: "ActiveProfile"
      ) { [weak self] state in self?.learn { $0.profile = state } },
      FollowedProperty(
        bus, destination: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles",
        interface: "net.hadess.PowerProfiles", name: "ActiveProfile"
      ) { [weak self] state in self?.learn { $0.formerProfile = state } },
      FollowedProperty(
        bus, destination: "org.freedesktop.UPower",
        path: "/org/freedesktop/UPower/devices/DisplayDevice",
        interface: "org.freedesktop.UPower.Device", name: "WarningLevel"
      ) { [weak self] state in self?.learn { $0.warningLevel = state } },
    ]
  }

  private func learn(_ change: (inout LowPowerFacts) -> Void) {
    change(&facts)
    if facts.needsBatteries {
      if monitor == nil {
        monitor = try? DeviceMonitor(loop, subsystem: "power_supply") { [weak self] _ in
          self?.lookAtBatteries()
        }
        timer = try? loop.timer { [weak self] in self?.lookAtBatteries() }
        return lookAtBatteries()
      }
    } else {
      monitor = nil
      timer = nil
      facts.batteries = []
    }
    decide()
  }

  private func lookAtBatteries() {
    facts.batteries = Battery.all(in: folder)
    if !facts.batteries.isEmpty {
      timer?.arm(atNanoseconds: MonotonicClock.now() + Self.pauseNanoseconds)
    }
    decide()
  }

  private func decide() {
    guard facts.verdict != verdict else { return }
    verdict = facts.verdict
    changed(verdict)
  }
}
