// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase
package import ParallaxLoop

/// Delays device events until udev's rules have granted access: the kernel's event comes first, and
/// opening the device then would fail. A value without a clock.
package struct DeviceSettling: Equatable, Sendable {
  /// The longest delay, for a device to which no rule grants access.
  package static let maxDuration: MotionDuration = .seconds(5)
  /// The time between two checks.
  package static let step: MotionDuration = .milliseconds(50)
  /// The delay of other devices: a trigger or an accelerometer appears shortly before or after its
  /// gyroscope.
  package static let companionWait: MotionDuration = .milliseconds(500)

  /// The state of the machine's devices.
  package struct Access {
    /// Whether the device with this id is a gyroscope.
    package var isGyroscope: (String) -> Bool
    /// Whether the device with this id may serve a gyroscope, as a trigger does.
    package var isCompanion: (String) -> Bool
    /// Whether this process may use every present gyroscope.
    package var mayUseAll: () -> Bool

    package init(
      isGyroscope: @escaping (String) -> Bool, isCompanion: @escaping (String) -> Bool,
      mayUseAll: @escaping () -> Bool
    ) {
      self.isGyroscope = isGyroscope
      self.isCompanion = isCompanion
      self.mayUseAll = mayUseAll
    }
  }

  private struct Pending: Equatable, Sendable {
    var id: String
    /// Not reported before this instant.
    var earliest: MotionInstant
    /// Reported at this instant even without access.
    var latest: MotionInstant
  }

  private var pending: [Pending] = []
  /// When to call `settled`; nil: no event is delayed.
  package private(set) var deadline: MotionInstant?

  package init() {}

  /// Handles an event of the kernel.
  ///
  /// - Returns: The event if it is not delayed.
  package mutating func receive(
    _ change: DeviceChange, at now: MotionInstant, _ access: Access
  ) -> DeviceChange? {
    switch change {
    case .removed(let id):
      pending.removeAll { $0.id == id }
      if pending.isEmpty { deadline = nil }
      return change
    case .added(let id):
      let isGyroscope = access.isGyroscope(id)
      guard isGyroscope || access.isCompanion(id) else { return nil }
      if isGyroscope && access.mayUseAll() { return change }
      if !pending.contains(where: { $0.id == id }) {
        pending.append(
          Pending(
            id: id, earliest: isGyroscope ? now : now + Self.companionWait,
            latest: now + Self.maxDuration))
      }
      deadline = deadline ?? now + Self.step
      return nil
    }
  }

  /// Returns the delayed events that are now due.
  package mutating func settled(at now: MotionInstant, _ access: Access) -> [DeviceChange] {
    guard let due = deadline, now >= due else { return [] }
    let mayUseAll = access.mayUseAll()
    var changes: [DeviceChange] = []
    pending.removeAll { each in
      guard now >= each.latest || (mayUseAll && now >= each.earliest) else {
        return false
      }
      changes.append(.added(id: each.id))
      return true
    }
    deadline = pending.isEmpty ? nil : now + Self.step
    return changes
  }
}

extension DeviceSettling.Access {
  /// Reads this machine's files; tests use other folders.
  package static func files(
    devices: String = "/sys/bus/iio/devices", nodes: String = "/dev",
    inputs: EvdevNodes = EvdevNodes()
  ) -> Self {
    Self(
      isGyroscope: {
        access("\(devices)/\($0)/in_anglvel_x_raw", F_OK) == 0 || inputs.isGyroscope($0)
      },
      isCompanion: { access("\(devices)/\($0)", F_OK) == 0 },
      mayUseAll: {
        let ids = (try? Directory.names(in: devices)) ?? []
        return ids.allSatisfy { mayUse($0, devices, nodes) }
          && inputs.ids.allSatisfy(inputs.mayRead)
      })
  }

  /// Whether the permissions of files allow streaming. Other devices need none.
  private static func mayUse(_ id: String, _ devices: String, _ nodes: String) -> Bool {
    let folder = "\(devices)/\(id)/"
    guard access(folder + "in_anglvel_x_raw", F_OK) == 0,
      access(folder + "scan_elements", F_OK) == 0
    else { return true }
    guard access("\(nodes)/\(id)", R_OK | W_OK) == 0 else { return false }
    // In the order of the udev rule: the last file changes last.
    for name in ["buffer/enable", "current_timestamp_clock", "trigger/current_trigger"]
    where access(folder + name, F_OK) == 0 && access(folder + name, W_OK) != 0 {
      return false
    }
    return true
  }
}

/// Device events of the kernel, delayed by `DeviceSettling`.
package final class SettledDevices {
  private var monitor: DeviceMonitor?
  private var timer: TimerSource?
  private var settling = DeviceSettling()
  private let access = DeviceSettling.Access.files()
  private let handler: (DeviceChange) -> Void

  package init(_ loop: EventLoop, handler: @escaping (DeviceChange) -> Void) throws(SystemError) {
    self.handler = handler
    timer = try loop.timer { [weak self] in self?.check() }
    monitor = try DeviceMonitor(loop, subsystems: ["iio", "input"]) { [weak self] in
      self?.receive($0)
    }
  }

  private func receive(_ change: DeviceChange) {
    let due = settling.receive(change, at: MonotonicClock.now(), access)
    arm()
    if let due { handler(due) }
  }

  private func check() {
    let changes = settling.settled(at: MonotonicClock.now(), access)
    arm()
    for change in changes { handler(change) }
  }

  private func arm() {
    if let deadline = settling.deadline {
      timer?.arm(at: deadline)
    } else {
      timer?.disarm()
    }
  }
}
