import CSystemd

/// Something that was asked of a bus: an answer to a call, a signal, a name's owner. Dropped or
/// cancelled, its handler never runs again.
///
/// What is followed outlives the connection: it is asked for anew on each.
package class BusSlot {
  /// The `sd_bus_slot *`, while the connection that it belongs to is there.
  private var raw: OpaquePointer?

  fileprivate init() {}

  deinit {
    sd_bus_slot_unref(raw)
  }

  /// Ends it. Twice is allowed.
  package func cancel() {
    release()
  }

  /// Takes the slot that sd-bus gave; its userdata is this object, not retained: an unref'd slot
  /// calls nobody.
  final func hold(_ slot: OpaquePointer?) {
    release()
    raw = slot
  }

  final func release() {
    raw = sd_bus_slot_unref(raw)
  }

  final var userdata: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// A connection is there.
  func connected(_ bus: Bus) {}

  /// The connection is gone. `isTold`: whoever follows shall hear of it.
  func lost(isTold: Bool) { release() }

  /// sd-bus's callback, for every kind of slot.
  static let callback: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message, let userdata else { return 0 }
    let this = Unmanaged<BusSlot>.fromOpaque(userdata).takeUnretainedValue()
    // The handler may drop the last reference to its own slot.
    withExtendedLifetime(this) { this.take(BusMessage(message), raw: message) }
    return 0
  }

  func take(_ message: BusMessage, raw: OpaquePointer) {}
}

/// One call.
final class CallSlot: BusSlot {
  private var handler: ((Result<BusMessage, BusError>) -> Void)?

  init(_ handler: @escaping (Result<BusMessage, BusError>) -> Void) {
    self.handler = handler
    super.init()
  }

  override func cancel() {
    handler = nil
    super.cancel()
  }

  override func take(_ message: BusMessage, raw: OpaquePointer) {
    if let error = sd_bus_message_get_error(raw) {
      let name = error.pointee.name.map { String(cString: $0) } ?? ""
      let words = error.pointee.message.map { String(cString: $0) } ?? ""
      finish(
        .failure(
          // sd-bus's own word for a timeout and a lost connection, the bus's for a lost peer.
          name == "org.freedesktop.DBus.Error.NoReply"
            ? .noAnswer : .refused(name: name, words: words)))
    } else {
      finish(.success(message))
    }
  }

  /// Answers, once.
  func finish(_ result: Result<BusMessage, BusError>) {
    let handler = handler
    self.handler = nil
    handler?(result)
  }
}

/// A match rule's signals.
final class MatchSlot: BusSlot {
  private let rule: String
  private var handler: ((BusMessage) -> Void)?

  init(rule: String, _ handler: @escaping (BusMessage) -> Void) {
    self.rule = rule
    self.handler = handler
    super.init()
  }

  override func cancel() {
    handler = nil
    super.cancel()
  }

  override func connected(_ bus: Bus) {
    guard handler != nil else { return }
    // Without a callback for the rule's own answer sd-bus gives up a connection on which it is
    // refused or not answered: the next one is tried, with pauses.
    bus.addMatch(rule, for: self)
  }

  override func take(_ message: BusMessage, raw: OpaquePointer) {
    handler?(message)
  }
}

/// Whether the bus is there.
final class ConnectionSlot: BusSlot {
  private var handler: ((Bool) -> Void)?
  private var told: Bool?

  init(_ handler: @escaping (Bool) -> Void) {
    self.handler = handler
    super.init()
  }

  override func cancel() {
    handler = nil
    super.cancel()
  }

  override func connected(_ bus: Bus) { tell(true) }

  override func lost(isTold: Bool) {
    if isTold { tell(false) } else { told = nil }
  }

  private func tell(_ isConnected: Bool) {
    guard told != isConnected else { return }
    told = isConnected
    handler?(isConnected)
  }
}

/// A name's owner.
final class OwnerSlot: BusSlot {
  private let name: String
  private var handler: ((String?) -> Void)?
  private var match: BusSlot?
  private var question: BusSlot?
  /// What was told last; nil: nothing on this connection.
  private var told: String??

  init(name: String, _ handler: @escaping (String?) -> Void) {
    self.name = name
    self.handler = handler
    super.init()
  }

  override func cancel() {
    handler = nil
    match = nil
    question = nil
    super.cancel()
  }

  override func connected(_ bus: Bus) {
    guard handler != nil else { return }
    let match = MatchSlot(rule: BusSignal.ownerChanged(of: name).rule) { [weak self] in
      self?.changed($0)
    }
    self.match = match
    match.connected(bus)
    question = bus.call(
      Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetNameOwner", [.string(name)]
    ) { [weak self] in self?.answered($0) }
  }

  override func lost(isTold: Bool) {
    match = nil
    question = nil
    let told = told
    self.told = nil
    if isTold, case .some(.some) = told { handler?(nil) }
  }

  private func changed(_ message: BusMessage) {
    // Anyone may send a signal of this name to anyone.
    guard message.sender == Bus.driver, (try? message.nextString()) == name,
      (try? message.nextString()) != nil, let owner = try? message.nextString()
    else { return }
    question = nil
    tell(owner.isEmpty ? nil : owner)
  }

  private func answered(_ answer: Result<BusMessage, BusError>) {
    question = nil
    // NameHasNoOwner is the usual refusal.
    guard case .success(let message) = answer else { return tell(nil) }
    tell(try? message.nextString())
  }

  private func tell(_ owner: String?) {
    if case .some(owner) = told { return }
    told = .some(owner)
    handler?(owner)
  }
}
