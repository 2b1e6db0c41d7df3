// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
@testable import ParallaxLoop

/// Random values in a real message of sd-bus. Reading in order returns each value: a basic one as it was
/// written, a variant as its contents, and any other with its signature. Reading a message as something
/// that it is not throws and never crashes.
enum BusTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var draw = Draw(bytes)
    guard let message = Message() else { return }
    var written: [Written] = []
    while !draw.isAtEnd, written.count < 32 {
      if let value = message.append(drawn: &draw) { written.append(value) }
    }
    guard message.seal() else { return }
    let reader = BusMessage(message.raw)
    for value in written { value.check(reader) }
    require((try? reader.next()) == nil, "a value after the last one")

    message.rewind()
    readAnyhow(BusMessage(message.raw), &draw)
  }

  /// Reads without looking, until the end.
  private static func readAnyhow(_ reader: BusMessage, _ draw: inout Draw) {
    for turn in 0..<40 {
      do throws(BusError) {
        switch (Int(draw.byte()) + turn) % 4 {
        case 0: _ = try reader.next()
        case 1: _ = try reader.nextString()
        case 2: _ = try reader.strings()
        default: try reader.entries { key, _ in key.utf8.count % 3 != 0 }
        }
      } catch {
        checkLine(error.description)
      }
    }
  }
}

/// What was written, for the reader.
private enum Written {
  case value(BusValue)
  case strings([String])
  case entries([(key: String, value: BusValue)])

  func check(_ reader: BusMessage) {
    do throws(BusError) {
      switch self {
      case .value(let value):
        let read = try reader.next()
        require(Self.isSame(read, value), "wrote \(value), read \(read)")
      case .strings(let texts):
        let read = try reader.strings()
        require(read == texts, "other strings")
      case .entries(let entries):
        var index = 0
        try reader.entries { key, value in
          require(index < entries.count, "too many entries")
          require(key == entries[index].key, "another key")
          require(Self.isSame(value, entries[index].value), "another value")
          index += 1
          return true
        }
        require(index == entries.count, "an entry is missing")
      }
    } catch {
      fatalError("wrote \(self): \(error)")
    }
  }

  /// Compares doubles by their bits.
  private static func isSame(_ a: BusValue, _ b: BusValue) -> Bool {
    if case .double(let a) = a, case .double(let b) = b { return a.bitPattern == b.bitPattern }
    return a == b
  }
}

/// A signal that is being written, on a connection without a peer.
private final class Message {
  let raw: OpaquePointer

  /// A connection that is never served: it only makes messages possible.
  private nonisolated(unsafe) static let bus: OpaquePointer? = {
    var ends: [Int32] = [-1, -1]
    var bus: OpaquePointer?
    // 1 is SOCK_STREAM, which glibc declares as an enumeration.
    guard socketpair(AF_UNIX, 1, 0, &ends) == 0, sd_bus_new(&bus) >= 0,
      sd_bus_set_fd(bus, ends[0], ends[0]) >= 0, sd_bus_start(bus) >= 0
    else { return nil }
    return bus
  }()

  init?() {
    var message: OpaquePointer?
    guard sd_bus_message_new_signal(Self.bus, &message, "/a", "org.example.A", "Changed") >= 0,
      let message
    else { return nil }
    raw = message
  }

  deinit {
    sd_bus_message_unref(raw)
  }

  func seal() -> Bool {
    sd_bus_message_seal(raw, 1, 0) >= 0 && sd_bus_message_rewind(raw, 1) >= 0
  }

  func rewind() {
    sd_bus_message_rewind(raw, 1)
  }

  /// Writes a value drawn from the input; returns nil if sd-bus refuses it, as it does text that is not
  /// an object path.
  func append(drawn draw: inout Draw) -> Written? {
    switch draw.byte() % 12 {
    case 0...7:
      let letter = draw.element(of: Array("susibdoygxntq".unicodeScalars))
      return basic(letter, &draw).map { .value($0) }
    case 8: return variant(&draw)
    case 9:
      // A variant in a variant yields the innermost value.
      var contents: Written?
      let isWhole = inside("v", "v") { contents = variant(&draw) }
      return isWhole ? contents : nil
    case 10:
      var texts: [String] = []
      let isWhole = inside("a", "s") {
        for _ in 0..<draw.number(below: 4) {
          if case .string(let text) = basic("s", &draw) { texts.append(text) }
        }
      }
      return isWhole ? .strings(texts) : nil
    default:
      var entries: [(key: String, value: BusValue)] = []
      let isWhole = inside("a", "{sv}") {
        for _ in 0..<draw.number(below: 4) {
          inside("e", "sv") {
            guard case .string(let key) = basic("s", &draw) else { return }
            var value: BusValue?
            inside("v", "u") { value = basic("u", &draw) }
            if let value { entries.append((key, value)) }
          }
        }
      }
      return isWhole ? .entries(entries) : nil
    }
  }

  private func variant(_ draw: inout Draw) -> Written? {
    var contents: Written?
    let letter = draw.element(of: Array("subdi".unicodeScalars))
    let isWhole = inside("v", String(letter)) { contents = basic(letter, &draw).map { .value($0) } }
    return isWhole ? contents : nil
  }

  @discardableResult
  private func inside(_ type: UnicodeScalar, _ contents: String, _ body: () -> Void) -> Bool {
    guard
      sd_bus_message_open_container(raw, CChar(truncatingIfNeeded: type.value), contents) >= 0
    else { return false }
    body()
    return sd_bus_message_close_container(raw) >= 0
  }

  private func basic(_ letter: UnicodeScalar, _ draw: inout Draw) -> BusValue? {
    let type = CChar(truncatingIfNeeded: letter.value)
    var bits = draw.bits()
    switch letter {
    case "s":
      let text = draw.text(atMost: 20)
      return sd_bus_message_append_basic(raw, type, text) >= 0 ? .string(text) : nil
    case "o", "g":
      let text = letter == "o" ? "/a" : "as"
      return sd_bus_message_append_basic(raw, type, text) >= 0 ? .string(text) : nil
    case "b":
      var flag = Int32(bits & 1)
      return sd_bus_message_append_basic(raw, type, &flag) >= 0 ? .bool(flag != 0) : nil
    default:
      guard sd_bus_message_append_basic(raw, type, &bits) >= 0 else { return nil }
      switch letter {
      case "u": return .uint32(UInt32(truncatingIfNeeded: bits))
      case "i": return .int32(Int32(truncatingIfNeeded: bits))
      case "d": return .double(Double(bitPattern: bits))
      default: return .other(signature: String(letter))
      }
    }
  }
}
