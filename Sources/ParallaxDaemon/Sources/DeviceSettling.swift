import Glibc
package import ParallaxSystem

/// Holds news of devices back until udev's rules have handed the device over: the kernel's news comes
/// first, and whoever opened the device then would be refused. A value without a clock.
package struct DeviceSettling: Equatable, Sendable {
  /// What is handed over in a moment is waited for so long; what is never, no longer.
  package static let longestNanoseconds: Int64 = 3_000_000_000
  /// How often it is looked at meanwhile.
  package static let stepNanoseconds: Int64 = 50_000_000

  private struct Pending: Equatable, Sendable {
    var id: String
    var untilNanoseconds: Int64
  }

  private var pending: [Pending] = []
  /// When `settled` is wanted; nil: nothing is waited for.
  package private(set) var deadlineNanoseconds: Int64?

  package init() {}

  /// - Parameter isOpen: whether the device may be used as it is.
  /// - Returns: what to tell now.
  package mutating func take(
    _ change: DeviceChange, atNanoseconds now: Int64, isOpen: (String) -> Bool
  ) -> DeviceChange? {
    switch change {
    case .removed(let id):
      pending.removeAll { $0.id == id }
      if pending.isEmpty { deadlineNanoseconds = nil }
      return change
    case .added(let id):
      if isOpen(id) { return change }
      if !pending.contains(where: { $0.id == id }) {
        pending.append(Pending(id: id, untilNanoseconds: now + Self.longestNanoseconds))
      }
      deadlineNanoseconds = deadlineNanoseconds ?? now + Self.stepNanoseconds
      return nil
    }
  }

  /// What has been handed over since, or not in all that time.
  package mutating func settled(
    atNanoseconds now: Int64, isOpen: (String) -> Bool
  ) -> [DeviceChange] {
    guard let deadline = deadlineNanoseconds, now >= deadline else { return [] }
    var changes: [DeviceChange] = []
    pending.removeAll { each in
      guard now >= each.untilNanoseconds || isOpen(each.id) else { return false }
      changes.append(.added(id: each.id))
      return true
    }
    deadlineNanoseconds = pending.isEmpty ? nil : now + Self.stepNanoseconds
    return changes
  }

  /// Whether this process may stream from a gyroscope, as far as files tell. What is no gyroscope, or
  /// cannot stream, needs nothing.
  package static func isOpen(
    _ id: String, devices: String = "/sys/bus/iio/devices", nodes: String = "/dev"
  ) -> Bool {
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
  private let handler: (DeviceChange) -> Void

  init(_ loop: EventLoop, handler: @escaping (DeviceChange) -> Void) throws(SystemError) {
    self.handler = handler
    timer = try loop.timer { [weak self] in self?.look() }
    monitor = try DeviceMonitor(loop, subsystem: "iio") { [weak self] in self?.take($0) }
  }

  private func take(_ change: DeviceChange) {
    let told = settling.take(change, atNanoseconds: MonotonicClock.now()) {
      DeviceSettling.isOpen($0)
    }
    arm()
    if let told { handler(told) }
  }

  private func look() {
    let changes = settling.settled(atNanoseconds: MonotonicClock.now()) {
      DeviceSettling.isOpen($0)
    }
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
