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

  /// Bytes of a line, without its end.
  package let limit: Int
  private var partial: [UInt8] = []
  private var gaveUp = false

  /// The stream socket's, bytes.
  package static let streamLimit = 4 << 10
  /// The control socket's, bytes.
  package static let controlLimit = 64 << 10

  package init(limit: Int) {
    self.limit = limit
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
    if partial.count + bytes.count > limit + 1 {
      giveUp()
    } else {
      partial.append(contentsOf: bytes)
    }
  }

  private mutating func complete(_ line: (Line) -> Void) {
    if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
    guard partial.count <= limit else { return giveUp() }
    if !partial.isEmpty { line(.text(partial)) }
    partial.removeAll(keepingCapacity: partial.capacity <= Self.streamLimit)
  }

  private mutating func giveUp() {
    gaveUp = true
    partial = []
  }
}
