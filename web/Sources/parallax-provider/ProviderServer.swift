// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOPosix
import ParallaxWebCore
import Synchronization

/// Answers parallaxd's requests on a Unix socket: one at a time on each connection, connections
/// concurrently.
struct ProviderServer: Sendable {
  /// The time without connections after which a provider started by systemd exits, in seconds. The
  /// next connection starts it again.
  static let idleSeconds = 300
  /// The maximum number of connections. Further ones get an error and are closed.
  private static let limit = 64

  private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private let fetcher: HTTPFetcher
  private let connections = ConnectionCount()

  init(_ fetcher: HTTPFetcher) {
    self.fetcher = fetcher
  }

  /// Runs until the program ends.
  /// - Parameters:
  ///   - idleSeconds: the time without connections after which `exit` is called; nil for never.
  ///   - exit: ends the program.
  func run(
    on descriptor: Int32, idleSeconds: Int?, exit: @escaping @Sendable () -> Void
  ) async throws {
    let listener = try await ServerBootstrap(group: HTTPFetcher.group)
      // A client that closes its output (`nc -N`) still gets the answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(descriptor) { channel in
        channel.eventLoop.makeCompletedFuture { try Bytes(wrappingChannelSynchronously: channel) }
      }
    if let idleSeconds { connections.whenIdle(forSeconds: idleSeconds, exit) }
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { incoming in
        for try await connection in incoming {
          group.addTask { await serve(connection) }
        }
      }
    }
  }

  private func serve(_ connection: Bytes) async {
    let count = connections.add()
    defer { connections.remove() }
    do {
      try await connection.executeThenClose { input, output in
        guard count <= Self.limit else {
          return try await output.write(
            Self.buffer(.error(FetchError(id: nil, "too many connections; try again later"))))
        }
        try await answerLines(input, output)
      }
    } catch {
      // The client has disconnected. The fetched document is in the cache.
    }
  }

  private func answerLines(
    _ input: NIOAsyncChannelInboundStream<ByteBuffer>,
    _ output: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws {
    var pending: [UInt8] = []
    for try await bytes in input {
      pending += bytes.readableBytesView
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(pending[..<end])
        pending.removeSubrange(...end)
        if line.isEmpty || line == [UInt8(ascii: "\r")] { continue }
        try await output.write(Self.buffer(await answer(line)))
      }
      guard pending.count <= FetchRequest.lineLimit else {
        let error = FetchError(
          id: nil, "a line must be at most \(FetchRequest.lineLimit) bytes")
        return try await output.write(Self.buffer(.error(error)))
      }
    }
  }

  private func answer(_ line: [UInt8]) async -> FetchAnswer {
    do throws(FetchError) {
      return await fetcher.answer(try FetchRequest(line: line))
    } catch {
      return .error(error)
    }
  }

  private static func buffer(_ answer: FetchAnswer) -> ByteBuffer {
    ByteBuffer(bytes: answer.bytes)
  }
}

/// The number of open connections, with an action after a time without any.
private final class ConnectionCount: Sendable {
  private struct State {
    var count = 0
    /// The number of changes to `count`.
    var changes = 0
    var idleSeconds: Int?
    var action: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// - Returns: the new number of connections.
  func add() -> Int {
    state.withLock {
      $0.count += 1
      $0.changes += 1
      return $0.count
    }
  }

  func remove() {
    state.withLock {
      $0.count -= 1
      $0.changes += 1
    }
    startTimer()
  }

  func whenIdle(forSeconds seconds: Int, _ action: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.idleSeconds = seconds
      $0.action = action
    }
    startTimer()
  }

  /// Performs the action if nothing changes for the idle time. A connection that is still pending
  /// on systemd's socket is not lost: it starts the program again.
  private func startTimer() {
    let (seen, count, seconds) = state.withLock { ($0.changes, $0.count, $0.idleSeconds) }
    guard let seconds, count == 0 else { return }
    Task {
      try? await Task.sleep(for: .seconds(seconds))
      let action = state.withLock { $0.changes == seen ? $0.action : nil }
      action?()
    }
  }
}
