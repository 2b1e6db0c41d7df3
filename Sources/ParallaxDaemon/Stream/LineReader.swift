/// Cuts what a client sends into lines.
///
/// LF ends a line, a CR before it is taken away, blank lines are nobody's. A line over the limit is
/// said so once; nothing is read after it.
package struct LineReader: Sendable {
  package enum Line: Equatable, Sendable {
    case text([UInt8])
    /// The line is longer than the limit.
    case tooLong
  }

  package let limit: LineLimit
  private var partial: [UInt8] = []
  /// What the line that is under way may have, bytes.
  private var allowed: Int
  private var gaveUp = false

  package init(limit: LineLimit) {
    self.limit = limit
    allowed = limit.bytes
  }

  /// Calls `line` for each line that these bytes complete, in order.
  package mutating func add(_ bytes: UnsafeRawBufferPointer, line: (Line) -> Void) {
    var rest = bytes[...]
    while !gaveUp, let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[..<newline])
      rest = rest[(newline + 1)...]
      if !gaveUp { complete(line) }
      if gaveUp { line(.tooLong) }
    }
    guard !gaveUp, !rest.isEmpty else { return }
    take(rest)
    if gaveUp { line(.tooLong) }
  }

  /// The input is over: a last line without its LF still counts.
  package mutating func end(line: (Line) -> Void) {
    guard !gaveUp else { return }
    complete(line)
    if gaveUp { line(.tooLong) }
    gaveUp = true
  }

  private mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
    // One byte more than the limit may still be the CR.
    let fitting = bytes.prefix(allowed + 1 - partial.count)
    partial.append(contentsOf: fitting)
    guard fitting.count < bytes.count else { return }
    guard allowed < limit.playBytes, RequestClass.isPlay(partial) != false else { return giveUp() }
    allowed = limit.playBytes
    take(bytes[fitting.endIndex...])
  }

  private mutating func complete(_ line: (Line) -> Void) {
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    let isPlay = allowed > limit.bytes && RequestClass.isPlay(partial) == true
    guard partial.count <= (isPlay ? allowed : limit.bytes) else { return giveUp() }
    allowed = limit.bytes
    if !partial.isEmpty { line(.text(partial)) }
    partial.removeAll(keepingCapacity: partial.capacity <= LineLimit.stream.bytes)
  }

  private mutating func giveUp() {
    gaveUp = true
    partial = []
  }
}
