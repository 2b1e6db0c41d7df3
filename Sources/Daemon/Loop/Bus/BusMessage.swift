// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A received message. Its values are read in order, each once.
package final class BusMessage {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) {
    self.raw = raw
    sd_bus_message_ref(raw)
  }

  deinit {
    sd_bus_message_unref(raw)
  }

  /// The sender's unique name, as `:1.42`; the bus itself is `org.freedesktop.DBus`.
  package var sender: String? { sd_bus_message_get_sender(raw).map { String(cString: $0) } }

  // MARK: - Values

  /// Reads the next value. A variant yields its contents, at any depth of nesting.
  package func next() throws(BusError) -> BusValue {
    let (type, contents) = try peek()
    switch type {
    case 0: throw .malformed("the message ends too early")
    case Self.variant:
      guard let contents else { throw .malformed("a variant without a type") }
      try enter(Self.variant, contents)
      let value = try next()
      try leave()
      return value
    case Self.string, Self.path, Self.signature:
      var text: UnsafePointer<CChar>?
      try read(type, &text)
      return .string(text.map { String(cString: $0) } ?? "")
    case Self.uint32:
      var number: UInt32 = 0
      try read(type, &number)
      return .uint32(number)
    case Self.int32:
      var number: Int32 = 0
      try read(type, &number)
      return .int32(number)
    case Self.bool:
      var flag: Int32 = 0
      try read(type, &flag)
      return .bool(flag != 0)
    case Self.double:
      var number: Double = 0
      try read(type, &number)
      return .double(number)
    default:
      try skip()
      let letter = String(UnicodeScalar(UInt8(bitPattern: type)))
      return .other(signature: letter + (contents.map { String(cString: $0) } ?? ""))
    }
  }

  /// Reads the next value, which must be a string.
  package func nextString() throws(BusError) -> String {
    let value = try next()
    guard case .string(let text) = value else {
      throw .malformed("expected a string, got \(value)")
    }
    return text
  }

  /// Reads the dictionary `a{sv}` that comes next, entry by entry, until `body` returns false; skips
  /// the rest.
  package func entries(
    _ body: (_ key: String, _ value: BusValue) -> Bool
  ) throws(BusError) {
    try enter(Self.array, "{sv}")
    var isReading = true
    while try peek().type != 0 {
      guard isReading else {
        try skip()
        continue
      }
      try enter(Self.entry, "sv")
      let key = try nextString()
      isReading = body(key, try next())
      try leave()
    }
    try leave()
  }

  /// Reads the array `as` that comes next.
  package func strings() throws(BusError) -> [String] {
    try enter(Self.array, "s")
    var texts: [String] = []
    while try peek().type != 0 { texts.append(try nextString()) }
    try leave()
    return texts
  }

  // MARK: - sd-bus

  private static let array = CChar(bitPattern: UInt8(ascii: "a"))
  private static let bool = CChar(bitPattern: UInt8(ascii: "b"))
  private static let double = CChar(bitPattern: UInt8(ascii: "d"))
  private static let entry = CChar(bitPattern: UInt8(ascii: "e"))
  private static let int32 = CChar(bitPattern: UInt8(ascii: "i"))
  private static let path = CChar(bitPattern: UInt8(ascii: "o"))
  private static let signature = CChar(bitPattern: UInt8(ascii: "g"))
  private static let string = CChar(bitPattern: UInt8(ascii: "s"))
  private static let uint32 = CChar(bitPattern: UInt8(ascii: "u"))
  private static let variant = CChar(bitPattern: UInt8(ascii: "v"))

  /// Returns the type of the next value; 0 at the end of the message or container.
  private func peek() throws(BusError) -> (type: CChar, contents: UnsafePointer<CChar>?) {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let found = try check(
      sd_bus_message_peek_type(raw, &type, &contents), "sd_bus_message_peek_type")
    return found == 0 ? (0, nil) : (type, contents)
  }

  private func read(_ type: CChar, _ place: UnsafeMutableRawPointer) throws(BusError) {
    try check(sd_bus_message_read_basic(raw, type, place), "sd_bus_message_read_basic")
  }

  private func skip() throws(BusError) {
    try check(sd_bus_message_skip(raw, nil), "sd_bus_message_skip")
  }

  private func enter(_ type: CChar, _ contents: UnsafePointer<CChar>) throws(BusError) {
    let found = try check(
      sd_bus_message_enter_container(raw, type, contents), "sd_bus_message_enter_container")
    guard found > 0 else { throw .malformed("the message ends too early") }
  }

  private func leave() throws(BusError) {
    try check(sd_bus_message_exit_container(raw), "sd_bus_message_exit_container")
  }

  @discardableResult
  private func check(_ result: Int32, _ call: String) throws(BusError) -> Int32 {
    guard result >= 0 else {
      // ENXIO: the next value has another type.
      let reason = result == -ENXIO ? "unexpected type" : String(cString: strerror(-result))
      throw .malformed("malformed message: \(reason) (\(call))")
    }
    return result
  }
}
