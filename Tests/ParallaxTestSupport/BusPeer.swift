// SPDX-License-Identifier: Apache-2.0

import CSystemd
package import ParallaxBase
package import ParallaxLoop

/// A value of any type, also for unexpected messages. A container has the signature of its contents.
package indirect enum PeerValue: Sendable {
  case string(String)
  case uint32(UInt32)
  case int32(Int32)
  case int64(Int64)
  case bool(Bool)
  case double(Double)
  case variant(String, PeerValue)
  case array(String, [PeerValue])
  case entry(String, [PeerValue])
  case structure(String, [PeerValue])
}

/// A call that a peer received.
package struct PeerCall {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]
}

package enum PeerAnswer {
  case values([PeerValue])
  case error(name: String, words: String)
  /// No answer.
  case nothing
}

/// Another program on a bus, which the test plays on its own loop.
package final class BusPeer {
  private let bus: OpaquePointer
  private var filter: OpaquePointer?
  package private(set) var calls: [PeerCall] = []

  /// Answers a call; initially with `UnknownMethod`.
  package var answer: (PeerCall) -> PeerAnswer = { _ in
    .error(name: "org.freedesktop.DBus.Error.UnknownMethod", words: "no such method")
  }

  /// The peer's unique name, as `:1.42`.
  package let uniqueName: String

  package init(
    _ loop: EventLoop, _ address: String, owning names: [String] = []
  ) throws(SystemError) {
    var bus: OpaquePointer?
    try SystemError.check(sd_bus_new(&bus), "sd_bus_new")
    guard let bus else { throw SystemError(number: 12, call: "sd_bus_new") }
    self.bus = bus
    try SystemError.check(sd_bus_set_address(bus, address), "sd_bus_set_address")
    try SystemError.check(sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client")
    try SystemError.check(sd_bus_start(bus), "sd_bus_start")
    var name: UnsafePointer<CChar>?
    try SystemError.check(sd_bus_get_unique_name(bus, &name), "sd_bus_get_unique_name")
    uniqueName = name.map { String(cString: $0) } ?? ""
    for name in names { try own(name) }
    sd_bus_set_close_on_exit(bus, 0)
    try SystemError.check(
      sd_bus_add_filter(
        bus, &filter,
        { message, userdata, _ in
          guard let message, let userdata else { return 0 }
          return Unmanaged<BusPeer>.fromOpaque(userdata).takeUnretainedValue().handle(message)
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_bus_add_filter")
    try SystemError.check(sd_bus_attach_event(bus, loop.raw, 0), "sd_bus_attach_event")
  }

  deinit {
    sd_bus_slot_unref(filter)
    sd_bus_flush_close_unref(bus)
  }

  package func own(_ name: String) throws(SystemError) {
    try SystemError.check(sd_bus_request_name(bus, name, 0), "sd_bus_request_name")
  }

  package func disown(_ name: String) throws(SystemError) {
    try SystemError.check(sd_bus_release_name(bus, name), "sd_bus_release_name")
  }

  /// - Parameter destination: the unique name of one receiver; nil for all subscribers.
  package func emit(
    _ path: String, _ interface: String, _ member: String, _ values: [PeerValue],
    to destination: String? = nil
  ) throws(SystemError) {
    var message: OpaquePointer?
    try SystemError.check(
      sd_bus_message_new_signal(bus, &message, path, interface, member),
      "sd_bus_message_new_signal")
    defer { sd_bus_message_unref(message) }
    guard let message else { return }
    for value in values { append(value, to: message) }
    try SystemError.check(sd_bus_send_to(bus, message, destination, nil), "sd_bus_send_to")
    try SystemError.check(sd_bus_flush(bus), "sd_bus_flush")
  }

  /// - Parameter type: the value's signature.
  package func emitPropertyChanged(
    _ path: String, _ interface: String, _ name: String, _ type: String, _ value: PeerValue
  ) throws(SystemError) {
    try emit(
      path, Bus.properties, "PropertiesChanged",
      [
        .string(interface),
        .array("{sv}", [.entry("sv", [.string(name), .variant(type, value)])]),
        .array("s", []),
      ])
  }

  private func handle(_ raw: OpaquePointer) -> Int32 {
    guard sd_bus_message_is_method_call(raw, nil, nil) > 0 else { return 0 }
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    var call = PeerCall(
      destination: text(sd_bus_message_get_destination(raw)),
      path: text(sd_bus_message_get_path(raw)),
      interface: text(sd_bus_message_get_interface(raw)),
      member: text(sd_bus_message_get_member(raw)), arguments: [])
    while sd_bus_message_at_end(raw, 1) == 0 {
      var words: UnsafePointer<CChar>?
      guard sd_bus_message_read_basic(raw, CChar(bitPattern: UInt8(ascii: "s")), &words) > 0 else {
        break
      }
      call.arguments.append(.string(text(words)))
    }
    calls.append(call)
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    switch answer(call) {
    case .nothing: return 1
    case .error(let name, let words):
      name.withCString { name in
        words.withCString { words in
          var error = sd_bus_error(name: name, message: words, _need_free: 0)
          _ = sd_bus_reply_method_error(raw, &error)
        }
      }
    case .values(let values):
      guard sd_bus_message_new_method_return(raw, &reply) >= 0, let reply else { return 1 }
      for value in values { append(value, to: reply) }
      sd_bus_send(bus, reply, nil)
    }
    return 1
  }

  private func append(_ value: PeerValue, to message: OpaquePointer) {
    func basic<Value>(_ letter: UnicodeScalar, _ value: Value) {
      _ = withUnsafePointer(to: value) {
        sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: letter.value), $0)
      }
    }
    func container(_ letter: UnicodeScalar, _ signature: String, _ values: [PeerValue]) {
      sd_bus_message_open_container(
        message, CChar(truncatingIfNeeded: letter.value), signature)
      for value in values { append(value, to: message) }
      sd_bus_message_close_container(message)
    }
    switch value {
    case .string(let text):
      sd_bus_message_append_basic(message, CChar(bitPattern: UInt8(ascii: "s")), text)
    case .uint32(let number): basic("u", number)
    case .int32(let number): basic("i", number)
    case .int64(let number): basic("x", number)
    case .bool(let flag): basic("b", Int32(flag ? 1 : 0))
    case .double(let number): basic("d", number)
    case .variant(let signature, let inside): container("v", signature, [inside])
    case .array(let signature, let inside): container("a", signature, inside)
    case .entry(let signature, let inside): container("e", signature, inside)
    case .structure(let signature, let inside): container("r", signature, inside)
    }
  }
}
