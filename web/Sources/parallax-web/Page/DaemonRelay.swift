// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import NIOCore
import NIOPosix
import ParallaxWebCore

/// Relays the lines of the daemon's two sockets. Each page has a connection of its own.
struct DaemonRelay: Sendable {
  let sockets: DaemonSockets

  /// The time between two CLOCK lines, in seconds.
  private static let clockSeconds = 5
  /// How long the daemon may take for its answers.
  private static let patience = TimeAmount.seconds(5)

  /// Returns the lines of the stream as server-sent events. The last one is an ERROR that says why it ends.
  func events(_ request: Request) -> Response {
    PageResponse.stream("text/event-stream") { writer in
      var message = "the daemon ended the connection"
      do {
        let daemon = try await DaemonConnection.open(sockets.stream)
        try await request.body.consumeWithInboundCloseHandler { _ in
          var nextClock = 0
          try await daemon.exchange(ByteBuffer(string: PageLines.watch)) { line in
            let now = Self.now
            var events = ByteBuffer()
            // At rest no lines come, and no client needs the time.
            if now.tv_sec >= nextClock {
              nextClock = now.tv_sec + Self.clockSeconds
              events.writeString(
                Self.event(PageLines.clock(seconds: now.tv_sec, nanoseconds: now.tv_nsec)))
            }
            events.writeString("data: ")
            events.writeBuffer(&line)
            events.writeString("\n\n")
            try await writer.write(events)
            return true
          }
        } onInboundClosed: {
          daemon.close()
        }
      } catch let error as DaemonConnection.Unavailable {
        message = error.message
      } catch let error as IOError {
        message =
          "the connection to the daemon failed: \(String(cString: strerror(error.errnoCode)))"
      }
      try await writer.write(ByteBuffer(string: Self.event(PageLines.unavailable(message))))
      try await writer.finish(nil)
    }
  }

  /// Sends the requests of a page to the control socket. Returns the answers, one line for each.
  func answers(to body: [UInt8]) async -> Response {
    guard let lines = PageLines.requests(body) else {
      let names = PageLines.requests.joined(separator: ", ")
      return PageResponse.error(
        400, "expected 1 to \(PageLines.maxRequests) lines of the protocol, each of \(names)")
    }
    do {
      let daemon = try await DaemonConnection.open(sockets.control)
      let late = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(
        in: Self.patience, daemon.close)
      defer { late.cancel() }
      var answers: [UInt8] = []
      var missing = lines.count
      var requests = ByteBuffer()
      for line in lines { requests.writeBytes(line + [UInt8(ascii: "\n")]) }
      try await daemon.exchange(requests) { line in
        answers += line.readableBytesView + [UInt8(ascii: "\n")]
        missing -= 1
        return missing > 0
      }
      guard !answers.isEmpty else {
        return PageResponse.error(503, "the daemon ended the connection without an answer")
      }
      return PageResponse.make(200, type: "application/x-ndjson", body: answers)
    } catch let error as DaemonConnection.Unavailable {
      return PageResponse.error(503, error.message)
    } catch {
      return PageResponse.error(503, "the connection to the daemon failed: \(error)")
    }
  }

  private static func event(_ line: String) -> String { "data: \(line)\n\n" }

  private static var now: timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now
  }
}
