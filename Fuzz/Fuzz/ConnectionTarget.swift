// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
@testable import ParallaxDaemon
import ParallaxLoop

/// Random bytes from a client on a real socket, in pieces, through the event loop. Every line that comes
/// back is one JSON object of a documented class, and there is at most one answer for each line sent and
/// one more for the end of the connection.
///
/// The first line has three digits: 0 to 4 selects the stream and 5 to 9 the control socket; the user,
/// as in `SocketTarget`; and the pieces: 0 sends all at once, else up to 3^N bytes at a time. A fourth
/// character means that the client reads nothing until the end.
enum ConnectionTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end >= 3 else { return }
    let digits = bytes[..<3].map { Int($0 % 10) }
    do throws(SystemError) {
      let session = try Session(
        isControl: digits[0] >= 5, user: digits[1], reads: end == 3)
      try session.send(
        UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]),
        pieces: digits[2] == 0 ? Int.max : (0..<digits[2]).reduce(1) { size, _ in 3 * size })
      try session.end()
    } catch {
      fatalError("\(error)")
    }
  }
}

private final class Session {
  private let loop: EventLoop
  private let core: DaemonCore
  private let time = Time()
  private let turns: TurnQueue
  private let server: SocketConnection
  private let client: UnixStream
  private let isControl: Bool
  private let reads: Bool
  private var events: (any ClientEvents)?
  private var received: [UInt8] = []
  private var linesSent = 0
  private var answers = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)

  init(isControl: Bool, user: Int, reads: Bool) throws(SystemError) {
    self.isControl = isControl
    self.reads = reads
    loop = try EventLoop()
    core = SocketTarget.core(time)
    var ends: [Int32] = [-1, -1]
    // 1 is SOCK_STREAM, which glibc declares as an enumeration.
    guard socketpair(AF_UNIX, 1, 0, &ends) == 0 else { throw SystemError.last("socketpair") }
    client = UnixStream(owning: FileDescriptor(owning: ends[0]))
    turns = TurnQueue(loop, priority: isControl ? .control : .stream)
    server = try SocketConnection(loop, FileDescriptor(owning: ends[1]), turns: turns) {
      [time] in time.now
    }
    try server.setSendBuffer(bytes: 4096)
    let service: any ClientService = isControl ? core.control : core.stream
    events = service.connect(server, from: SocketTarget.peer(user), at: time.now)
    server.events = events
  }

  deinit {
    buffer.deallocate()
  }

  func send(_ bytes: UnsafeRawBufferPointer, pieces: Int) throws(SystemError) {
    linesSent = bytes.count { $0 == 10 } + 1
    var rest = bytes[...]
    var turns = 0
    while !rest.isEmpty, turns < 2000 {
      turns += 1
      switch client.send(UnsafeRawBufferPointer(rebasing: rest.prefix(pieces))) {
      case .sent(let count): rest = rest.dropFirst(count)
      case .wouldBlock: break
      case .closed, .failed: rest = rest.suffix(0)
      }
      try step(.milliseconds(turns % 40 == 0 ? 500 : 1))
    }
  }

  func end() throws(SystemError) {
    shutdown(client.descriptor.raw, Int32(SHUT_WR))
    for _ in 0..<8 { try step(.milliseconds(20)) }
    core.shutDown(at: time.now)
    try loop.drain()
    receive()
    // What the daemon drops at the end is whole lines, except when the socket is full.
    if reads { require(received.isEmpty, "the last line is not complete") }
    require(answers <= linesSent + 1, "\(answers) answers to \(linesSent) lines")
  }

  private func step(_ duration: MotionDuration) throws(SystemError) {
    try loop.drain()
    time.now = time.now + duration
    core.advance(at: time.now)
    try loop.drain()
    if reads { receive() }
  }

  private func receive() {
    while case .received(let count) = client.receive(into: buffer) {
      received += UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
    var lines = received.split(separator: 10, omittingEmptySubsequences: false)
    received = Array(lines.removeLast())
    lines.forEach(check)
  }

  private func check(_ line: ArraySlice<UInt8>) {
    do throws(JSONSyntaxError) {
      let value = try JSONValue.parse(line.span.bytes, limits: .controlLine)
      guard case .object(let object) = value, case .string(let name) = object["class"],
        object.members.first?.key == "class"
      else { fatalError("not an object with a class") }
      let known = isControl ? Self.controlClasses : Self.streamClasses
      require(known.contains(name), "the class \(name) is not documented")
      if Self.answerClasses.contains(name) { answers += 1 }
    } catch {
      fatalError("not JSON: \(error.message)")
    }
  }

  private static let streamClasses = [
    "VERSION", "DEVICE", "GATE", "OFFSET", "ANIMATION", "WATCH", "ERROR",
  ]
  private static let controlClasses = [
    "ACK", "SAMPLE", "DEVICE", "GATE", "ANIMATION", "WANTED", "ERROR", "STATUS",
  ]
  private static let answerClasses = ["ACK", "STATUS", "WATCH", "ERROR"]
}
