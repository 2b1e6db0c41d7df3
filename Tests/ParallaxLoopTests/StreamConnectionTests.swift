// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct StreamConnectionTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func theLoopReportsConnectionsToAListener() throws {
    let folder = try TemporaryFolder()
    let path = folder("p.sock")
    let listener = try UnixListener(path: path, mode: 0o600)
    var accepted = 0
    let source = try loop.watch(descriptor: listener.rawDescriptor, interest: .read) { _ in
      while case .connection = listener.accept() { accepted += 1 }
    }
    let first = try UnixStream.connect(to: path)
    let second = try UnixStream.connect(to: path)
    try loop.drain()
    #expect(accepted == 2)
    #expect(first.receiveWaiting() == .endOfInput)
    #expect(second.receiveWaiting() == .endOfInput)
    source.cancel()
  }

  @Test func aConnectionEchoesUntilTheClientCloses() throws {
    let ends = try SocketEnds()
    let client = try UnixStream(owning: ends.takeTheirs())
    let holder = Holder<StreamConnection>()
    holder.value = try StreamConnection(loop, ends.takeMine(), interest: .read) {
      [unowned holder] events in
      guard let connection = holder.value else { return }
      var buffer = [UInt8](repeating: 0, count: 64)
      switch buffer.withUnsafeMutableBytes({ connection.receive(into: $0) }) {
      case .received(let count):
        #expect(buffer[..<count].withUnsafeBytes { connection.send($0) } == .sent(count))
      default:
        connection.close()
        connection.close()
        holder.value = nil
      }
    }
    #expect(holder.value?.peer.userID == geteuid())
    #expect(client.send("one") == .sent(3))
    try loop.drain()
    #expect(client.readText() == "one")
    client.close()
    try loop.run("the end of the connection") { holder.value == nil }
  }

  /// epoll reports once; what the handler leaves is reported again.
  @Test func bytesThatAreLeftAreReportedAgain() throws {
    let ends = try SocketEnds()
    let client = try UnixStream(owning: ends.takeTheirs())
    let holder = Holder<StreamConnection>()
    var received: [UInt8] = []
    var hangUps = 0
    holder.value = try StreamConnection(loop, ends.takeMine(), interest: .read) {
      [unowned holder] events in
      if events.contains(.hungUp) { hangUps += 1 }
      var byte: [UInt8] = [0]
      if case .received = byte.withUnsafeMutableBytes({ holder.value?.receive(into: $0) }) {
        received += byte
      } else if hangUps > 20 {
        holder.value?.close()
      }
    }
    #expect(client.send("one two") == .sent(7))
    try loop.drain()
    #expect(received == Array("one two".utf8))
    client.close()
    try loop.run("20 reports of the end") { hangUps > 20 }
  }

  @Test func aClosedConnectionSendsNothingAndReleasesItsHandler() throws {
    let ends = try SocketEnds()
    weak var captured: Holder<Int>?
    let connection: StreamConnection
    do {
      let holder = Holder<Int>()
      captured = holder
      connection = try StreamConnection(loop, ends.takeMine(), interest: .read) { _ in
        holder.count += 1
      }
    }
    #expect(captured != nil)
    #expect(connection.isOpen)
    connection.close()
    #expect(captured == nil)
    #expect(!connection.isOpen)
    #expect(connection.send("x".utf8Span.span.bytes) == .closed)
    #expect(try connection.unreadByPeer() == 0)
    connection.interest = .write
    try loop.drain()
    #expect(UnixStream(owning: try ends.takeTheirs()).receiveWaiting() == .endOfInput)
  }

  @Test func aDroppedConnectionCloses() throws {
    let ends = try SocketEnds()
    var connection: StreamConnection? = try StreamConnection(
      loop, ends.takeMine(), interest: .read
    ) { _ in }
    #expect(connection != nil)
    connection = nil
    #expect(UnixStream(owning: try ends.takeTheirs()).receiveWaiting() == .endOfInput)
  }
}
