// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDaemon

/// A client's socket in memory: what it accepts, what has arrived, and what the client has sent and the
/// daemon has not read yet.
final class ModelConnection: Connection {
  /// Bytes that it still accepts.
  var room = Int.max
  /// Bytes that it accepts in one call.
  var atOnce = Int.max
  var awaits = AwaitedEvents.input
  let usesDescriptorReserve = false
  private(set) var isClosed = false
  /// What the client has sent and the daemon has not read.
  var input: [UInt8] = []
  /// Whether the client has ended its side.
  var inputHasEnded = false
  /// Complete lines that have arrived, each with its line feed.
  private(set) var arrived: [UInt8] = []
  private var partial: [UInt8] = []
  /// When it last accepted a byte, or was empty.
  private(set) var lastProgress: MotionInstant
  /// Called with the first bytes since `take`.
  var becameReadable: () -> Void = {}
  private let clock: () -> MotionInstant

  init(clock: @escaping () -> MotionInstant) {
    self.clock = clock
    lastProgress = clock()
  }

  var wantsWritable: Bool { awaits.contains(.output) }

  /// Whether the daemon may find it full.
  var isBlocked: Bool { room != .max || atOnce != .max || wantsWritable }

  var hasPartialLine: Bool { !partial.isEmpty }

  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = min(bytes.count, room, atOnce)
    if !wantsWritable || count > 0 { lastProgress = clock() }
    guard count > 0 else { return 0 }
    if room != .max { room -= count }
    let wasEmpty = arrived.isEmpty
    let sent = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
    if let end = sent.lastIndex(of: 10) {
      arrived.append(contentsOf: partial)
      partial.removeAll(keepingCapacity: true)
      arrived.append(contentsOf: sent[...end])
      partial.append(contentsOf: sent[(end + 1)...])
      if wasEmpty { becameReadable() }
    } else {
      partial.append(contentsOf: sent)
    }
    return count
  }

  /// Returns the lines that have arrived since the last call. Give the array back to `reuse`.
  func take() -> [UInt8] {
    var lines: [UInt8] = []
    swap(&lines, &arrived)
    return lines
  }

  func reuse(_ lines: consuming [UInt8]) {
    guard arrived.isEmpty, arrived.capacity < lines.capacity else { return }
    lines.removeAll(keepingCapacity: true)
    arrived = lines
  }

  func close() { isClosed = true }
}
