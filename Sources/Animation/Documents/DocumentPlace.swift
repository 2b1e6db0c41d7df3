// SPDX-License-Identifier: Apache-2.0

/// A place in the text of a document, for editors: messages name places as paths.
package struct DocumentPlace: Equatable, Sendable {
  /// From 1.
  package var line: Int
  /// From 1, in characters.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Finds the value at a path such as `$.animation.sequence[2].move`, or the innermost value around it
  /// that the text has: a variable in its place, an object without a key.
  ///
  /// - Parameter text: Valid JSON.
  /// - Returns: nil if `path` is not one, or begins with a member that the text does not have, as does the
  ///   path of a variable's value from elsewhere.
  init?(of path: String, in text: ArraySlice<UInt8>) {
    guard var steps = Self.steps(path)?[...] else { return nil }
    var scanner = JSONTextScanner(text)
    scanner.skipBlanks()
    var found = scanner.position
    var isOutermost = true
    while let step = steps.popFirst() {
      guard scanner.enter(step) else {
        if isOutermost { return nil }
        break
      }
      isOutermost = false
      found = scanner.position
    }
    line = 1
    column = 1
    for byte in text[text.startIndex..<found] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }

  enum Step: Equatable {
    case member([UInt8])
    case element(Int)
  }

  /// `$.name`, `$[2]` and `$["odd name"]`, as `JSONNode.path` writes them.
  private static func steps(_ path: String) -> [Step]? {
    var rest = Array(path.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
    var steps: [Step] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: ".") {
        let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
        steps.append(.member(Array(name)))
        rest = rest.dropFirst(name.count)
        continue
      }
      guard byte == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else {
        return nil
      }
      if rest.first == UInt8(ascii: "\"") {
        // A quoted name may be shortened or have escapes: the object is near enough.
        return steps
      }
      guard let index = Int(String(decoding: rest[..<end], as: UTF8.self)) else { return nil }
      steps.append(.element(index))
      rest = rest[rest.index(after: end)...]
    }
    return steps
  }
}

/// Walks through valid JSON without building values. Bytes that are not JSON end the walk.
private struct JSONTextScanner {
  private let text: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ text: ArraySlice<UInt8>) {
    self.text = text
    position = text.startIndex
  }

  private var byte: UInt8? { position < text.endIndex ? text[position] : nil }

  mutating func skipBlanks() {
    while let byte, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  /// Moves from the start of a value to that of a member or an element in it.
  ///
  /// - Returns: Whether there is one; else the position is undefined.
  mutating func enter(_ step: DocumentPlace.Step) -> Bool {
    switch step {
    case .member(let name):
      guard take("{") else { return false }
      repeat {
        skipBlanks()
        let key = string()
        skipBlanks()
        guard let key, take(":") else { return false }
        skipBlanks()
        if key.elementsEqual(name) { return true }
        skipValue()
        skipBlanks()
      } while take(",")
      return false
    case .element(let index):
      guard take("[") else { return false }
      for _ in 0..<index {
        skipBlanks()
        skipValue()
        skipBlanks()
        guard take(",") else { return false }
      }
      skipBlanks()
      return byte != nil && byte != UInt8(ascii: "]")
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte, byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Returns the bytes between quotes, with their escapes.
  private mutating func string() -> ArraySlice<UInt8>? {
    guard take("\"") else { return nil }
    let start = position
    while let byte, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < text.endIndex else {
      position = text.endIndex
      return nil
    }
    defer { position += 1 }
    return text[start..<position]
  }

  /// Skips a value without recursion.
  private mutating func skipValue() {
    var depth = 0
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        _ = string()
        if depth == 0 { return }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        if depth == 0 {
          position += 1
          return
        }
      case UInt8(ascii: ","):
        if depth == 0 { return }
      default: break
      }
      position += 1
    }
  }
}
