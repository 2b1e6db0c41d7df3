// SPDX-License-Identifier: Apache-2.0

/// Splits a client's bytes into lines.
///
/// LF ends a line; a CR before it is removed, and blank lines are skipped. A line over the limit is
/// reported once, and nothing is read after it.
package struct LineReader: Sendable {
  package enum Line: Equatable, Sendable {
    case text([UInt8])
    /// The line is longer than the limit.
    case tooLong
  }

  package let limit: LineLimit
  private var partial: [UInt8] = []
  /// The limit of the present line, in bytes.
  private var allowed: Int
  private var hasEnded = false

  package init(limit: LineLimit) {
    self.limit = limit
    allowed = limit.bytes
  }

  /// Calls `line` for each line that these bytes complete, in order.
  package mutating func add(_ bytes: UnsafeRawBufferPointer, line: (Line) -> Void) {
    var rest = bytes[...]
    while !hasEnded, let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<newline])
      rest = rest[(newline + 1)...]
      if !hasEnded { complete(line) }
      if hasEnded { line(.tooLong) }
    }
    guard !hasEnded, !rest.isEmpty else { return }
    append(rest)
    if hasEnded { line(.tooLong) }
  }

  /// Handles the end of the input; a last line without LF counts.
  package mutating func end(line: (Line) -> Void) {
    guard !hasEnded else { return }
    complete(line)
    if hasEnded { line(.tooLong) }
    hasEnded = true
  }

  private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
    // One byte beyond the limit may be the CR.
    let fitting = bytes.prefix(allowed + 1 - partial.count)
    partial.append(contentsOf: fitting)
    guard fitting.count < bytes.count else { return }
    guard allowed < limit.playBytes, RequestClass.isPlay(partial) != false else { return stop() }
    allowed = limit.playBytes
    append(bytes[fitting.endIndex...])
  }

  private mutating func complete(_ line: (Line) -> Void) {
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    let isPlay = allowed > limit.bytes && RequestClass.isPlay(partial) == true
    guard partial.count <= (isPlay ? allowed : limit.bytes) else { return stop() }
    allowed = limit.bytes
    if !partial.isEmpty { line(.text(partial)) }
    partial.removeAll(keepingCapacity: partial.capacity <= LineLimit.stream.bytes)
  }

  private mutating func stop() {
    hasEnded = true
    partial = []
  }
}
