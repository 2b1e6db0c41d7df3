// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxLoop

/// Follows the power services and, without them, the kernel's batteries. Ends when it is dropped.
package final class LowPowerWatch {
  package private(set) var verdict: LowPowerSource?

  private let loop: EventLoop
  private let folder: String
  private let changed: (LowPowerSource?) -> Void
  private var state = LowPowerState()
  private var connection: BusSlot?
  private var properties: [FollowedProperty] = []
  /// Set while the batteries decide: reads them at each uevent and, if there are any, every minute,
  /// since not every driver sends uevents.
  private var monitor: DeviceMonitor?
  private var timer: TimerSource?

  private static let pollPeriod: MotionDuration = .seconds(60)

  /// - Parameters:
  ///   - bus: the system bus; the caller opens and closes it.
  ///   - folder: `Battery.folder`, or a test's own.
  ///   - changed: called at every change of `verdict`, which starts as nil.
  package init(
    _ loop: EventLoop, bus: Bus, folder: String = Battery.folder,
    timing: BusQuestion.Timing = BusQuestion.Timing(),
    changed: @escaping (LowPowerSource?) -> Void
  ) {
    self.loop = loop
    self.folder = folder
    self.changed = changed
    connection = bus.followConnection { [weak self] isConnected in
      self?.update { $0.isBusGone = !isConnected }
    }
    properties = [
      FollowedProperty(
        bus, destination: "org.freedesktop.UPower.PowerProfiles",
        path: "/org/freedesktop/UPower/PowerProfiles",
        interface: "org.freedesktop.UPower.PowerProfiles", name: "ActiveProfile", timing: timing
      ) { [weak self] state in self?.update { $0.profile = state } },
      FollowedProperty(
        bus, destination: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles",
        interface: "net.hadess.PowerProfiles", name: "ActiveProfile", timing: timing
      ) { [weak self] state in self?.update { $0.formerProfile = state } },
      FollowedProperty(
        bus, destination: "org.freedesktop.UPower",
        path: "/org/freedesktop/UPower/devices/DisplayDevice",
        interface: "org.freedesktop.UPower.Device", name: "WarningLevel", timing: timing
      ) { [weak self] state in self?.update { $0.warningLevel = state } },
    ]
  }

  private func update(_ change: (inout LowPowerState) -> Void) {
    change(&state)
    if state.needsBatteries {
      if monitor == nil {
        monitor = try? DeviceMonitor(loop, subsystems: ["power_supply"]) { [weak self] _ in
          self?.readBatteries()
        }
        timer = try? loop.timer { [weak self] in self?.readBatteries() }
        return readBatteries()
      }
    } else {
      monitor = nil
      timer = nil
      state.batteries = []
    }
    decide()
  }

  private func readBatteries() {
    state.batteries = Battery.all(in: folder)
    if !state.batteries.isEmpty {
      timer?.arm(at: MonotonicClock.now() + Self.pollPeriod)
    }
    decide()
  }

  private func decide() {
    guard !state.isPending, state.verdict != verdict else { return }
    verdict = state.verdict
    changed(verdict)
  }
}
