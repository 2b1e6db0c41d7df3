// SPDX-License-Identifier: Apache-2.0

/// A key that was pressed.
enum Key: Hashable, Sendable {
  case character(Unicode.Scalar)
  /// With the control key, as the lower-case letter.
  case control(Unicode.Scalar)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, backspace, tab, escape
}

/// Turns the bytes from a terminal into keys. Bytes of an unfinished sequence wait for the next ones.
struct KeyDecoder: Sendable {
  private var pending: [UInt8] = []

  init() {}

  /// Returns the keys in the bytes. Unknown sequences, such as those of function keys, give none.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (key, count) = Self.first(in: pending) {
      pending.removeFirst(count)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The first key, nil for a sequence without one, and its length; nil if more bytes are needed.
  private static func first(in bytes: [UInt8]) -> (Key?, Int)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x1B: return escape(bytes)
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 1...26: return (.control(Unicode.Scalar(byte + 0x60)), 1)
    case 0..<0x20: return (nil, 1)
    case 0x20..<0x7F: return (.character(Unicode.Scalar(byte)), 1)
    default: return character(bytes, lead: byte)
    }
  }

  private static func character(_ bytes: [UInt8], lead: UInt8) -> (Key?, Int)? {
    let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    guard bytes.count >= count else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self).unicodeScalars
    guard count > 1, text.count == 1, let scalar = text.first, scalar != "\u{FFFD}" else {
      return (nil, 1)
    }
    return (.character(scalar), count)
  }

  private static func escape(_ bytes: [UInt8]) -> (Key?, Int)? {
    // The escape key sends the byte that begins every sequence, but alone.
    guard bytes.count > 1 else { return (.escape, 1) }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
      return (.escape, 1)
    }
    // Parameters, then a final byte.
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // No key has a sequence that long.
      return bytes.count > 16 ? (nil, bytes.count) : nil
    }
    let key: Key? =
      switch bytes[end] {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      case UInt8(ascii: "C"): .right
      case UInt8(ascii: "D"): .left
      case UInt8(ascii: "H"): .home
      case UInt8(ascii: "F"): .end
      case UInt8(ascii: "~"):
        switch bytes[2..<end].prefix(while: { $0 != UInt8(ascii: ";") }) {
        case [UInt8(ascii: "1")], [UInt8(ascii: "7")]: .home
        case [UInt8(ascii: "4")], [UInt8(ascii: "8")]: .end
        case [UInt8(ascii: "5")]: .pageUp
        case [UInt8(ascii: "6")]: .pageDown
        default: nil
        }
      default: nil
      }
    return (key, end + 1)
  }
}
