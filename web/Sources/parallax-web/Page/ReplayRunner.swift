// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import ParallaxWebCore
import Synchronization

/// Replays recordings that pages send.
final class ReplayRunner: Sendable {
  /// The longest recording, and the number of replays at once.
  private static let (maxBytes, maxReplays) = (64 << 20, 2)

  private let running = Mutex(0)

  func response(to request: Request, on threads: NIOThreadPool) async -> Response {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.maxBytes {
      return Self.tooLarge
    }
    guard begin() else {
      return PageResponse.error(503, "other recordings are being replayed; try again")
    }
    let ticket = ReplayTicket { self.running.withLock { $0 -= 1 } }
    let file = TemporaryFile.open()
    guard file >= 0 else {
      return PageResponse.error(507, "no temporary file: \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    do {
      var size = 0
      for try await buffer in request.body {
        size += buffer.readableBytes
        guard size <= Self.maxBytes else { return Self.tooLarge }
        guard write(buffer, to: file) else {
          return PageResponse.error(
            507, "the recording cannot be stored: \(String(cString: strerror(errno)))")
        }
      }
      lseek(file, 0, SEEK_SET)
      let target = request.head.path ?? ""
      let options = ReplayMessage.options(target: target)
      return try await output(
        of: ToolProgram.start(["replay", "--format", "ndjson"] + options + ["-"], input: file),
        request, name: ReplayMessage.name(target: target), ticket, on: threads)
    } catch let error as ToolProgram.StartError {
      return PageResponse.error(500, error.message)
    } catch {
      return PageResponse.error(400, "the recording is incomplete")
    }
  }

  private static var tooLarge: Response {
    PageResponse.error(
      413, "the recording is larger than \(maxBytes >> 20) MiB")
  }

  /// Waits for the first output or the failure, then streams.
  private func output(
    of program: ToolProgram, _ request: Request, name: String, _ ticket: ReplayTicket,
    on threads: NIOThreadPool
  ) async throws -> Response {
    let first = try await threads.runIfActive { program.read() }
    if first.isEmpty {
      let message = try await threads.runIfActive { program.end(name: name) }
      ticket.end()
      if let message { return PageResponse.error(422, message) }
    }
    return PageResponse.stream("application/x-ndjson") { writer in
      guard !first.isEmpty else { return try await writer.finish(nil) }
      do {
        try await request.body.consumeWithInboundCloseHandler { _ in
          var block = first
          while !block.isEmpty {
            try await writer.write(ByteBuffer(bytes: block))
            block = try await threads.runIfActive { program.read() }
          }
        } onInboundClosed: {
          program.kill()
        }
      } catch {
        program.kill()
        _ = try? await threads.runIfActive { program.end(name: name) }
        ticket.end()
        throw error
      }
      let message = try await threads.runIfActive { program.end(name: name) }
      ticket.end()
      if let message { try await writer.write(ByteBuffer(bytes: JSONText.error(message))) }
      try await writer.finish(nil)
    }
  }

  private func begin() -> Bool {
    running.withLock { count in
      guard count < Self.maxReplays else { return false }
      count += 1
      return true
    }
  }

  private func write(_ buffer: ByteBuffer, to file: Int32) -> Bool {
    var rest = buffer.readableBytesView[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// A place among the replays at once, which is given back once.
private final class ReplayTicket: Sendable {
  private let release: @Sendable () -> Void
  private let isEnded = Atomic(false)

  init(_ release: @escaping @Sendable () -> Void) { self.release = release }

  func end() {
    if !isEnded.exchange(true, ordering: .relaxed) { release() }
  }

  deinit { end() }
}
