import Glibc
import ParallaxSystem
import ParallaxTestSupport
import Testing

@Suite struct UnixStreamTests {
  @Test func `Sending to a full peer blocks nobody, and what went is what arrives`() throws {
    let pair = try UnixStream.pair()
    let block = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    var sent = 0
    while case .sent(let count) = block.withUnsafeBytes({ pair.first.send($0) }) { sent += count }
    #expect(block.withUnsafeBytes { pair.first.send($0) } == .wouldBlock)
    #expect(sent > 0)
    #expect(try pair.first.unreadByPeer() > 0)
    var received = 0
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case .received(let count) = buffer.withUnsafeMutableBytes({
      pair.second.receive(into: $0)
    }) {
      received += count
    }
    #expect(received == sent)
    #expect(try pair.first.unreadByPeer() == 0)
  }

  @Test func `A peer that has gone is told apart from one that only ended`() throws {
    let ended = try UnixStream.pair()
    ended.first.endOutput()
    #expect(ended.second.receiveWaiting() == .endOfInput)
    #expect(ended.second.send("still read") == .sent(10))
    #expect(ended.first.readText() == "still read")
    #expect(ended.first.send("x") == .closed)

    let ends = try Ends()
    let mine = try UnixStream(owning: ends.takeMine())
    #expect(mine.send("never read") == .sent(10))
    ends.theirs = nil
    #expect(mine.receiveWaiting() == .closed, "reset, since there were bytes unread")
    #expect(mine.send("x") == .closed)
  }

  @Test func `Nothing to send or no room to receive is no event`() throws {
    let pair = try UnixStream.pair()
    #expect(pair.first.send("") == .sent(0))
    #expect(
      pair.second.receive(into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        == .received(0))
    #expect(pair.second.receiveOnce() == .wouldBlock)
  }

  @Test func `Connecting to nothing, to a dead socket and to a file are three errors`() throws {
    let folder = try TemporaryFolder()
    try leaveStaleSocket(at: folder("dead"))
    try folder.write("", to: "file")
    let cases = [("none", ENOENT), ("dead", ECONNREFUSED), ("file", ECONNREFUSED)]
    for (name, number) in cases {
      let error = #expect(throws: SystemError.self) {
        _ = try UnixStream.connect(to: folder(name))
      }
      #expect(error == SystemError(number: number, call: "connect", path: folder(name)))
    }
  }
}

@Suite struct StreamConnectionTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func `An echo, until the client goes`() throws {
    let ends = try Ends()
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
    while holder.value != nil { try loop.turn(waiting: true) }
  }

  @Test func `Closed, it sends nothing, follows nothing and lets go of its handler`() throws {
    let ends = try Ends()
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

  @Test func `Dropped, it closes`() throws {
    let ends = try Ends()
    var connection: StreamConnection? = try StreamConnection(
      loop, ends.takeMine(), interest: .read
    ) { _ in }
    #expect(connection != nil)
    connection = nil
    #expect(UnixStream(owning: try ends.takeTheirs()).receiveWaiting() == .endOfInput)
  }
}

@Suite struct SendBufferTests {
  // An OFFSET line with one-digit numbers has about 70 bytes, an ordinary one about 120.
  @Test(arguments: [64, 80, 120, 180])
  func `At most 11 lines wait in the kernel, and nearly as many as that`(
    lineBytes: Int
  ) throws {
    let buffer = try SendBuffer.size(holdingAtMost: 11, linesOf: lineBytes)
    #expect((1...11).contains(buffer.lines))
    #expect(try fill(with: lineBytes, in: buffer.bytes) == buffer.lines)
  }

  @Test func `Longer lines do not wait in greater number`() throws {
    let buffer = try SendBuffer.size(holdingAtMost: 11, linesOf: 80)
    for lineBytes in [80, 200, 500, 1000, 3000] {
      #expect(try fill(with: lineBytes, in: buffer.bytes) <= 11)
    }
  }

  @Test func `A larger limit finds a larger buffer, an impossible one the smallest`() throws {
    let some = try SendBuffer.size(holdingAtMost: 11, linesOf: 80)
    let more = try SendBuffer.size(holdingAtMost: 60, linesOf: 80)
    #expect(more.bytes > some.bytes && more.lines > some.lines && more.lines <= 60)
    let impossible = try SendBuffer.size(holdingAtMost: 0, linesOf: 80)
    #expect(impossible.bytes == 1 && impossible.lines > 0)
  }

  @Test func `What is read makes room for as much again`() throws {
    let buffer = try SendBuffer.size(holdingAtMost: 11, linesOf: 80)
    let pair = try UnixStream.pair()
    try pair.first.setSendBuffer(bytes: buffer.bytes)
    let line = String(repeating: "x", count: 79) + "\n"
    for _ in 0..<3 {
      var lines = 0
      while case .sent = pair.first.send(line) { lines += 1 }
      #expect(lines == buffer.lines)
      #expect(pair.second.readText().utf8.count == lines * 80)
    }
  }

  private func fill(with lineBytes: Int, in bytes: Int32) throws -> Int {
    let pair = try UnixStream.pair()
    try pair.first.setSendBuffer(bytes: bytes)
    let line = String(repeating: "x", count: lineBytes)
    var lines = 0
    while case .sent = pair.first.send(line) { lines += 1 }
    return lines
  }
}

@Suite struct FileDescriptorTests {
  @Test func `It closes at the end of its scope, and only then`() throws {
    let ends = try Ends()
    let mine = UnixStream(owning: try ends.takeMine())
    do {
      let theirs = try ends.takeTheirs()
      #expect(mine.receiveOnce() == .wouldBlock)
      #expect(fcntl(theirs.raw, F_GETFD) != -1)
    }
    #expect(mine.receiveWaiting() == .endOfInput)
  }

  @Test func `Released, it is its new owner's`() throws {
    let raw = try FileDescriptor.open("/dev/null", O_RDONLY).release()
    let again = FileDescriptor(owning: raw)
    #expect(fcntl(again.raw, F_GETFD) == FD_CLOEXEC)
    let copy = try again.duplicate()
    #expect(copy.raw != again.raw)
    #expect(fcntl(copy.raw, F_GETFD) == FD_CLOEXEC)
  }

  @Test func `An error names the call, the path, the reason and what to do`() {
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor.open("/no/such/file", O_RDONLY)
    }
    #expect(
      error?.description
        == "/no/such/file: No such file or directory (open), create it or correct the path")
    #expect(SystemError(number: EINVAL, call: "f").description == "Invalid argument (f)")
  }
}
