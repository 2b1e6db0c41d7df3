// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol

/// The line of one frame: encoded once, and sent to everyone who gets it. Only for a subscriber that missed
/// frames before it, its end is written apart, with `dropped`.
struct SharedLine: ~Copyable {
  private var line = OutputBuffer()
  /// The size of the part that does not depend on `dropped`.
  private var bodyCount = 0
  private var ownLine = OutputBuffer()
  private var seq: UInt64 = 0

  mutating func encode(_ frame: OffsetFrame, with encoder: OffsetEncoder) {
    seq = frame.seq
    line.removeAll()
    encoder.appendBody(frame, to: &line)
    bodyCount = line.count
    OffsetEncoder.appendEnd(dropped: 0, to: &line)
  }

  mutating func send(to channels: [LineChannel], at now: MotionInstant) {
    let kind = Outbox.Kind.offset(seq: seq)
    for channel in channels {
      if channel.isClear {
        channel.sendWhileClear(line, as: kind, at: now)
      } else {
        sendAfterOthers(to: channel, as: kind, at: now)
      }
    }
  }

  /// Sends it to a client that has not received everything before it.
  private mutating func sendAfterOthers(
    to channel: LineChannel, as kind: Outbox.Kind, at now: MotionInstant
  ) {
    let missed = channel.droppedBefore(seq: seq, at: now)
    guard missed > 0 else { return channel.send(line, as: kind, at: now) }
    ownLine.removeAll()
    let count = bodyCount
    line.withBytes { ownLine.append(bytes: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    OffsetEncoder.appendEnd(dropped: missed, to: &ownLine)
    channel.send(ownLine, as: kind, at: now)
  }
}
