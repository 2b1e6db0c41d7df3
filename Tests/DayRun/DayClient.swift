// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon

/// A client of user 0 that reads everything at once.
final class DayClient {
  private let connection = DayConnection()
  private weak var events: (any ClientEvents)?

  /// The frames that it has received.
  var frames: FrameTimes { connection.frames }

  init(_ service: any ClientService, at now: MotionInstant) {
    events = service.connect(
      connection,
      from: PeerCredentials(processID: 1, userID: 0, groupID: 0, supplementaryGroups: []), at: now)
  }

  func send(_ line: String, at now: MotionInstant) {
    Array((line + "\n").utf8).withUnsafeBytes { events?.received($0, at: now) }
    while connection.awaits.contains(.turn) {
      connection.awaits.remove(.turn)
      events?.takeTurn(at: now)
    }
  }

  func hangUp(at now: MotionInstant) { events?.hungUp(at: now) }
}

private final class DayConnection: Connection {
  var awaits = AwaitedEvents.input
  var frames = FrameTimes()

  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var begin = bytes.startIndex
    while let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) {
      frames.add(line: bytes[begin..<end])
      begin = end + 1
    }
    return bytes.count
  }

  func close() {}
}
