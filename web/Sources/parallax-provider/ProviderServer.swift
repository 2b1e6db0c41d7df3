import Glibc
import NIOCore
import NIOPosix
import ParallaxWebCore
import Synchronization

/// Answers parallaxd on a Unix socket: a line in, an answer out, one after the other on a connection,
/// connections side by side.
struct ProviderServer: Sendable {
  /// How long systemd's provider stays without anybody to answer, s: the next question starts it
  /// again.
  static let idleSeconds = 300
  /// Connections at a time; one more is told so and closed.
  private static let limit = 64

  private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private let fetcher: HTTPFetcher
  private let presence = Presence()

  init(_ fetcher: HTTPFetcher) {
    self.fetcher = fetcher
  }

  /// Runs until the program ends.
  /// - Parameters:
  ///   - idleSeconds: after so long without anybody `end` is called; nil: never.
  ///   - end: ends the program.
  func run(
    on descriptor: Int32, idleSeconds: Int?, end: @escaping @Sendable () -> Void
  ) async throws {
    let listener = try await ServerBootstrap(group: HTTPFetcher.group)
      // Whoever has nothing more to ask (`nc -N`) still gets its answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(descriptor) { channel in
        channel.eventLoop.makeCompletedFuture { try Bytes(wrappingChannelSynchronously: channel) }
      }
    if let idleSeconds { presence.ends(afterSeconds: idleSeconds, end) }
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { connections in
        for try await connection in connections {
          group.addTask { await serve(connection) }
        }
      }
    }
  }

  private func serve(_ connection: Bytes) async {
    let count = presence.come()
    defer { presence.go() }
    do {
      try await connection.executeThenClose { input, output in
        guard count <= Self.limit else {
          return try await output.write(
            Self.buffer(.error(FetchTrouble(id: nil, "too many connections; try again later"))))
        }
        try await converse(input, output)
      }
    } catch {
      // Whoever asked has gone; what was fetched for it is kept.
    }
  }

  private func converse(
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
        let trouble = FetchTrouble(id: nil, "a line has at most \(FetchRequest.lineLimit) bytes")
        return try await output.write(Self.buffer(.error(trouble)))
      }
    }
  }

  private func answer(_ line: [UInt8]) async -> FetchAnswer {
    do throws(FetchTrouble) {
      return await fetcher.answer(try FetchRequest(line: line))
    } catch {
      return .error(error)
    }
  }

  private static func buffer(_ answer: FetchAnswer) -> ByteBuffer {
    ByteBuffer(bytes: answer.bytes)
  }
}

/// Who is there, and since when nobody is.
private final class Presence: Sendable {
  private struct State {
    var count = 0
    /// Of comings and goings.
    var changes = 0
    var idleSeconds: Int?
    var end: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// - Returns: how many are there now.
  func come() -> Int {
    state.withLock {
      $0.count += 1
      $0.changes += 1
      return $0.count
    }
  }

  func go() {
    state.withLock {
      $0.count -= 1
      $0.changes += 1
    }
    watch()
  }

  func ends(afterSeconds seconds: Int, _ end: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.idleSeconds = seconds
      $0.end = end
    }
    watch()
  }

  /// Calls the end where nothing changes for so long. A connection that systemd's socket has taken
  /// meanwhile is not lost: it starts the program again.
  private func watch() {
    let (seen, count, seconds) = state.withLock { ($0.changes, $0.count, $0.idleSeconds) }
    guard let seconds, count == 0 else { return }
    Task {
      try? await Task.sleep(for: .seconds(seconds))
      let end = state.withLock { $0.changes == seen ? $0.end : nil }
      end?()
    }
  }
}
