// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// Splits a client's bytes into lines.
///
/// LF ends a line; a CR before it is removed, and blank lines are skipped. A line over the limit is
/// reported once, and nothing is read after it.
package struct LineReader: Sendable {
  package enum Line: Equatable, Sendable {
    case text([UInt8])
    /// The line is longer than the limit.
    case tooLong

    /// The number of its bytes; 0 if it is too long and therefore was not kept.
    package var count: Int {
      switch self {
      case .text(let bytes): bytes.count
      case .tooLong: 0
      }
    }
  }

  package let limit: LineLimit
  /// Bytes that were added and not yet split, from `inputStart`.
  private var input: [UInt8] = []
  private var inputStart = 0
  /// Whether no more bytes will be added.
  private var isComplete = false
  /// The present line, as far as it was added.
  private var partial: [UInt8] = []
  /// The limit of the present line, in bytes.
  private var allowed: Int
  private var hasEnded = false

  package init(limit: LineLimit) {
    self.limit = limit
    allowed = limit.bytes
  }

  /// Whether `next` may return a line before more bytes are added.
  package var mayHaveLine: Bool {
    !hasEnded && (inputStart < input.count || isComplete)
  }

  /// The size of what was added and not yet returned.
  package var waitingBytes: Int { input.count - inputStart + partial.count }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard !hasEnded else { return }
    input.append(contentsOf: bytes)
  }

  /// Ends the input; a last line without LF counts.
  package mutating func end() {
    isComplete = true
  }

  /// Returns the next line; nil if it is not complete yet.
  package mutating func next() -> Line? {
    while mayHaveLine {
      let rest = input[inputStart...]
      let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
      append(rest[..<(newline ?? rest.endIndex)])
      if let newline {
        inputStart = newline + 1
      } else {
        removeInput()
      }
      if inputStart == input.count { removeInput() }
      guard newline != nil || isComplete || hasEnded else { return nil }
      if hasEnded { return .tooLong }
      let line = complete()
      if newline == nil { hasEnded = true }
      if let line { return line }
    }
    return nil
  }

  private mutating func removeInput() {
    input.removeAll(keepingCapacity: input.capacity <= LineLimit.stream.bytes)
    inputStart = 0
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    // One byte beyond the limit may be the CR.
    let fitting = bytes.prefix(allowed + 1 - partial.count)
    partial.append(contentsOf: fitting)
    guard fitting.count < bytes.count else { return }
    guard allowed < limit.documentBytes, RequestClass.mayHaveDocument(partial) != false else {
      return stop()
    }
    allowed = limit.documentBytes
    append(bytes[fitting.endIndex...])
  }

  /// Ends the present line and returns it; nil if it is blank.
  private mutating func complete() -> Line? {
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    let isLong = allowed > limit.bytes && RequestClass.mayHaveDocument(partial) == true
    guard partial.count <= (isLong ? allowed : limit.bytes) else {
      stop()
      return .tooLong
    }
    allowed = limit.bytes
    defer { partial.removeAll(keepingCapacity: partial.capacity <= LineLimit.stream.bytes) }
    return partial.isEmpty ? nil : .text(partial)
  }

  private mutating func stop() {
    hasEnded = true
    partial = []
    removeInput()
  }
}
