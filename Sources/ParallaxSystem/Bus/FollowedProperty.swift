/// A property of somebody else's, followed: who owns the name, what the property says, and every
/// change, over restarts of the peer and of the bus.
package final class FollowedProperty {
  package enum State: Equatable, Sendable {
    /// The bus has not said yet who owns the name.
    case pending
    /// Nobody owns it, or the bus went away.
    case absent
    /// Somebody does, and has not said.
    case unknown
    case value(BusValue)
  }

  package private(set) var state = State.pending {
    didSet { if state != oldValue { handler(state) } }
  }

  private let bus: Bus
  private let path: String
  private let interface: String
  private let name: String
  private let handler: (State) -> Void
  private var owner: BusSlot?
  private var changes: BusSlot?
  private var question: BusSlot?

  /// - Parameters:
  ///   - destination: the well-known name.
  ///   - handler: called at every change of `state`, which begins as `.pending`.
  package init(
    _ bus: Bus, destination: String, path: String, interface: String, name: String,
    handler: @escaping (State) -> Void
  ) {
    self.bus = bus
    self.path = path
    self.interface = interface
    self.name = name
    self.handler = handler
    owner = bus.followOwner(of: destination) { [weak self] in self?.ownerChanged($0) }
  }

  private func ownerChanged(_ owner: String?) {
    changes = nil
    question = nil
    guard let owner else {
      state = .absent
      return
    }
    state = .unknown
    changes = bus.follow(.propertiesChanged(of: interface, path: path, sender: owner)) {
      [weak self] in self?.changed($0, owner: owner)
    }
    ask(owner)
  }

  private func ask(_ owner: String) {
    question = bus.property(owner, path, interface, name) { [weak self] answer in
      guard let self else { return }
      question = nil
      // What was known stays: the peer is there, and has only not answered.
      if case .success(let value) = answer { state = .value(value) }
    }
  }

  private func changed(_ message: BusMessage, owner: String) {
    do throws(BusError) {
      _ = try message.nextString()
      var found: BusValue?
      try message.entries { key, value in
        if key == name { found = value }
        return found == nil
      }
      if let found {
        // Newer than whatever is still on its way.
        question = nil
        state = .value(found)
      } else if try message.strings().contains(name) {
        ask(owner)
      }
    } catch {
      // Not what the interface promises: asked for again.
      ask(owner)
    }
  }
}
