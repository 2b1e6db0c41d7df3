// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxClient
import ParallaxTestSupport
import Synchronization
import Testing

private let version = #"{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":7}"#

private func offsetLine(_ seq: Int, x: Double = 1) -> String {
  lineText(
    .offset(
      OffsetMessage(
        seq: UInt64(seq), time: MotionInstant(nanoseconds: Int64(seq) * 33_333_333), x: x, y: 0,
        nx: x / 5, ny: 0)))
}

/// A fake daemon on its own socket.
private struct FakeDaemon {
  let folder: TemporaryFolder
  let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("s"))
  }

  func stream(
    watch: WatchMessage? = nil, reconnection: ReconnectionPolicy = .never, buffered: Int = 16
  ) -> ParallaxStream {
    ParallaxStream(
      .init(
        socketPath: server.path, watch: watch, reconnection: reconnection,
        bufferedOffsets: buffered))
  }
}

@Suite("A stream of messages", .timeLimit(.minutes(10)))
struct ParallaxStreamTests {
  @Test func messagesArriveInOrderWithoutUnknownOnes() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream()
    let peer = try daemon.server.accept()
    try peer.say(version, #"{"class":"NEWS"}"#, "garbage", offsetLine(1))
    try peer.send(String(offsetLine(2).prefix(20)))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == .version(.current))
    guard case .offset(let first) = try await iterator.next() else {
      Issue.record("no OFFSET")
      return
    }
    #expect(first.seq == 1)
    try peer.send(String(offsetLine(2).dropFirst(20)) + "\n")
    guard case .offset(let second) = try await iterator.next() else {
      Issue.record("no OFFSET")
      return
    }
    #expect(second.seq == 2)
    #expect(stream.connectionState == .connected)
  }

  @Test func withoutReconnectionTheStreamEndsWithTheDaemon() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream()
    let peer = try daemon.server.accept()
    try peer.say(version)
    peer.close()
    var messages: [StreamMessage] = []
    let error = await #expect(throws: ParallaxError.self) {
      for try await message in stream { messages.append(message) }
    }
    #expect(error == .closed)
    #expect(messages == [.version(.current)])
    #expect(stream.connectionState == .closed)
    // The error is thrown once; afterwards the stream has ended.
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
  }

  @Test func withoutReconnectionAMissingDaemonIsAnError() async throws {
    let folder = try TemporaryFolder()
    let stream = ParallaxStream(
      .init(socketPath: folder("none"), reconnection: .never))
    let error = await #expect(throws: ParallaxError.self) {
      for try await _ in stream {}
    }
    #expect(error == .noDaemon(attempts: [.init(path: folder("none"), errno: 2)]))
    #expect("\(error ?? .closed)".contains("'parallax run'"))
  }

  @Test func overlongPathIsReported() async throws {
    let stream = ParallaxStream(
      .init(socketPath: "/tmp/" + String(repeating: "x", count: 103), reconnection: .never))
    let error = await #expect(throws: ParallaxError.self) {
      for try await _ in stream {}
    }
    #expect("\(error ?? .closed)".contains("107 bytes"))
  }

  @Test func otherMajorVersionEndsTheStream() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream(reconnection: .standard)
    let peer = try daemon.server.accept()
    try peer.say(#"{"class":"VERSION","release":"9.1.0","proto_major":2,"proto_minor":0}"#)
    let error = await #expect(throws: ParallaxError.self) {
      for try await _ in stream {}
    }
    #expect(error == .incompatible(major: 2, release: "9.1.0"))
  }

  @Test func streamReconnectsAndRepeatsItsRequests() async throws {
    let daemon = try FakeDaemon()
    let fast = ReconnectionPolicy.exponential(from: .milliseconds(1), to: .milliseconds(1))
    let stream = daemon.stream(watch: WatchMessage(rateHertz: 10), reconnection: fast)
    var iterator = stream.makeAsyncIterator()
    let first = try daemon.server.accept()
    #expect(try first.hear() == #"{"class":"WATCH","rate":10}"#)
    try first.say(version)
    #expect(try await iterator.next() == .version(.current))
    stream.send(WatchMessage(layers: [.init(name: "bg", depth: 0.2)]))
    #expect(try first.hear() == #"{"class":"WATCH","layers":{"bg":0.2}}"#)
    stream.poll()
    #expect(try first.hear() == #"{"class":"POLL"}"#)
    first.close()
    let second = try daemon.server.accept()
    #expect(try second.hear() == #"{"class":"WATCH","rate":10,"layers":{"bg":0.2}}"#)
    try second.say(version, offsetLine(5))
    #expect(try await iterator.next() == .version(.current))
    guard case .offset(let offset) = try await iterator.next() else {
      Issue.record("no OFFSET")
      return
    }
    #expect(offset.seq == 5)
  }

  /// A program with its own event loop hears each message and the end without a task.
  @Test func aProgramWithoutTasksIsCalled() throws {
    let daemon = try FakeDaemon()
    let heard = Mutex<[StreamMessage]>([])
    let ends = Mutex<[ParallaxError?]>([])
    var configuration = ParallaxStream.Configuration(socketPath: daemon.server.path)
    configuration.onMessage = { message in heard.withLock { $0.append(message) } }
    configuration.onEnd = { error in ends.withLock { $0.append(error) } }
    let stream = ParallaxStream(configuration)
    let peer = try daemon.server.accept()
    try peer.say(version, offsetLine(5))
    try waitUntil("both lines are heard") { heard.withLock { $0.count } == 2 }
    #expect(heard.withLock { $0.first } == .version(.current))
    stream.close()
    try waitUntil("the end is heard") { !ends.withLock { $0.isEmpty } }
    #expect(ends.withLock { $0 } == [nil])
  }

  @Test func slowReaderReceivesTheNewestOffsetsAndTheLoss() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream(buffered: 4)
    let peer = try daemon.server.accept()
    try peer.say(version)
    for seq in 1...100 { try peer.say(offsetLine(seq)) }
    peer.close()
    // The stream is closed after it has read everything.
    try await waitUntilClosed(stream)
    var seen: [String] = []
    let error = await #expect(throws: ParallaxError.self) {
      for try await message in stream {
        if case .offset(let offset) = message {
          seen.append("\(offset.seq) \(offset.dropped ?? 0)")
        }
      }
    }
    #expect(error == .closed)
    #expect(seen == ["97 96", "98 0", "99 0", "100 0"])
  }

  @Test func cancellingATaskEndsTheStream() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream(reconnection: .standard)
    let peer = try daemon.server.accept()
    let task = Task {
      var count = 0
      for try await _ in stream { count += 1 }
      return count
    }
    try peer.say(version)
    task.cancel()
    #expect(try await task.value <= 1)
    // The connection ends too: the daemon reads the end of its input.
    #expect(try peer.hear() == nil)
  }

  @Test func closingEndsEveryWaitAndTheConnection() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream(reconnection: .standard)
    let peer = try daemon.server.accept()
    let tasks = (0..<3).map { _ in
      Task {
        var iterator = stream.makeAsyncIterator()
        return try await iterator.next()
      }
    }
    stream.close()
    for task in tasks { #expect(try await task.value == nil) }
    #expect(try peer.hear() == nil)
  }

  @Test func releasingTheStreamEndsTheConnection() throws {
    let daemon = try FakeDaemon()
    var stream: ParallaxStream? = daemon.stream()
    let peer = try daemon.server.accept()
    #expect(stream != nil)
    stream = nil
    #expect(try peer.hear() == nil)
  }

  @Test func waitingStreamCanBeClosed() async throws {
    let folder = try TemporaryFolder()
    let stream = ParallaxStream(
      .init(
        socketPath: folder("none"),
        reconnection: .exponential(from: .seconds(3_600), to: .seconds(3_600))))
    let task = Task {
      for try await _ in stream {}
      return true
    }
    stream.close()
    #expect(try await task.value)
    try await waitUntilClosed(stream)
  }

  @Test func offsetNeedsNoReader() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream()
    let peer = try daemon.server.accept()
    #expect(stream.offset(at: .now) == nil)
    try peer.say(version, offsetLine(30, x: 1), offsetLine(31, x: 2))
    peer.close()
    try await waitUntilClosed(stream)
    let between = MonotonicInstant(nanoseconds: 30 * 33_333_333 + 16_666_666)
    let offset = try #require(stream.offset(at: between))
    #expect(abs(offset.x - 1.5) < 1e-6)
  }

  @Test func overlongLineEndsTheConnection() async throws {
    let daemon = try FakeDaemon()
    let stream = daemon.stream()
    let peer = try daemon.server.accept()
    let block = String(repeating: "x", count: 1 << 16)
    let error = await #expect(throws: ParallaxError.self) {
      // The stream ends the connection at some point.
      for _ in 0..<64 { if (try? peer.send(block)) == nil { break } }
      for try await _ in stream {}
    }
    #expect(error == .malformed)
  }

  /// Polls the state, because no message reports it. The suite's time limit ends the wait.
  private func waitUntilClosed(_ stream: ParallaxStream) async throws {
    while stream.connectionState != .closed { await Task.yield() }
  }
}
