// SPDX-License-Identifier: Apache-2.0

/// A line for pages.
package struct EventLine: Equatable, Sendable {
  /// The value of `class`, which comes first; empty if the line does not start with one.
  package let name: String
  /// The line, without its line feed.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    let head = Array("{\"class\":\"".utf8)
    let rest = bytes.starts(with: head) ? bytes.dropFirst(head.count) : []
    name = String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    self.bytes = bytes
  }

  /// Whether a newer line takes the place of this one if it still waits.
  var isReplaceable: Bool { name == "CLOCK" || name == "LINK" }

  /// The line as an event of a stream of server-sent events.
  package var event: [UInt8] { Array("data: ".utf8) + bytes + Array("\n\n".utf8) }
}

/// The lines that wait for one page. Its size is bounded: a page that does not read loses OFFSETs, the oldest
/// first; one for which too much else waits is to be disconnected, and connects again.
package struct EventBacklog: Sendable {
  /// The numbers of OFFSETs and of other lines that may wait.
  package static let (maxOffsets, maxOthers) = (16, 64)
  /// The number of bytes that may wait; lines are far shorter.
  package static let maxBytes = 1 << 20

  private var lines: [EventLine] = []
  private var offsets = 0
  private var bytes = 0
  /// Whether more waits than a page that reads could have left.
  package private(set) var isOverfull = false

  package init() {}

  package var isEmpty: Bool { lines.isEmpty }

  package mutating func add(_ line: EventLine) {
    if line.name == "OFFSET" {
      if offsets == Self.maxOffsets { remove { $0.name == "OFFSET" } }
      offsets += 1
    } else if line.isReplaceable {
      remove { $0.name == line.name }
    }
    lines.append(line)
    bytes += line.bytes.count
    isOverfull = lines.count - offsets > Self.maxOthers || bytes > Self.maxBytes
  }

  /// Returns all waiting lines as events, in their order.
  package mutating func take() -> [UInt8] {
    var events: [UInt8] = []
    events.reserveCapacity(bytes + 8 * lines.count)
    for line in lines { events += line.event }
    self = EventBacklog()
    return events
  }

  /// Removes the first line that fits.
  private mutating func remove(where fits: (EventLine) -> Bool) {
    guard let index = lines.firstIndex(where: fits) else { return }
    let line = lines.remove(at: index)
    bytes -= line.bytes.count
    if line.name == "OFFSET" { offsets -= 1 }
  }
}
