// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// A pending call or a subscription on a bus. Once it is dropped or cancelled, its handler never runs
/// again.
///
/// A subscription survives the connection: it is renewed on each new one.
package class BusSlot {
  /// The `sd_bus_slot *`, while its connection lasts.
  private var raw: OpaquePointer?

  fileprivate init() {}

  deinit {
    sd_bus_slot_unref(raw)
  }

  /// Ends the call or subscription. Cancelling again has no effect.
  package func cancel() {
    release()
  }

  /// Takes over a slot of sd-bus. Its userdata is this object, not retained: an unref'd slot never
  /// calls back.
  final func hold(_ slot: OpaquePointer?) {
    release()
    raw = slot
  }

  final func release() {
    raw = sd_bus_slot_unref(raw)
  }

  final var userdata: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Handles a new connection.
  func connected(_ bus: Bus) {}

  /// Handles the end of the connection.
  ///
  /// - Parameter isReported: Whether the handler hears of it; false when `Bus.close` ended it.
  func lost(isReported: Bool) { release() }

  /// sd-bus's callback, for every kind of slot.
  static let callback: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message, let userdata else { return 0 }
    let this = Unmanaged<BusSlot>.fromOpaque(userdata).takeUnretainedValue()
    // The handler may drop the last reference to its own slot.
    withExtendedLifetime(this) { this.receive(BusMessage(message), raw: message) }
    return 0
  }

  func receive(_ message: BusMessage, raw: OpaquePointer) {}
}

/// A method call.
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

  override func receive(_ message: BusMessage, raw: OpaquePointer) {
    if let error = sd_bus_message_get_error(raw) {
      let name = error.pointee.name.map { String(cString: $0) } ?? ""
      let text = error.pointee.message.map { String(cString: $0) } ?? ""
      finish(
        .failure(
          // From sd-bus: a timeout or a lost connection. From the bus: a lost peer.
          name == "org.freedesktop.DBus.Error.NoReply"
            ? .noAnswer : .errorReply(name: name, message: text)))
    } else {
      finish(.success(message))
    }
  }

  /// Calls the handler, once.
  func finish(_ result: Result<BusMessage, BusError>) {
    let handler = handler
    self.handler = nil
    handler?(result)
  }
}

/// A subscription to the signals of a match rule.
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
    // There is no callback for the answer to AddMatch: sd-bus then closes a connection on which the
    // rule is rejected or not answered, and the bus connects again after a pause.
    bus.addMatch(rule, for: self)
  }

  override func receive(_ message: BusMessage, raw: OpaquePointer) {
    handler?(message)
  }
}

/// A subscription to the connection itself.
final class ConnectionSlot: BusSlot {
  private var handler: ((Bool) -> Void)?
  private var lastReported: Bool?

  init(_ handler: @escaping (Bool) -> Void) {
    self.handler = handler
    super.init()
  }

  override func cancel() {
    handler = nil
    super.cancel()
  }

  override func connected(_ bus: Bus) { report(true) }

  override func lost(isReported: Bool) {
    if isReported { report(false) } else { lastReported = nil }
  }

  private func report(_ isConnected: Bool) {
    guard lastReported != isConnected else { return }
    lastReported = isConnected
    handler?(isConnected)
  }
}

/// A subscription to the owner of a name.
final class OwnerSlot: BusSlot {
  private let name: String
  private var handler: ((String?) -> Void)?
  private var match: BusSlot?
  private var request: BusSlot?
  /// The owner reported last; nil if none was reported on this connection.
  private var lastReported: String??

  init(name: String, _ handler: @escaping (String?) -> Void) {
    self.name = name
    self.handler = handler
    super.init()
  }

  override func cancel() {
    handler = nil
    match = nil
    request = nil
    super.cancel()
  }

  override func connected(_ bus: Bus) {
    guard handler != nil else { return }
    let match = MatchSlot(rule: BusSignal.ownerChanged(of: name).rule) { [weak self] in
      self?.changed($0)
    }
    self.match = match
    match.connected(bus)
    request = bus.call(
      Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetNameOwner", [.string(name)]
    ) { [weak self] in self?.answered($0) }
  }

  override func lost(isReported: Bool) {
    match = nil
    request = nil
    let lastReported = lastReported
    self.lastReported = nil
    if isReported, case .some(.some) = lastReported { handler?(nil) }
  }

  private func changed(_ message: BusMessage) {
    // Any program may send a signal of this name.
    guard message.sender == Bus.driver, (try? message.nextString()) == name,
      (try? message.nextString()) != nil, let owner = try? message.nextString()
    else { return }
    request = nil
    report(owner.isEmpty ? nil : owner)
  }

  private func answered(_ answer: Result<BusMessage, BusError>) {
    request = nil
    // The usual failure is NameHasNoOwner.
    guard case .success(let message) = answer else { return report(nil) }
    report(try? message.nextString())
  }

  private func report(_ owner: String?) {
    if case .some(owner) = lastReported { return }
    lastReported = .some(owner)
    handler?(owner)
  }
}
