// SPDX-License-Identifier: Apache-2.0

/// Follows a property of another program, across restarts of the program and of the bus. While the
/// program does not answer, asks again (`BusQuestion`).
package final class FollowedProperty {
  package enum State: Equatable, Sendable {
    /// The owner of the name is not known yet.
    case pending
    /// No program owns the name, or the bus is gone.
    case absent
    /// A program owns the name but has not sent the value yet.
    case unknown
    /// A program owns the name, but does not send the value in time. It is asked again.
    case silent
    case value(BusValue)
  }

  package private(set) var state = State.pending {
    didSet { if state != oldValue { handler(state) } }
  }

  private let bus: Bus
  private let path: String
  private let interface: String
  private let name: String
  private let timing: BusQuestion.Timing
  private let handler: (State) -> Void
  private var question: BusQuestion?
  private var owner: BusSlot?
  private var changes: BusSlot?
  private var request: BusSlot?

  /// - Parameters:
  ///   - destination: the program's well-known name.
  ///   - handler: called at every change of `state`, which starts as `.pending`.
  package init(
    _ bus: Bus, destination: String, path: String, interface: String, name: String,
    timing: BusQuestion.Timing = BusQuestion.Timing(), handler: @escaping (State) -> Void
  ) {
    self.bus = bus
    self.path = path
    self.interface = interface
    self.name = name
    self.timing = timing
    self.handler = handler
    owner = bus.followOwner(of: destination) { [weak self] in self?.ownerChanged($0) }
  }

  private func ownerChanged(_ owner: String?) {
    changes = nil
    request = nil
    question = nil
    guard let owner else {
      state = .absent
      return
    }
    state = .unknown
    changes = bus.follow(.propertiesChanged(of: interface, path: path, sender: owner)) {
      [weak self] in self?.changed($0)
    }
    question = BusQuestion(bus, timing) { [weak self] in
      self?.read(owner)
    } silence: { [weak self] in
      // A known value stays: the peer is still there.
      if let self, state == .unknown { state = .silent }
    }
    question?.start()
  }

  private func read(_ owner: String) {
    request = bus.property(
      owner, path, interface, name, timeoutMilliseconds: timing.timeoutMilliseconds
    ) { [weak self] answer in
      guard let self else { return }
      request = nil
      switch answer {
      case .success(let value): receive(value)
      case .failure: question?.failed()
      }
    }
  }

  private func receive(_ value: BusValue) {
    question?.answered()
    state = .value(value)
  }

  private func changed(_ message: BusMessage) {
    do throws(BusError) {
      _ = try message.nextString()
      var found: BusValue?
      try message.entries { key, value in
        if key == name { found = value }
        return found == nil
      }
      if let found {
        // The signal is newer than an answer that is still to come.
        request = nil
        receive(found)
      } else if try message.strings().contains(name) {
        question?.start()
      }
    } catch {
      // Malformed: read the property instead.
      question?.start()
    }
  }
}
