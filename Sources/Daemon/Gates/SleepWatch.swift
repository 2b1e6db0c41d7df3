// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxLoop

/// Follows logind's reports of suspend and resume. Ends when it is dropped.
package final class SleepWatch {
  package private(set) var isAsleep = false

  private let bus: Bus
  private let changed: (Bool) -> Void
  private var name: BusSlot?
  private var signal: BusSlot?
  private var request: BusSlot?

  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  /// - Parameters:
  ///   - bus: the system bus; the caller opens and closes it.
  ///   - changed: called at every change of `isAsleep`, which starts as false.
  package init(_ bus: Bus, changed: @escaping (Bool) -> Void) {
    self.bus = bus
    self.changed = changed
    name = bus.followOwner(of: "org.freedesktop.login1") { [weak self] in self?.ownerChanged($0) }
  }

  private func ownerChanged(_ owner: String?) {
    signal = nil
    request = nil
    guard let owner else { return update(false) }
    signal = bus.follow(
      BusSignal(
        sender: owner, path: Self.path, interface: Self.interface, member: "PrepareForSleep")
    ) { [weak self] message in
      guard case .bool(let isAsleep)? = try? message.next() else { return }
      self?.request = nil
      self?.update(isAsleep)
    }
    request = bus.property(owner, Self.path, Self.interface, "PreparingForSleep") {
      [weak self] answer in
      self?.request = nil
      self?.update(answer == .success(.bool(true)))
    }
  }

  private func update(_ isAsleep: Bool) {
    guard self.isAsleep != isAsleep else { return }
    self.isAsleep = isAsleep
    changed(isAsleep)
  }
}
