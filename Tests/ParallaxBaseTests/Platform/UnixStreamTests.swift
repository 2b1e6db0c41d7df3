// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct UnixStreamTests {
  @Test func sendingToAFullPeerDoesNotBlockAndLosesNothing() throws {
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

  @Test func aClosedPeerDiffersFromOneThatEndedItsOutput() throws {
    let ended = try UnixStream.pair()
    ended.first.endOutput()
    #expect(ended.second.receiveWaiting() == .endOfInput)
    #expect(ended.second.send("still read") == .sent(10))
    #expect(ended.first.readText() == "still read")
    #expect(ended.first.send("x") == .closed)

    let ends = try SocketEnds()
    let mine = try UnixStream(owning: ends.takeMine())
    #expect(mine.send("never read") == .sent(10))
    ends.theirs = nil
    #expect(mine.receiveWaiting() == .closed, "a reset, because bytes were unread")
    #expect(mine.send("x") == .closed)
  }

  @Test func emptyBuffersAreNotAnError() throws {
    let pair = try UnixStream.pair()
    #expect(pair.first.send("") == .sent(0))
    #expect(
      pair.second.receive(into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        == .received(0))
    #expect(pair.second.receiveOnce() == .wouldBlock)
  }

  @Test func connectErrorsNameTheCause() throws {
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

@Suite struct SendBufferTests {
  // An OFFSET line with one-digit numbers has about 70 bytes, a typical one about 120.
  @Test(arguments: [64, 80, 120, 180])
  func atMostTheLimitOfLinesFits(lineBytes: Int) throws {
    let buffer = try SendBuffer.size(holdingAtMost: 11, linesOf: lineBytes)
    #expect((1...11).contains(buffer.lines))
    #expect(try fill(with: lineBytes, in: buffer.bytes) == buffer.lines)
  }

  @Test func noMoreLongerLinesFit() throws {
    let buffer = try SendBuffer.size(holdingAtMost: 11, linesOf: 80)
    for lineBytes in [80, 200, 500, 1000, 3000] {
      #expect(try fill(with: lineBytes, in: buffer.bytes) <= 11)
    }
  }

  @Test func aLargerLimitFindsALargerBufferAndAnImpossibleOneTheSmallest() throws {
    let some = try SendBuffer.size(holdingAtMost: 11, linesOf: 80)
    let more = try SendBuffer.size(holdingAtMost: 60, linesOf: 80)
    #expect(more.bytes > some.bytes && more.lines > some.lines && more.lines <= 60)
    let impossible = try SendBuffer.size(holdingAtMost: 0, linesOf: 80)
    #expect(impossible.bytes == 1 && impossible.lines > 0)
  }

  @Test func aReadBufferTakesAsManyLinesAgain() throws {
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
  @Test func closesAtTheEndOfItsScope() throws {
    let ends = try SocketEnds()
    let mine = UnixStream(owning: try ends.takeMine())
    do {
      let theirs = try ends.takeTheirs()
      #expect(mine.receiveOnce() == .wouldBlock)
      #expect(fcntl(theirs.raw, F_GETFD) != -1)
    }
    #expect(mine.receiveWaiting() == .endOfInput)
  }

  @Test func aReleasedDescriptorStaysOpen() throws {
    let raw = try FileDescriptor.open("/dev/null", O_RDONLY).release()
    let again = FileDescriptor(owning: raw)
    #expect(fcntl(again.raw, F_GETFD) == FD_CLOEXEC)
    let copy = try again.duplicate()
    #expect(copy.raw != again.raw)
    #expect(fcntl(copy.raw, F_GETFD) == FD_CLOEXEC)
  }

  @Test func anErrorNamesPathReasonCallAndAdvice() {
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor.open("/no/such/file", O_RDONLY)
    }
    #expect(
      error?.description
        == "/no/such/file: No such file or directory (open); create it or correct the path")
    #expect(SystemError(number: EINVAL, call: "f").description == "Invalid argument (f)")
  }
}
