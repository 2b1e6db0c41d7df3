// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import ParallaxBase

/// Calls and subscriptions. None of them starts a service.
extension Bus {
  /// Calls a method. The reply comes from the loop, never from within this function, and not at all
  /// once the slot is dropped or the bus is closed.
  ///
  /// - Parameters:
  ///   - destination: the peer's unique or well-known name.
  ///   - timeoutMilliseconds: 25 s is the usual timeout on D-Bus.
  package func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], timeoutMilliseconds: Int = 25_000,
    reply: @escaping (Result<BusMessage, BusError>) -> Void
  ) -> BusSlot {
    let slot = CallSlot(reply)
    guard isConnected else {
      fail(slot, .notConnected)
      return slot
    }
    if let error = send(
      slot, to: destination, path, interface, member, arguments, timeoutMilliseconds)
    {
      fail(slot, error)
    }
    return slot
  }

  /// Reads a property.
  package func property(
    _ destination: String, _ path: String, _ interface: String, _ name: String,
    timeoutMilliseconds: Int = 25_000, reply: @escaping (Result<BusValue, BusError>) -> Void
  ) -> BusSlot {
    call(
      destination, path, Self.properties, "Get", [.string(interface), .string(name)],
      timeoutMilliseconds: timeoutMilliseconds
    ) { answer in
      reply(answer.flatMap { message in Result { () throws(BusError) in try message.next() } })
    }
  }

  /// Subscribes to signals on this connection and all later ones, until the slot is dropped.
  package func follow(
    _ signal: BusSignal, handler: @escaping (BusMessage) -> Void
  ) -> BusSlot {
    let slot = MatchSlot(rule: signal.rule, handler)
    add(slot)
    return slot
  }

  /// Reports a name's owner (a unique name) once it is known and whenever it changes; nil if no
  /// program owns the name or the bus is gone.
  package func followOwner(of name: String, handler: @escaping (String?) -> Void) -> BusSlot {
    let slot = OwnerSlot(name: name, handler)
    add(slot)
    return slot
  }

  /// Reports each change of the connection: true when it is made, false when it is lost or could not
  /// be made. Does not report `close`.
  package func followConnection(handler: @escaping (Bool) -> Void) -> BusSlot {
    let slot = ConnectionSlot(handler)
    add(slot)
    return slot
  }

  // MARK: - sd-bus

  /// Calls a method on a connection that may not be ready yet; returns nil if the call cannot be sent.
  func send(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue], reply: @escaping (Result<BusMessage, BusError>) -> Void
  ) -> BusSlot? {
    let slot = CallSlot(reply)
    return send(slot, to: destination, path, interface, member, arguments, 25_000) == nil
      ? slot : nil
  }

  private func send(
    _ slot: CallSlot, to destination: String, _ path: String, _ interface: String,
    _ member: String, _ arguments: [BusValue], _ timeoutMilliseconds: Int
  ) -> BusError? {
    var message: OpaquePointer?
    // EINVAL: an invalid name or path.
    var result = sd_bus_message_new_method_call(
      raw, &message, destination, path, interface, member)
    defer { sd_bus_message_unref(message) }
    guard result >= 0, let message else {
      return .failed(SystemError(number: -result, call: "sd_bus_message_new_method_call"))
    }
    sd_bus_message_set_auto_start(message, 0)
    for argument in arguments {
      result = Self.append(argument, to: message)
      guard result >= 0 else {
        return .failed(SystemError(number: -result, call: "sd_bus_message_append_basic"))
      }
    }
    var raw: OpaquePointer?
    result = sd_bus_call_async(
      self.raw, &raw, message, BusSlot.callback, slot.userdata,
      UInt64(max(1, timeoutMilliseconds)) * 1000)
    guard result >= 0 else {
      return result == -ENOTCONN || result == -ECONNRESET || result == -EPIPE
        ? .notConnected : .failed(SystemError(number: -result, call: "sd_bus_call_async"))
    }
    slot.hold(raw)
    return nil
  }

  private static func append(_ value: BusValue, to message: OpaquePointer) -> Int32 {
    func append<Value>(_ letter: UnicodeScalar, _ value: Value) -> Int32 {
      withUnsafePointer(to: value) {
        sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: letter.value), $0)
      }
    }
    switch value {
    case .string(let text):
      return sd_bus_message_append_basic(message, CChar(bitPattern: UInt8(ascii: "s")), text)
    case .uint32(let number): return append("u", number)
    case .int32(let number): return append("i", number)
    case .bool(let flag): return append("b", Int32(flag ? 1 : 0))
    case .double(let number): return append("d", number)
    case .other: return -EOPNOTSUPP
    }
  }

  func addMatch(_ rule: String, for slot: BusSlot) {
    var raw: OpaquePointer?
    // Fails on a connection that has just ended; the subscription is renewed on the next one.
    if sd_bus_add_match_async(self.raw, &raw, rule, BusSlot.callback, nil, slot.userdata) >= 0 {
      slot.hold(raw)
    }
  }
}
