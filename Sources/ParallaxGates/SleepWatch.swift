package import ParallaxSystem

/// Follows logind's word that the machine goes to sleep and wakes, as long as it is held.
package final class SleepWatch {
  package private(set) var isAsleep = false

  private let bus: Bus
  private let changed: (Bool) -> Void
  private var name: BusSlot?
  private var signal: BusSlot?
  private var question: BusSlot?

  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  /// - Parameters:
  ///   - bus: the system bus; opened and closed by others.
  ///   - changed: called at every change of `isAsleep`, which begins as false.
  package init(_ bus: Bus, changed: @escaping (Bool) -> Void) {
    self.bus = bus
    self.changed = changed
    name = bus.followOwner(of: "org.freedesktop.login1") { [weak self] in self?.ownerChanged($0) }
  }

  private func ownerChanged(_ owner: String?) {
    signal = nil
    question = nil
    guard let owner else { return learn(false) }
    signal = bus.follow(
      BusSignal(
        sender: owner, path: Self.path, interface: Self.interface, member: "PrepareForSleep")
    ) { [weak self] message in
      guard case .bool(let isAsleep)? = try? message.next() else { return }
      self?.question = nil
      self?.learn(isAsleep)
    }
    question = bus.property(owner, Self.path, Self.interface, "PreparingForSleep") {
      [weak self] answer in
      self?.question = nil
      self?.learn(answer == .success(.bool(true)))
    }
  }

  private func learn(_ isAsleep: Bool) {
    guard self.isAsleep != isAsleep else { return }
    self.isAsleep = isAsleep
    changed(isAsleep)
  }
}
