import Glibc
package import ParallaxSystem

/// Holds news of devices back until udev's rules have handed the gyroscopes over: the kernel's news comes
/// first, and whoever opened one then would be refused. A value without a clock.
package struct DeviceSettling: Equatable, Sendable {
  /// What is handed over in a moment is waited for so long; what is never, no longer.
  package static let longestNanoseconds: Int64 = 5_000_000_000
  /// How often it is looked at meanwhile.
  package static let stepNanoseconds: Int64 = 50_000_000
  /// A trigger or an accelerometer comes with its gyroscope, before or behind it: so long it may take.
  package static let companyNanoseconds: Int64 = 500_000_000

  /// What is asked about the machine.
  package struct Look {
    package var isGyroscope: (String) -> Bool
    /// Whether this process may use every gyroscope that is there.
    package var mayUseAll: () -> Bool

    package init(isGyroscope: @escaping (String) -> Bool, mayUseAll: @escaping () -> Bool) {
      self.isGyroscope = isGyroscope
      self.mayUseAll = mayUseAll
    }
  }

  private struct Pending: Equatable, Sendable {
    var id: String
    var fromNanoseconds: Int64
    var untilNanoseconds: Int64
  }

  private var pending: [Pending] = []
  /// When `settled` is wanted; nil: nothing is waited for.
  package private(set) var deadlineNanoseconds: Int64?

  package init() {}

  /// - Returns: what to tell now.
  package mutating func take(
    _ change: DeviceChange, atNanoseconds now: Int64, _ look: Look
  ) -> DeviceChange? {
    switch change {
    case .removed(let id):
      pending.removeAll { $0.id == id }
      if pending.isEmpty { deadlineNanoseconds = nil }
      return change
    case .added(let id):
      let isGyroscope = look.isGyroscope(id)
      if isGyroscope && look.mayUseAll() { return change }
      if !pending.contains(where: { $0.id == id }) {
        pending.append(
          Pending(
            id: id, fromNanoseconds: isGyroscope ? now : now + Self.companyNanoseconds,
            untilNanoseconds: now + Self.longestNanoseconds))
      }
      deadlineNanoseconds = deadlineNanoseconds ?? now + Self.stepNanoseconds
      return nil
    }
  }

  /// What may be told since, or has waited long enough.
  package mutating func settled(atNanoseconds now: Int64, _ look: Look) -> [DeviceChange] {
    guard let deadline = deadlineNanoseconds, now >= deadline else { return [] }
    let mayUseAll = look.mayUseAll()
    var changes: [DeviceChange] = []
    pending.removeAll { each in
      guard now >= each.untilNanoseconds || (mayUseAll && now >= each.fromNanoseconds) else {
        return false
      }
      changes.append(.added(id: each.id))
      return true
    }
    deadlineNanoseconds = pending.isEmpty ? nil : now + Self.stepNanoseconds
    return changes
  }
}

extension DeviceSettling.Look {
  /// Of this machine's files; for tests, of others.
  package static func files(
    devices: String = "/sys/bus/iio/devices", nodes: String = "/dev"
  ) -> Self {
    Self(
      isGyroscope: { access("\(devices)/\($0)/in_anglvel_x_raw", F_OK) == 0 },
      mayUseAll: {
        guard let folder = opendir(devices) else { return true }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
          let id = withUnsafeBytes(of: entry.pointee.d_name) { name in
            String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
          }
          if id != ".", id != "..", !mayUse(id, devices, nodes) { return false }
        }
        return true
      })
  }

  /// As far as files tell. What is no gyroscope, or cannot stream, needs nothing.
  private static func mayUse(_ id: String, _ devices: String, _ nodes: String) -> Bool {
    let folder = "\(devices)/\(id)/"
    guard access(folder + "in_anglvel_x_raw", F_OK) == 0,
      access(folder + "scan_elements", F_OK) == 0
    else { return true }
    guard access("\(nodes)/\(id)", R_OK | W_OK) == 0 else { return false }
    // In the rule's order: the last of them is the last to change hands.
    for name in ["buffer/enable", "current_timestamp_clock", "trigger/current_trigger"]
    where access(folder + name, F_OK) == 0 && access(folder + name, W_OK) != 0 {
      return false
    }
    return true
  }
}

/// The monitor and the timer around it.
final class SettledDevices {
  private var monitor: DeviceMonitor?
  private var timer: TimerSource?
  private var settling = DeviceSettling()
  private let look = DeviceSettling.Look.files()
  private let handler: (DeviceChange) -> Void

  init(_ loop: EventLoop, handler: @escaping (DeviceChange) -> Void) throws(SystemError) {
    self.handler = handler
    timer = try loop.timer { [weak self] in self?.again() }
    monitor = try DeviceMonitor(loop, subsystem: "iio") { [weak self] in self?.take($0) }
  }

  private func take(_ change: DeviceChange) {
    let told = settling.take(change, atNanoseconds: MonotonicClock.now(), look)
    arm()
    if let told { handler(told) }
  }

  private func again() {
    let changes = settling.settled(atNanoseconds: MonotonicClock.now(), look)
    arm()
    for change in changes { handler(change) }
  }

  private func arm() {
    if let deadline = settling.deadlineNanoseconds {
      timer?.arm(atNanoseconds: deadline)
    } else {
      timer?.disarm()
    }
  }
}
