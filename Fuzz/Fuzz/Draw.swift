// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Values drawn from the input, one after another; zeros and empty texts after its end.
struct Draw {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Returns a number below `limit`, which is at most 65536.
  mutating func number(below limit: Int) -> Int {
    (Int(byte()) << 8 | Int(byte())) % limit
  }

  mutating func flag() -> Bool { byte() & 1 != 0 }

  mutating func bits() -> UInt64 {
    (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
  }

  /// Returns a finite double, of any magnitude.
  mutating func double() -> Double {
    let value = Double(bitPattern: bits())
    return value.isFinite ? value : 0
  }

  mutating func bytes(atMost limit: Int) -> [UInt8] {
    let count = min(number(below: limit + 1), rest.count)
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Returns valid UTF-8 without NUL.
  mutating func text(atMost limit: Int) -> String {
    String(decoding: bytes(atMost: limit).filter { $0 != 0 }, as: UTF8.self)
  }

  mutating func element<Element>(of list: [Element]) -> Element {
    list[Int(byte()) % list.count]
  }

  /// Returns nil or a value.
  mutating func maybe<Value>(_ value: (inout Draw) -> Value) -> Value? {
    flag() ? value(&self) : nil
  }

  /// Returns the rest of the input.
  mutating func remainder() -> [UInt8] {
    defer { rest = rest.suffix(0) }
    return Array(rest)
  }
}

/// Checks a message for the user: one printable line that is not empty.
func checkLine(_ text: String) {
  require(!text.isEmpty, "no text")
  require(!text.unicodeScalars.contains(where: PrintableText.isControl), "a control character")
}

/// Ends the program with a message, which `precondition` does not print in a release build.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
