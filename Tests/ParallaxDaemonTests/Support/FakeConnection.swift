// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon

/// A client's socket in memory. A test sets how many bytes it accepts.
final class FakeConnection: Connection {
  /// Bytes it accepts before it is full.
  var room = Int.max
  /// Calls of `send` that accept nothing, before `room` counts.
  var refusals = 0
  /// Called by `send`.
  var onSend: () -> Void = {}
  var isGone = false
  var awaits = AwaitedEvents.input
  var usesDescriptorReserve = false
  private(set) var isClosed = false
  private(set) var received: [UInt8] = []

  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    if isGone { return nil }
    onSend()
    guard refusals == 0 else {
      refusals -= 1
      return 0
    }
    let count = min(room, bytes.count)
    room -= count
    received.append(contentsOf: bytes.prefix(count))
    return count
  }

  func close() { isClosed = true }

  /// Returns the bytes received since the last call.
  func consume() -> [UInt8] {
    defer { received = [] }
    return received
  }
}

/// A line from the daemon.
struct Line: Equatable, CustomStringConvertible {
  let text: String
  let object: JSONObject

  init?(_ text: some StringProtocol) {
    self.text = String(text)
    guard case .object(let object)? = try? JSONValue.parse(self.text, limits: .controlLine) else {
      return nil
    }
    self.object = object
  }

  static func all(in bytes: [UInt8]) -> [Line] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Line($0) }
  }

  var description: String { text }
  var name: String { self["class"] ?? "" }

  subscript(key: String) -> String? {
    if case .string(let text)? = object[key] { text } else { nil }
  }

  /// Returns a number; nil if there is none.
  func number(_ key: String) -> Double? {
    switch object[key] {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  var seq: Int { Int(number("seq") ?? -1) }
  var x: Double { number("x") ?? .nan }
  var y: Double { number("y") ?? .nan }
  var isZero: Bool { x == 0 && y == 0 }

  var reasons: [String] {
    guard case .array(let values)? = object["reasons"] else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func object(_ key: String) -> Line? {
    guard case .object(let inner)? = object[key] else { return nil }
    return Line(text: "", object: inner)
  }

  private init(text: String, object: JSONObject) {
    self.text = text
    self.object = object
  }
}
